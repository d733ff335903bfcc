"""Promotional offers of a running store: what Apple's library signs is sold, and codes are redeemed."""

import json
import re
import time
import uuid

import pytest
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator

from conftest import tool_path
from support.device import payload
from support.keys import KEY_ID, DeveloperKey
from support.shop import Shop

pytestmark = pytest.mark.rows("X7", "P25", "P40")

TILL = tool_path().with_name("till")
CLUB = f"{Shop.BUNDLE}.club"
ACCOUNT = "7D3F2C1A-0B4E-4F6A-9C8D-1E2F3A4B5C6D"
PRODUCT = {
    "productID": CLUB, "displayPrice": "9.99", "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1M",
    "localizations": [{"locale": "en_US", "displayName": "Club", "description": "A club."}],
}
GROUP = {
    "version": {"major": 2, "minor": 0},
    "subscriptionGroups": [{"id": "G1", "name": "Club", "localizations": [], "subscriptions": [PRODUCT]}],
}


@pytest.fixture(scope="module")
def key() -> DeveloperKey:
    return DeveloperKey()


@pytest.fixture(scope="module")
def shop(tmp_path_factory, key):
    folder = tmp_path_factory.mktemp("offers")
    shop = Shop(TILL, folder / "store")
    shop.ask("PUT", f"/apps/{Shop.BUNDLE}/import", GROUP)
    offers = f"/apps/{Shop.BUNDLE}/products/{CLUB}/offers"
    shop.ask("PUT", f"{offers}/trial", {"kind": "introductory", "paymentMode": "free", "period": "P1W"})
    cheap = {"paymentMode": "pay_up_front", "period": "P3M", "price": {"amount": "1.00", "currency": "USD"}}
    shop.ask("PUT", f"{offers}/spring", {"kind": "promotional", **cheap})
    shop.ask("PUT", f"{offers}/gift", {"kind": "code", **cheap})
    (folder / "key.pem").write_bytes(key.public_pem)
    shop.till("offer-keys", "add", Shop.BUNDLE, str(folder / "key.pem"), "--key-id", KEY_ID)
    yield shop
    assert shop.stop() == 0


def discount(key: DeveloperKey, offer: str = "spring") -> dict:
    nonce, now = uuid.uuid4(), int(time.time() * 1000)
    creator = PromotionalOfferSignatureCreator(key.private_pem, KEY_ID, Shop.BUNDLE)
    signature = creator.create_signature(CLUB, offer, ACCOUNT, nonce, now)
    return {"offerId": offer, "keyId": KEY_ID, "nonce": str(nonce), "signature": signature, "timestamp": now}


def ask(device, **body):
    body = {"productId": CLUB, "appAccountToken": ACCOUNT, **body}
    return device.call("POST", "/purchases", body, key=str(uuid.uuid4()))


def test_what_apples_library_signs_is_sold_to_a_subscriber_only(shop, key):
    device, _ = shop.signed_in()
    early = ask(device, discount=discount(key))
    assert (early.status_code, early.json()["error"]["code"]) == (403, "ineligible_for_offer")
    assert early.json()["error"]["storeKitCode"] == 18
    trial = payload(device.buy(CLUB)["signedTransaction"])
    assert (trial["offerType"], trial["offerDiscountType"], trial["price"]) == (1, "FREE_TRIAL", 0)
    signed = discount(key)
    opened = ask(device, discount=signed)
    assert opened.status_code == 201, opened.text
    assert device.confirm(opened.json())["state"] == "purchased"
    again = ask(device, discount=signed)
    assert (again.json()["error"]["code"], again.json()["error"]["storeKitCode"]) == ("invalid_offer_signature", 12)


@pytest.mark.parametrize("change, code", [
    ({"offerId": "none"}, 11), ({"signature": "AAAA"}, 12), ({"nonce": str(uuid.uuid4())}, 12), ({"keyId": ""}, 13),
])
def test_what_is_wrong_has_its_own_error(shop, key, change, code):
    device, _ = shop.signed_in()
    answer = ask(device, discount={**discount(key), **change})
    assert answer.json()["error"]["storeKitCode"] == code, answer.text


def test_the_command_signs_as_the_library_does(shop, key, tmp_path):
    (tmp_path / "key.pem").write_bytes(key.private_pem)
    words = ["sign", Shop.BUNDLE, CLUB, "spring", "--key-id", KEY_ID, "--key", str(tmp_path / "key.pem")]
    from support.till import run

    done = run(TILL, "offers", *words, "--account", ACCOUNT)
    assert done.returncode == 0, done.stderr
    device, _ = shop.signed_in()
    device.buy(CLUB)
    assert ask(device, discount=json.loads(done.stdout)).status_code == 201


def test_a_code_is_made_redeemed_on_a_device_and_spent(shop):
    made = json.loads(shop.till("codes", "create", Shop.BUNDLE, CLUB, "gift", "--custom", "SPRING", "--json").stdout)
    device, _ = shop.signed_in()
    found = device.ask("POST", "/redemptions", {"code": "spring"})
    opened = ask(device, productId=found["productId"], offerCode=found["offerCode"]).json()
    assert opened["total"]["amount"] == "1.00" and "cancel" in opened["terms"].lower()
    bought = payload(device.confirm(opened)["signedTransaction"])
    assert (bought["offerType"], bought["offerIdentifier"]) == (3, "gift")
    listed = json.loads(shop.till("codes", "list", Shop.BUNDLE, "--json").stdout)["items"]
    assert [batch["used"] for batch in listed if batch["batchId"] == made["batchId"]] == [1]
    other, tester = shop.signed_in()
    assert other.call("POST", "/redemptions", {"code": "SPRING"}).json()["error"]["code"] == "code_spent"
    eligible = shop.till("offers", "eligibility", Shop.BUNDLE, "--customer", tester["email"]).stdout
    assert re.search(r" trial .* yes ", eligible) and "never had a subscription" in eligible
