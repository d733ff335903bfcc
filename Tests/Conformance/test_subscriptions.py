"""Subscriptions in the real program: bought, renewed, declined, paid after all and ended by commands, as servers see it."""

import json

import pytest
import requests

from conftest import tool_path
from support.device import payload
from support.shop import Shop
from support.till import run
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")
CLUB = f"{Shop.BUNDLE}.club"


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("subscriptions") / "store")
    yield shop
    assert shop.stop() == 0


def command(shop, *words: str) -> dict:
    return json.loads(shop.till("subscriptions", *words, "--json").stdout)


def verify(shop, device) -> dict:
    receipt = device.ask("GET", "/receipt")["receipt"]
    secret = json.loads(shop.till("apps", "secret", Shop.BUNDLE, "--json").stdout).get("secret")
    body = {"receipt-data": receipt, "password": secret}
    return requests.post(f"{shop.address}/verifyReceipt", json=body, timeout=PATIENCE).json()


@pytest.mark.rows("X4", "X7")
def test_a_subscription_goes_through_its_states_by_commands(shop):
    shop.till("apps", "secret", Shop.BUNDLE, "--new")
    device, tester = shop.signed_in()
    first = payload(device.buy(CLUB)["signedTransaction"])
    number = first["transactionId"]
    # A month lasts five minutes.
    assert first["expiresDate"] - first["purchaseDate"] == 5 * 60 * 1000
    [listed] = command(shop, "list", "--customer", tester["email"], "--state", "active")["items"]
    assert (listed["subscriptionId"], listed["productId"], listed["autoRenews"]) == (number, CLUB, True)

    renewed = command(shop, "renew", number)
    assert len(renewed["periods"]) == 2 and renewed["subscription"]["renewals"] == 1
    [old, new] = renewed["periods"]
    assert new["startsAt"] == old["endsAt"] and new["reason"] == "RENEWAL"
    answer = verify(shop, device)
    assert answer["status"] == 0
    assert {one["original_transaction_id"] for one in answer["latest_receipt_info"]} == {number}
    [pending] = answer["pending_renewal_info"]
    assert (pending["original_transaction_id"], pending["auto_renew_status"]) == (number, "1")

    assert command(shop, "cancel", number)["subscription"]["autoRenews"] is False
    assert "does not renew" in shop.till("subscriptions", "show", number).stdout
    assert command(shop, "resume", number)["subscription"]["autoRenews"] is True

    shop.till("subscriptions", "grace", Shop.BUNDLE, "--days", "16")
    failing = command(shop, "fail", number)
    assert failing["paymentMethod"] == "test_declined"
    declined = command(shop, "renew", number)
    assert declined["charge"]["state"] == "declined" and len(declined["periods"]) == 2
    # Its period is over, which the store notices by itself.
    wait_until(lambda: command(shop, "show", number)["subscription"]["state"] == "grace")
    assert command(shop, "list", "--state", "grace")["items"][0]["subscriptionId"] == number
    again = run(TILL, "subscriptions", "resolve", number, "--data", shop.data)
    assert again.returncode == 1 and "could not be paid" in again.stderr
    paid = command(shop, "resolve", number, "--pay-with", "test_approved")
    assert (paid["subscription"]["state"], len(paid["periods"])) == ("active", 3)
    assert len(verify(shop, device)["latest_receipt_info"]) == 3
    overview = json.loads(shop.till("overview", "--json").stdout)["subscriptions"]
    assert (overview["running"], overview["renewals"]) == (1, 2)
    assert overview["monthly"] == [{"amount": {"amount": "1.49", "currency": "USD"}, "count": 1}]

    ended = command(shop, "expire", number)
    assert ended["subscription"]["state"] == "expired" and ended["summary"].endswith("it was cancelled.")
    refused = run(TILL, "subscriptions", "cancel", number, "--data", shop.data)
    assert refused.returncode == 1 and "is over" in refused.stderr


