"""Servers that others wrote, against a running store: clients of the interface and readers of notifications that are not Apple's."""

import json
import sys
from unittest import mock

import pydantic.v1
import pytest
import requests
from app_store_notifications_v2_validator import InvalidTokenError, parse
from cryptography import x509

from conftest import tool_path
from support import life as lives
from support.backend import Backend
from support.receiver import Receiver
from support.shop import Shop
from support.waiting import PATIENCE, wait_until

# This package was written for the first version of pydantic, which the second one brings along under another name.
with mock.patch.dict(sys.modules, {"pydantic": pydantic.v1}):
    from storekit import jws
    from storekit.app_store_server_api import (
        APIError,
        AuthenticationError,
        ServerAPIClient,
        SignedTokenEncoder,
        history_response,
    )
    from storekit.app_store_server_notifications import ResponseBodyV2

pytestmark = pytest.mark.rows("X3", "P22", "P26")

TILL = tool_path().with_name("till")


@pytest.fixture(scope="module")
def life(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    shop = Shop(TILL, folder / "store", "--log-level", "error")
    receiver = Receiver()
    yield lives.begin(shop, Backend(shop, folder), receiver)
    assert shop.stop() == 0
    receiver.close()


@pytest.fixture
def client(life, monkeypatch):
    """The client of the package, which trusts the root of the store."""
    backend = life.backend
    monkeypatch.setattr(jws, "_APPLE_ROOT_CERT", x509.load_der_x509_certificate(backend.root()))
    token = SignedTokenEncoder(backend.key_id, backend.private_key.decode(), backend.issuer_id, backend.bundle)
    return ServerAPIClient(backend.address, token)


def test_another_client_reads_all_that_it_knows(life, client):
    bought = client.get_transaction_info(life.credits[0]).transaction
    assert (bought.transaction_id, bought.product_id) == (life.credits[0], lives.CREDITS)
    query = history_response.GetTransactionHistoryQueryParameters(sort="DESCENDING", productType=["CONSUMABLE"])
    page = client.get_transaction_history(life.club, query)
    assert len(page.transactions) == 20 and page.has_more and page.app_apple_id is None
    [group] = client.get_all_subscription_statuses(life.club).data
    [item] = group.last_transactions
    assert item.status == 1 and item.original_transaction_id == life.club
    assert item.renewal_info.auto_renew_product_id == lives.CLUB
    [ordered] = client.look_up_order_id(life.order).transactions
    assert ordered.transaction_id == life.credits[0]
    assert client.request_a_test_notification()["testNotificationToken"]


def test_another_client_tells_errors_apart(life, client):
    with pytest.raises(APIError) as unknown:
        client.get_transaction_info("2000000009999999")
    assert (unknown.value.error_code, unknown.value.error_message) == (4040010, "Transaction id not found.")
    client.signed_token_encoder.key_id = "AAAAAAAAAA"
    with pytest.raises(AuthenticationError):
        client.get_transaction_info(life.credits[0])


def test_other_readers_accept_every_notification(life, client, tmp_path):
    client.request_a_test_notification()
    life.receiver.wait_for_named("TEST")
    life.backend.settle()
    root = tmp_path / "root.der"
    root.write_bytes(life.backend.root())
    for body, received in zip(life.receiver.bodies, life.receiver.received, strict=True):
        read = ResponseBodyV2.parse_obj(body).payload
        assert read.notification_uuid == received.uuid and read.version == "2.0"
        parsed = parse(f'{{"signedPayload": "{body["signedPayload"]}"}}', apple_root_cert_path=str(root))
        assert parsed["notificationUUID"] == received.uuid
        if received.transaction:
            assert read.data.transaction_info.transaction_id == received.transaction["transactionId"]
            assert parsed["data"]["signedTransactionInfo"] == received.transaction
    assert {"SUBSCRIBED", "ONE_TIME_CHARGE", "REFUND", "CONSUMPTION_REQUEST", "TEST"} <= {
        one.type for one in life.receiver.received}  # fmt: skip
    # Those of another store are refused: the root is what is trusted.
    other = tmp_path / "other.der"
    life.shop.till("keys", "root", "--environment", "production", "--der", "--output", str(other))
    with pytest.raises(InvalidTokenError):
        parse(f'{{"signedPayload": "{body["signedPayload"]}"}}', apple_root_cert_path=str(other))


def test_servers_of_the_first_version_are_told_in_its_form(life):
    receiver = Receiver()
    secret = json.loads(life.shop.till("apps", "secret", Shop.BUNDLE, "--new", "--json").stdout)["secret"]
    life.backend.receive(receiver.url, version=1)
    life.shop.till("subscriptions", "cancel", life.club)
    life.shop.till("subscriptions", "resume", life.club)
    wait_until(lambda: len(receiver.bodies) == 2)
    receiver.close()
    for body, status in zip(receiver.bodies, ("false", "true")):
        assert (body["notification_type"], body["environment"]) == ("DID_CHANGE_RENEWAL_STATUS", "Sandbox")
        assert (body["bid"], body["password"], body["auto_renew_status"]) == (Shop.BUNDLE, secret, status)
        assert body["auto_renew_product_id"] == lives.CLUB and "signedPayload" not in body
        unified = body["unified_receipt"]
        assert (unified["status"], unified["environment"]) == (0, "Sandbox")
        assert unified["pending_renewal_info"][0]["auto_renew_status"] == ("1" if status == "true" else "0")
        # The receipt in it is as good as one that an app sends.
        asked = {"receipt-data": unified["latest_receipt"], "password": secret}
        answer = requests.post(f"{life.shop.address}/verifyReceipt", json=asked, timeout=PATIENCE).json()
        assert answer["status"] == 0
        assert answer["latest_receipt_info"] == unified["latest_receipt_info"]
