"""The App Store Server API, asked by Apple's own library about what was really bought: every method, in both environments."""

import asyncio
import inspect
import json

import pytest
from appstoreserverlibrary.api_client import (
    APIException,
    AppStoreServerAPIClient,
    AsyncAppStoreServerAPIClient,
    GetTransactionHistoryVersion,
)
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest

from conftest import tool_path
from support import life as lives
from support.backend import Backend
from support.device import payload
from support.receiver import Receiver
from support.server_calls import CALLS, DAY, TOKEN, now
from support.shop import Shop
from support.waiting import wait_until

pytestmark = pytest.mark.rows("X3", "X5", "P4", "P22")

TILL = tool_path().with_name("till")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(
        TILL, tmp_path_factory.mktemp("api") / "store", "--production-processor", "test", "--private-notifications",
        "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture(scope="module")
def life(shop, receiver, tmp_path_factory):
    return lives.begin(shop, Backend(shop, tmp_path_factory.mktemp("backend")), receiver)


@pytest.fixture(scope="module")
def production(shop, tmp_path_factory):
    return Backend(shop, tmp_path_factory.mktemp("production"), environment="production")


def methods(kind) -> set[str]:
    found = inspect.getmembers(kind, inspect.isfunction)
    return {name for name, _ in found if not name.startswith("_")} - {"async_close"}


def test_the_table_has_every_method_of_both_clients():
    assert set(CALLS) == methods(AppStoreServerAPIClient) == methods(AsyncAppStoreServerAPIClient)


def judge(life, name: str, ask):
    """Asks for what the table says of a method, and judges what comes of it."""
    call = CALLS[name]
    if call.error is None:
        return call.judge(life, ask(call.arguments(life)))
    with pytest.raises(APIException) as refusal:
        ask(call.arguments(life))
    assert (refusal.value.raw_api_error, refusal.value.http_status_code) == (call.error, call.error // 10_000)
    assert refusal.value.error_message


@pytest.mark.filterwarnings("ignore:send_consumption_data")
@pytest.mark.parametrize("name", CALLS)
def test_each_method_is_answered(life, name):
    client = life.backend.client()
    judge(life, name, lambda arguments: getattr(client, name)(*arguments))


@pytest.mark.filterwarnings("ignore:send_consumption_data", "ignore:Use 'content=<...>'")
def test_the_asynchronous_client_is_answered_too(life):
    async def ask(name: str, arguments: tuple):
        client = life.backend.client(AsyncAppStoreServerAPIClient)
        try:
            return await getattr(client, name)(*arguments)
        finally:
            await client.async_close()

    for name in CALLS:
        judge(life, name, lambda arguments: asyncio.run(ask(name, arguments)))


def history(client, number: str, request=None, version=GetTransactionHistoryVersion.V2, revision=None):
    """All pages of a history, each with what was asked for, and the last revision."""
    found = []
    while True:
        page = client.get_transaction_history(number, revision, request or TransactionHistoryRequest(), version)
        assert len(page.signedTransactions) == 20 or not page.hasMore
        found += [payload(one) for one in page.signedTransactions]
        revision = page.revision
        if not page.hasMore:
            return found, revision


def test_a_history_is_read_to_its_end_and_goes_on_from_there(life):
    client = life.backend.client()
    everything, revision = history(client, life.club)
    # A subscription, a picture of the jungle, and credits; what was refunded is the last that was changed.
    assert len({one["transactionId"] for one in everything}) == len(everything) == 2 + lives.PURCHASES
    assert {one["transactionId"] for one in everything} == {life.club, life.jungle, *life.credits}
    backwards, _ = history(client, life.jungle, TransactionHistoryRequest(sort=Order.DESCENDING))
    assert [one["transactionId"] for one in backwards] == [one["transactionId"] for one in everything[::-1]]
    assert history(client, life.club, revision=revision)[0] == []
    life.shop.till("transactions", "refund", life.credits[6])
    [changed], later = history(client, life.club, revision=revision)
    assert changed["transactionId"] == life.credits[6] and changed["revocationDate"] > 0 and later != revision
    assert history(client, life.club)[0][-1]["transactionId"] == life.credits[6]


def test_each_filter_of_a_history_leaves_out_what_it_says(life):
    client = life.backend.client()

    def found(**filters) -> set[str]:
        return {one["transactionId"] for one in history(client, life.club, TransactionHistoryRequest(**filters))[0]}

    assert found(productTypes=[ProductType.NON_CONSUMABLE, ProductType.AUTO_RENEWABLE]) == {life.club, life.jungle}
    assert found(productIds=[lives.CLUB]) == {life.club}
    group = payload(client.get_transaction_info(life.club).signedTransactionInfo)["subscriptionGroupIdentifier"]
    assert found(subscriptionGroupIdentifiers=[group]) == {life.club}
    assert life.refunded in found(revoked=True) and not found(revoked=True) & {life.club, life.jungle}
    assert life.refunded not in found(revoked=False)
    bought = payload(client.get_transaction_info(life.jungle).signedTransactionInfo)["purchaseDate"]
    assert found(endDate=bought) == {life.club}
    assert life.club not in found(startDate=bought) and life.jungle in found(startDate=bought)
    # The first version leaves out consumables that are finished.
    old = {one["transactionId"] for one in history(client, life.club, None, GetTransactionHistoryVersion.V1)[0]}
    assert not old & set(life.credits[:2]) and {life.club, *life.credits[7:]} <= old


def test_what_a_server_sets_is_what_it_reads(life):
    client = life.backend.client()
    name, call = "set_app_account_token", CALLS["set_app_account_token"]
    getattr(client, name)(*call.arguments(life))
    said = payload(client.get_transaction_info(life.jungle).signedTransactionInfo)
    assert said["appAccountToken"] == TOKEN
    device = [payload(one) for one in life.device.ask("GET", "/transactions")["signedTransactions"]]
    assert TOKEN in {one.get("appAccountToken") for one in device if one["transactionId"] == life.jungle}
    client.finish_transaction(life.credits[8])
    shown = json.loads(life.shop.till("transactions", "show", life.credits[8], "--json").stdout)
    assert shown["transaction"]["finishedDate"] > 0
    another = lives.another_subscription(life)
    before = payload(client.get_transaction_info(another).signedTransactionInfo)["expiresDate"]
    call = CALLS["extend_subscription_renewal_date"]
    extended = client.extend_subscription_renewal_date(another, call.arguments(life)[1])
    said = payload(client.get_transaction_info(another).signedTransactionInfo)
    assert extended.effectiveDate == said["expiresDate"] == before + 7 * DAY


def test_a_mass_extension_comes_to_its_end(life):
    client = life.backend.client()
    call = CALLS["extend_renewal_date_for_all_active_subscribers"]
    asked = client.extend_renewal_date_for_all_active_subscribers(*call.arguments(life)).requestIdentifier

    def status():
        return client.get_status_of_subscription_renewal_date_extensions(asked, lives.CLUB)

    wait_until(lambda: status().complete)
    # Nobody has a subscription in Japan.
    assert (status().succeededCount, status().failedCount) == (0, 0) and status().completeDate > 0
    told = life.receiver.wait_for_named("RENEWAL_EXTENSION/SUMMARY")
    assert told.payload["summary"]["productId"] == lives.CLUB
    assert told.payload["summary"]["storefrontCountryCodes"] == ["JPN"]


def test_everything_that_was_signed_is_verified_with_online_checks(life):
    client, verifier = life.backend.client(), life.backend.verifier(online=True)
    info = client.get_transaction_info(life.club).signedTransactionInfo
    assert verifier.verify_and_decode_signed_transaction(info).transactionId == life.club
    [item] = client.get_all_subscription_statuses(life.club).data[0].lastTransactions
    assert verifier.verify_and_decode_renewal_info(item.signedRenewalInfo).originalTransactionId == life.club
    app = client.get_app_transaction_info(life.club).signedAppTransactionInfo
    assert verifier.verify_and_decode_app_transaction(app).appTransactionId == life.app_transaction
    pages = client.get_notification_history(None, NotificationHistoryRequest(startDate=now() - DAY, endDate=now()))
    for one in pages.notificationHistory:
        assert verifier.verify_and_decode_notification(one.signedPayload).version == "2.0"
    life.backend.settle()
    for one in life.receiver.received:
        assert verifier.verify_and_decode_notification(one.signed).notificationUUID == one.uuid


def test_production_answers_for_itself_alone(life, production, shop):
    receiver = Receiver()
    production.receive(receiver.url)
    shop.till("customers", "add", "carl@example.com", "--payment-method", "test_approved")
    shop.till("buy", lives.JUNGLE, "--app", Shop.BUNDLE, "--customer", "carl@example.com", "--environment", "production")
    told = receiver.wait_for_named("ONE_TIME_CHARGE")
    receiver.close()
    client, verifier = production.client(), production.verifier(online=True)
    number = told.transaction["transactionId"]
    page = client.get_transaction_history(number, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)
    assert (page.environment, page.appAppleId) == (Environment.PRODUCTION, production.app)
    [said] = [verifier.verify_and_decode_signed_transaction(one) for one in page.signedTransactions]
    assert said.transactionId == number and said.environment is Environment.PRODUCTION
    notification = verifier.verify_and_decode_notification(told.signed)
    assert notification.data.appAppleId == production.app
    app = verifier.verify_and_decode_app_transaction(client.get_app_transaction_info(number).signedAppTransactionInfo)
    assert app.appAppleId == production.app
    shown = json.loads(shop.till("transactions", "show", number, "--environment", "production", "--json").stdout)
    assert client.look_up_order_id(shown["transaction"]["orderId"]).status is OrderLookupStatus.VALID
    # A server that does not know the environment asks production first, then the sandbox.
    with pytest.raises(APIException) as unknown:
        client.get_transaction_info(life.jungle)
    assert unknown.value.raw_api_error == 4040010
    with pytest.raises(APIException) as unknown:
        life.backend.client().get_transaction_info(number)
    assert unknown.value.raw_api_error == 4040010


@pytest.mark.parametrize("act", ["subscription/cancel", "subscription/revoke", "subscription/changePrice",
                                 "subscription/changeMetadata", "subscription/migrate", "transaction/requestRefund"])
def test_advanced_commerce_is_refused(life, act):
    body = {"requestInfo": {"requestReferenceId": lives.identifier()}}
    answer = life.backend.request("POST", f"/advancedCommerce/v1/{act}/{life.club}", body)
    assert (answer.status_code, answer.json()["errorCode"]) == (403, 4030000), answer.text
    assert answer.headers["Content-Type"] == "application/json"
