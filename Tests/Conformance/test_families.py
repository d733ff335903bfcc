"""Families with the real program: a child asks, the organiser pays on the page or by a command, and what is shared is taken
back when somebody leaves."""

import json
import uuid

import pytest
import requests

from conftest import tool_path
from support.device import payload
from support.shop import Shop
from support.till import run
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X7", "X13")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    # curl takes the path of a socket with at most 107 bytes.
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store")
    yield shop
    assert shop.stop() == 0


@pytest.fixture
def family(shop):
    """An organiser, and a child on a device."""
    organiser = shop.add_tester()["email"]
    device, child = shop.signed_in(f"{uuid.uuid4()}@example.com")
    shop.till("testers", "pay-with", organiser, "test_approved")
    shop.till("family", "create", organiser)
    added = json.loads(shop.till("family", "add", organiser, child["email"], "--child", "--json").stdout)
    assert [one["role"] for one in added["members"]] == ["organiser", "child"]
    assert added["members"][1]["asksToBuy"]
    return organiser, child["email"], device


def asked(shop, device, product="credits5") -> tuple[dict, dict]:
    """A purchase of a child that waits, and what the operator is told of it."""
    opened = device.open(f"{Shop.BUNDLE}.{product}")
    assert device.confirm(opened)["state"] == "deferred"
    waiting = json.loads(shop.till("approvals", "list", "--json").stdout)["items"][-1]
    assert waiting["purchaseId"] == opened["purchaseId"]
    return opened, waiting


def test_an_approval_by_command_charges_the_organiser_and_delivers_to_the_child(shop, family):
    organiser, child, device = family
    opened, waiting = asked(shop, device)
    assert (waiting["approver"], waiting["customer"]) == (organiser, child)
    assert f"till approvals approve {opened['purchaseId']}" in shop.till("purchases", "list", "--customer", child).stdout
    said = shop.till("approvals", "approve", opened["purchaseId"]).stdout
    assert f"Purchase {opened['purchaseId']} is purchased" in said
    sold = device.ask("GET", f"/purchases/{opened['key']}")
    assert payload(sold["signedTransaction"])["inAppOwnershipType"] == "PURCHASED"
    assert "In order." in shop.till("ledger", "check").stdout
    # Too late for a no.
    assert run(TILL, "approvals", "decline", opened["purchaseId"], "--data", shop.data).returncode == 1
    # A yes that comes to nothing says so.
    assert run(TILL, "testers", "pay-with", organiser, "test_declind", "--data", shop.data).returncode == 65
    shop.till("testers", "pay-with", organiser, "test_declined")
    poor, _ = asked(shop, device)
    failed = run(TILL, "approvals", "approve", poor["purchaseId"], "--data", shop.data)
    assert failed.returncode == 1 and "the purchase is declined" in failed.stderr
    shop.till("testers", "pay-with", organiser, "test_approved")


def test_a_no_reaches_the_device_and_a_child_that_need_not_ask_buys(shop, family):
    _, child, device = family
    opened, _ = asked(shop, device)
    shop.till("approvals", "decline", opened["purchaseId"])
    failed = device.ask("GET", f"/purchases/{opened['key']}")
    assert failed["state"] == "failed" and failed["failure"]["code"] == "approval_refused"
    assert failed["failure"]["storeKitCode"] == 2
    shop.till("family", "ask-to-buy", child, "off")
    shop.till("testers", "pay-with", child, "test_approved")
    assert device.buy(f"{Shop.BUNDLE}.credits5")["state"] == "purchased"


def test_the_page_of_an_approval_wants_an_adult(shop, family):
    organiser, child, device = family
    opened, waiting = asked(shop, device)
    address = f"{shop.address}{waiting['page']}"
    page = requests.get(address, timeout=PATIENCE)
    assert page.status_code == 200 and child in page.text
    assert page.headers["Referrer-Policy"] == "same-origin" and "frame-ancestors 'none'" in page.headers[
        "Content-Security-Policy"
    ]

    def answer(email, password, **headers):
        return requests.post(
            f"{address}/approval", {"email": email, "password": password}, headers=headers, timeout=PATIENCE
        )

    assert answer(organiser, "wrong horse").status_code == 400
    assert answer(child, Shop.PASSWORD).status_code == 400
    assert answer(organiser, Shop.PASSWORD, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert device.ask("GET", f"/purchases/{opened['key']}")["state"] == "deferred"
    assert answer(organiser, Shop.PASSWORD).status_code == 200
    assert device.ask("GET", f"/purchases/{opened['key']}")["state"] == "purchased"
    assert requests.get(address[:-2], timeout=PATIENCE).status_code == 404


def test_a_tester_without_a_family_asks_and_whoever_has_the_page_decides(shop):
    device, _ = shop.signed_in(paymentMethod="test_approved")
    key = str(uuid.uuid4())
    body = {"productId": f"{Shop.BUNDLE}.credits5", "asksToBuy": True}
    opened = device.ask("POST", "/purchases", body, key=key)
    assert device.confirm(opened)["state"] == "deferred"
    # The flag is one of the things that a repeated request has to be the same in.
    assert device.call("POST", "/purchases", {**body, "asksToBuy": False}, key=key).status_code == 409
    page = json.loads(shop.till("approvals", "list", "--json").stdout)["items"][-1]["page"]
    assert requests.post(f"{shop.address}{page}/approval", {}, timeout=PATIENCE).status_code == 200
    assert device.ask("GET", f"/purchases/{key}")["state"] == "purchased"


def test_what_is_shared_comes_by_itself_and_goes_with_the_family(shop, family):
    organiser, child, device = family
    product = f"{Shop.BUNDLE}.jungle"
    shop.till("products", "put", Shop.BUNDLE, product, "--family-shareable")
    order = {"customer": organiser, "bundleId": Shop.BUNDLE, "productId": product}
    bought = shop.ask("POST", "/purchases", order)["transactionId"]

    def owned():
        return [payload(one) for one in device.ask("GET", "/transactions")["signedTransactions"]]

    wait_until(lambda: owned())
    mine = owned()[0]
    assert mine["inAppOwnershipType"] == "FAMILY_SHARED" and mine["price"] == 0
    assert mine["transactionId"] != bought
    listed = shop.till("transactions", "list", "--customer", child).stdout
    assert f"shared from {bought}" in listed
    # Nothing was paid for it, so nothing of it is given back.
    refused = run(TILL, "transactions", "refund", mine["transactionId"], "--data", shop.data)
    assert refused.returncode == 1 and "othing was paid" in refused.stderr
    shop.till("family", "leave", child)
    lost = owned()[0]
    assert lost["revocationType"] == "FAMILY_REVOKE" and "revocationPercentage" not in lost
    assert run(TILL, "family", "show", child, "--data", shop.data).returncode != 0
    assert "In order." in shop.till("ledger", "check").stdout