@pytest.mark.rows("X7")
def test_a_higher_price_reaches_subscribers_when_it_is_brought_to_them(shop):
    device, tester = shop.signed_in()
    number = payload(device.buy(CLUB)["signedTransaction"])["transactionId"]
    shop.till("products", "price", Shop.BUNDLE, CLUB, "USA", "1.99")
    assert command(shop, "show", number)["subscription"]["renewal"]["price"]["amount"] == "1.49"
    raised = command(shop, "price", "raise", Shop.BUNDLE, CLUB, "--storefront", "USA", "--consent", "ask")
    assert raised == {"count": 1, "needingConsent": 1, "askedAlready": 0}
    assert command(shop, "price", "raise", Shop.BUNDLE, CLUB, "--storefront", "USA")["count"] == 0
    assert "unless the customer agrees to" in command(shop, "show", number)["summary"]
    agreed = command(shop, "price", "agree", number)["subscription"]
    assert agreed["priceIncrease"]["isAgreed"] and agreed["renewal"]["price"]["amount"] == "1.99"
    assert command(shop, "renew", number)["periods"][-1]["price"]["amount"] == "1.99"
    # Nobody is asked twice in a period.
    for price, outcome in [("4.99", (1, 1, 0)), ("5.99", (0, 0, 1))]:
        shop.till("products", "price", Shop.BUNDLE, CLUB, "USA", price)
        raised = command(shop, "price", "raise", Shop.BUNDLE, CLUB, "--storefront", "USA", "--consent", "ask")
        assert (raised["count"], raised["needingConsent"], raised["askedAlready"]) == outcome


@pytest.mark.rows("X4")
def test_a_device_answers_to_a_higher_price_for_its_own_customer_only(shop):
    device, tester = shop.signed_in()
    number = payload(device.buy(CLUB)["signedTransaction"])["transactionId"]
    assert device.ask("GET", "/price-consents")["consents"] == []
    shop.till("products", "price", Shop.BUNDLE, CLUB, "USA", "7.99")
    command(shop, "price", "raise", Shop.BUNDLE, CLUB, "--storefront", "USA", "--consent", "ask")
    [consent] = device.ask("GET", "/price-consents")["consents"]
    assert (consent["subscriptionId"], consent["productId"]) == (number, CLUB)
    assert consent["higherPrice"]["amount"] == "7.99" and consent["price"]["amount"] != "7.99"
    stranger, _ = shop.signed_in()
    assert stranger.ask("GET", "/price-consents")["consents"] == []
    answer = {"agrees": True, "askedAt": consent["askedAt"]}
    refused = stranger.call("POST", f"/price-consents/{number}", answer)
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "subscription_unknown")
    older = device.call("POST", f"/price-consents/{number}", {"agrees": True, "askedAt": consent["askedAt"] - 1})
    assert (older.status_code, older.json()["error"]["parameter"]) == (409, "askedAt")
    # Another device may have asked at the same time: the first answer counts.
    for agrees in (True, True, False):
        device.ask("POST", f"/price-consents/{number}", {**answer, "agrees": agrees})
        shown = command(shop, "show", number)["subscription"]
        assert shown["priceIncrease"]["isAgreed"] and shown["autoRenews"]
    assert device.ask("GET", "/price-consents")["consents"] == []


@pytest.mark.rows("X7")
def test_the_rate_of_a_tester_sets_how_long_a_month_lasts(shop):
    device, tester = shop.signed_in()
    changed = shop.till("testers", "change", tester["email"], "--renewal-rate", "one-hour", "--json").stdout
    assert json.loads(changed)["renewalRate"] == "MONTHLY_RENEWAL_EVERY_ONE_HOUR"
    bought = payload(device.buy(CLUB)["signedTransaction"])
    assert bought["expiresDate"] - bought["purchaseDate"] == 60 * 60 * 1000
    wrong = shop.control("PATCH", f"/customers/{tester['customerId']}", {"renewalRate": "NEVER"})
    assert (wrong.status_code, wrong.json()["error"]["parameter"]) == (400, "renewalRate"), wrong.text
    shop.till("subscriptions", "expire", bought["transactionId"])
