"""The whole loop of a sale with foreign clients: requests for HTTP, PyJWT and Apple's library for what is signed."""

import base64
import json
import re
import uuid

import pytest
import requests

from conftest import tool_path
from support.device import payload
from support.shop import Shop
from support.till import run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")
BUNDLE = Shop.BUNDLE
CREDITS = f"{BUNDLE}.credits5"


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("first") / "store", "--production-processor", "test")
    yield shop
    assert shop.stop() == 0


def kinds(shop) -> dict[str, str]:
    listed = json.loads(shop.till("products", "list", "--json").stdout)
    [products] = [app["products"] for app in listed["items"] if app["bundleId"] == BUNDLE]
    return {one["type"]: one["productId"] for one in products}


def verify(shop, receipt: str, environment: str = "sandbox") -> dict:
    address = f"http://127.0.0.1:{getattr(shop, environment)}/verifyReceipt"
    return requests.post(address, json={"receipt-data": receipt}, timeout=PATIENCE).json()


@pytest.mark.rows("R2.2", "R2.4", "R2.9", "R4.1", "R4.2", "X13")
def test_a_consumable_is_bought_delivered_finished_and_verified(shop):
    device, tester = shop.signed_in()
    opened = device.open(CREDITS, quantity=4)
    assert opened["state"] == "confirmation"
    assert opened["total"] == {"amount": "3.96", "currency": "USD", "display": "$3.96"}
    bought = device.confirm(opened)
    assert bought["state"] == "purchased"
    said = payload(bought["signedTransaction"])
    assert (said["productId"], said["quantity"], said["price"]) == (CREDITS, 4, 3960)
    assert said["environment"] == "Sandbox" and said["transactionReason"] == "PURCHASE"
    events = device.events()["events"]
    assert [event["kind"] for event in events][-1] == "transaction"
    assert payload(events[-1]["signedTransaction"])["transactionId"] == said["transactionId"]
    receipt = device.ask("GET", "/receipt")["receipt"]
    answer = verify(shop, receipt)
    assert answer["status"] == 0
    [listed] = answer["receipt"]["in_app"]
    assert (listed["transaction_id"], listed["quantity"]) == (said["transactionId"], "4")
    assert verify(shop, receipt, "production") == {"status": 21007}
    old = device.ask("GET", f"/transactions/{said['transactionId']}/receipt")["receipt"]
    assert verify(shop, old)["receipt"]["transaction_id"] == said["transactionId"]
    assert device.ask("GET", "/transactions?only=unfinished")["unfinished"] == [said["transactionId"]]
    device.finish(said["transactionId"])
    device.finish(said["transactionId"])
    assert device.ask("GET", "/transactions?only=unfinished")["unfinished"] == []
    # A consumable is in the receipt only until it is finished; the books keep it.
    assert verify(shop, device.ask("GET", "/receipt")["receipt"])["receipt"]["in_app"] == []
    [kept] = shop.ask("GET", f"/transactions?customer={tester['customerId']}")["items"]
    assert kept["transactionId"] == said["transactionId"] and "finishedDate" in kept


@pytest.mark.rows("R2.1")
def test_a_repeated_request_is_the_same_purchase(shop):
    device, _ = shop.signed_in()
    key = str(uuid.uuid4())
    first, second = device.open(CREDITS, key=key), device.open(CREDITS, key=key)
    assert first["purchaseId"] == second["purchaseId"]
    other = device.call("POST", "/purchases", {"productId": CREDITS, "quantity": 2}, key=key)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "key_reused")


@pytest.mark.rows("R2.1", "R2.8")
def test_what_is_owned_is_not_paid_again(shop):
    device, tester = shop.signed_in()
    product = kinds(shop)["Non-Consumable"]
    first = payload(device.buy(product)["signedTransaction"])
    again = device.open(product)
    assert again["state"] == "purchased", "an unfinished one comes again at once"
    assert payload(again["signedTransaction"])["transactionId"] == first["transactionId"]
    device.finish(first["transactionId"])
    free = payload(device.buy(product)["signedTransaction"])
    assert free["transactionId"] != first["transactionId"] == free["originalTransactionId"]
    assert free["price"] == 0
    sales = [
        entry
        for one in shop.ask("GET", f"/transactions?customer={tester['customerId']}")["items"]
        for entry in shop.ask("GET", f"/transactions/{one['transactionId']}")["ledger"]
    ]
    assert len(sales) == 1


@pytest.mark.rows("R3.1", "R3.2", "R3.3", "R3.4")
def test_a_second_device_restores_what_is_owned(shop):
    device, tester = shop.signed_in()
    owned = {kind: payload(device.buy(product)["signedTransaction"]) for kind, product in kinds(shop).items()}
    for one in owned.values():
        device.finish(one["transactionId"])
    other = shop.device()
    other.sign_in(tester["email"], shop.PASSWORD)
    for _ in range(2):
        restored = other.ask("POST", "/restorations")["restored"]
        originals = {payload(one["originalSignedTransaction"])["transactionId"] for one in restored}
        assert originals == {owned[kind]["transactionId"] for kind in ("Non-Consumable", "Auto-Renewable Subscription")}
        for one in restored:
            new, original = payload(one["signedTransaction"]), payload(one["originalSignedTransaction"])
            assert new["transactionId"] != original["transactionId"] == new["originalTransactionId"]
    entitled = other.ask("GET", "/entitlements")["signedTransactions"]
    assert {payload(one)["productId"] for one in entitled} == {
        one["productId"] for kind, one in owned.items() if kind != "Consumable"
    }


@pytest.mark.rows("R2.7")
def test_restrictions_fail_purchases_and_not_products(shop):
    device, tester = shop.signed_in()
    device.ask("PATCH", "/device", {"purchasesAllowed": False})
    assert device.ask("POST", "/products", {"productIds": [CREDITS]})["products"]
    failed = device.open(CREDITS)
    assert (failed["state"], failed["failure"]["storeKitCode"]) == ("failed", 4)
    device.ask("PATCH", "/device", {"purchasesAllowed": True})
    shop.ask("PATCH", f"/customers/{tester['email']}", {"purchasesAllowed": False})
    assert device.open(CREDITS)["failure"]["code"] == "not_allowed"


@pytest.mark.rows("R2.3", "R2.5", "R1.6")
def test_signing_in_moves_a_purchase_to_the_storefront_of_the_account(shop):
    tester = shop.add_tester(storefront="JPN")
    device = shop.device()
    opened = device.open(CREDITS)
    assert opened["state"] == "sign-in" and opened["unitPrice"]["currency"] == "USD"
    device.sign_in(tester["email"], shop.PASSWORD)
    now = device.ask("GET", f"/purchases/{opened['key']}")
    assert now["state"] == "confirmation" and now["unitPrice"]["currency"] == "JPY"
    assert now["confirmation"]["code"] != opened["confirmation"]["code"]
    # Nothing that was shown beside the former price says yes to this one.
    path = f"/purchases/{opened['key']}/confirmation"
    assert device.call("POST", path, {"token": opened["confirmation"]["token"]}).status_code == 401
    former = {"password": shop.PASSWORD, "code": opened["confirmation"]["code"]}
    assert device.call("POST", path, former).status_code == 401
    assert device.call("POST", path, {"password": shop.PASSWORD}).json()["error"]["parameter"] == "code"
    cancelled = device.ask("POST", f"/purchases/{opened['key']}/cancellation")
    assert (cancelled["state"], cancelled["failure"]["storeKitCode"]) == ("cancelled", 2)


@pytest.mark.rows("R1.6", "R8.2")
def test_an_approval_that_would_change_the_price_asks_again(shop):
    tester = shop.add_tester(storefront="JPN")
    device = shop.device()
    opened = device.open(CREDITS)
    words = ["approve", opened["confirmation"]["code"], "--customer", tester["email"], "--data", shop.data]
    asked = run(TILL, *words)
    assert asked.returncode == 1 and "costs 160 JPY" in asked.stderr and "nothing was sold" in asked.stderr
    now = device.ask("GET", f"/purchases/{opened['key']}")
    assert now["state"] == "confirmation" and now["confirmation"]["code"] in asked.stderr
    assert run(TILL, *words).returncode != 0
    shop.till("approve", now["confirmation"]["code"])
    assert device.ask("GET", f"/purchases/{opened['key']}")["state"] == "purchased"


@pytest.mark.rows("R2.5")
def test_forgetting_the_password_ends_the_purchase_with_5020(shop):
    tester = shop.add_tester()
    device = shop.device()
    opened = device.open(CREDITS)
    assert device.call("POST", "/password-recovery", {"email": tester["email"]}).status_code == 202
    failed = device.ask("GET", f"/purchases/{opened['key']}")
    assert failed["failure"]["storeKitCode"] == 5020
    way = shop.ask("POST", f"/customers/{tester['email']}/recovery")
    shop.ask("POST", "/password-recoveries", {"token": way["token"], "password": "another password"})
    again = shop.control("POST", "/password-recoveries", {"token": way["token"], "password": "a third password"})
    assert again.status_code == 401
    assert device.call("POST", "/sign-in", {"email": tester["email"], "password": shop.PASSWORD}).status_code == 401
    assert device.sign_in(tester["email"], "another password")["isSignedIn"]


@pytest.mark.rows("R8.5")
def test_a_simulator_shows_prices_and_sells_nothing(shop):
    device = shop.device(isSimulator=True)
    tester = shop.add_tester()
    device.sign_in(tester["email"], shop.PASSWORD)
    assert device.ask("POST", "/products", {"productIds": [CREDITS]})["products"]
    for refused in (
        device.call("POST", "/purchases", {"productId": CREDITS}, key=str(uuid.uuid4())),
        device.call("POST", "/restorations"),
    ):
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "simulator")


@pytest.mark.rows("X12")
@pytest.mark.parametrize(
    "method, state, code",
    [
        ("test_declined", "declined", "declined"),
        ("test_insufficient_funds", "declined", "declined"),
        ("test_capture_fails", "failed", "processor"),
        ("test_lost", "purchased", None),
    ],
)
def test_payments_go_as_the_card_says(shop, method, state, code):
    device, tester = shop.signed_in(paymentMethod=method)
    ended = settle(device, device.confirm(device.open(CREDITS)))
    assert ended["state"] == state
    assert (ended.get("failure") or {}).get("code") == code
    purchase = shop.ask("GET", f"/purchases/{ended['purchaseId']}")
    assert [entry["event"] for entry in purchase["history"]][:2] == ["opened", "confirmed"]


def settle(device, purchase: dict) -> dict:
    """Waits until a purchase stands otherwise than processing; the store asks the processor again when it is asked."""
    for _ in range(60):
        if purchase["state"] != "processing":
            return purchase
        purchase = device.ask("GET", f"/purchases/{purchase['key']}?wait=1&state=processing")
    return purchase


@pytest.mark.rows("R8.2")
def test_production_sells_only_where_the_operator_approves(shop):
    from support.device import Device

    profile = shop.till("provision", BUNDLE, "--production").stdout.strip()
    device = Device(f"http://127.0.0.1:{shop.production}", profile, BUNDLE, "production")
    device.register()
    email = f"{uuid.uuid4()}@example.com"
    shop.till("customers", "add", email, "--password", "correct horse", "--payment-method", "test_approved")
    assert device.call("POST", "/sign-in", {"email": email, "password": "correct horse"}).status_code == 403
    opened = device.open(CREDITS)
    assert opened["state"] == "sign-in"
    listed = shop.till("purchases", "list", "--environment", "production").stdout
    assert " waits for a sign-in " in listed
    # The line is typed as it was printed.
    command = re.search(r" till (approve .*)", listed)[1].split()
    refused = device.call(
        "POST", f"/purchases/{opened['key']}/confirmation", {"token": opened["confirmation"]["token"]}
    )
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "sandbox_only")
    assert command[1] == opened["confirmation"]["code"]
    approved = json.loads(shop.till(*command, "--customer", email, "--json").stdout)
    assert approved["state"] == "purchased"
    forgotten = run(TILL, "transactions", "why", *command[1:], "--data", shop.data)
    assert forgotten.returncode == 66 and "the code is forgotten" in forgotten.stderr
    request = shop.till("transactions", "why", "last", "--environment", "production", "--json").stdout
    request = json.loads(request)["history"][0]["requestId"]
    example = re.search("till transactions why ([0-9a-f]+)", shop.till("transactions", "--help").stdout)[1]
    assert re.fullmatch("[0-9a-f]{32}", request) and len(example) == len(request)
    assert shop.till("transactions", "why", request, "--environment", "production").stdout
    bought = device.ask("GET", f"/purchases/{opened['key']}")
    said = payload(bought["signedTransaction"])
    assert said["environment"] == "Production"
    receipt = device.ask("GET", "/receipt")["receipt"]
    assert verify(shop, receipt, "production")["status"] == 0
    assert verify(shop, receipt) == {"status": 21008}


@pytest.mark.rows("R8.1")
def test_what_a_tester_was_made_with_never_changes(shop):
    email = shop.add_tester()["email"]
    words = ["testers", "change", email, "--data", shop.data]
    variable = {"TILL_PASSWORD": "that of somebody else"}
    assert run(TILL, *words, "--purchases", "allowed", environment=variable).returncode == 0
    assert run(TILL, *words, "--password", "quite another").returncode == 64
    refused = shop.control("PATCH", f"/customers/{email}", {"password": "quite another"})
    assert (refused.status_code, refused.json()["error"]["parameter"]) == (400, "password")
    shop.device().sign_in(email, Shop.PASSWORD)
    help = shop.till("customers", "change", "--help").stdout
    assert "--password" in help and "TILL_PASSWORD" not in help and "asked for" not in help


@pytest.mark.rows("R8.1")
def test_a_tester_who_signs_in_to_the_real_store_is_a_customer_there_and_spent(shop):
    from support.device import Device

    email = f"{uuid.uuid4()}@example.com"
    birth = ("--birth-date", "1955-12-10", "--secret-question", "Who?", "--secret-answer", "A programmer")
    shop.till("testers", "add", email, "--password", Shop.PASSWORD, "--storefront", "JPN", *birth)
    tester = shop.device()
    tester.sign_in(email, Shop.PASSWORD)
    profile = shop.till("provision", BUNDLE, "--production").stdout.strip()
    device = Device(f"http://127.0.0.1:{shop.production}", profile, BUNDLE, "production")
    device.register()
    credentials = {"email": email, "password": Shop.PASSWORD}
    assert device.call("POST", "/sign-in", {**credentials, "password": "wrong"}).status_code == 403
    assert tester.ask("GET", "/device")["isSignedIn"]
    for _ in range(2):
        answer = device.call("POST", "/sign-in", credentials)
        assert answer.status_code == 403 and "customer" in answer.json()["error"]["message"]
    customer = json.loads(shop.till("customers", "show", email, "--json").stdout)
    spent = json.loads(shop.till("testers", "show", email, "--json").stdout)
    assert customer["testerId"] == spent["customerId"] and "spentAt" in spent
    assert (customer["storefront"], customer["birthDate"]) == ("JPN", "1955-12-10")
    assert not tester.ask("GET", "/device")["isSignedIn"]
    refused = tester.call("POST", "/sign-in", credentials)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "tester_spent")
    assert run(TILL, "testers", "add", email, "--password", "another one", "--data", shop.data).returncode == 1


def test_who_pays_with_something_else_is_told_with_what(shop):
    email = shop.add_tester()["email"]
    said = shop.till("testers", "pay-with", email, "test_declined").stdout.splitlines()
    assert said[0] == "Pays with test_declined (test) from now on."
    assert said[2:] == ["  had test_approved (test) before", "  pays with test_declined (test)"]
    listed = json.loads(shop.till("testers", "pay-with", email, "test_lost_card", "--json").stdout)
    assert [one["token"] for one in listed["paymentMethods"]] == ["test_approved", "test_declined", "test_lost_card"]
    assert shop.till("testers", "show", email).stdout.splitlines()[-1] == "  pays with test_lost_card (test)"


def test_an_interrupted_purchase_goes_on_when_it_is_settled(shop):
    device, tester = shop.signed_in()
    shop.ask("PATCH", f"/customers/{tester['email']}", {"interruptsPurchases": True})
    opened = device.confirm(device.open(CREDITS))
    assert opened["state"] == "interrupted"
    assert " interrupted " in shop.till("purchases", "list").stdout
    shop.till("purchases", "settle", opened["purchaseId"])
    assert device.ask("GET", f"/purchases/{opened['key']}")["state"] == "purchased"


def test_the_newest_is_named_last(shop):
    """Of transactions the newest transaction; of purchases the newest purchase, whatever came of it."""
    device, tester = shop.signed_in()
    said = payload(device.buy(CREDITS)["signedTransaction"])
    shown = json.loads(shop.till("transactions", "show", "last", "--json").stdout)
    assert shown["transaction"]["transactionId"] == said["transactionId"]
    assert shop.till("transactions", "receipt", "last").stdout.strip()
    for word in ("redeliver", "finish", "refund"):
        changed = json.loads(shop.till("transactions", word, "last", "--json").stdout)
        assert changed["transaction"]["transactionId"] == said["transactionId"]
    why = json.loads(shop.till("transactions", "why", "last", "--json").stdout)
    assert (why["purchaseId"], why["state"]) == (shown["purchase"]["purchaseId"], "purchased")
    opened = device.open(CREDITS)
    assert f"Purchase {opened['purchaseId']} is not confirmed" in shop.till("transactions", "why", "last").stdout
    assert f"Purchase {opened['purchaseId']} is cancelled" in shop.till("purchases", "cancel", "last").stdout
    assert f"Purchase {opened['purchaseId']} is cancelled" in shop.till("transactions", "why", "last").stdout
    shop.ask("PATCH", f"/customers/{tester['email']}", {"interruptsPurchases": True})
    interrupted = device.confirm(device.open(CREDITS))
    assert f"Purchase {interrupted['purchaseId']} is purchased" in shop.till("purchases", "settle", "last").stdout
    newest = json.loads(shop.till("transactions", "show", "last", "--json").stdout)
    assert newest["purchase"]["purchaseId"] == interrupted["purchaseId"]
    assert shop.ask("GET", "/purchases/last")["purchaseId"] == interrupted["purchaseId"]
    shop.till("transactions", "revoke", "last")
    nothing = shop.control("GET", "/purchases/last-but-one")
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (404, "purchase_unknown")


def test_nothing_is_last_in_an_empty_store(tmp_path):
    empty = Shop(TILL, tmp_path / "store")
    try:
        for words in (("transactions", "why", "last"), ("purchases", "cancel", "last"), ("transactions", "show", "last")):
            done = run(TILL, *words, "--data", empty.data)
            assert done.returncode == 66 and "There is no" in done.stderr, done
    finally:
        assert empty.stop() == 0


def test_a_refund_is_told_to_the_device_and_to_verify_receipt(shop):
    device, tester = shop.signed_in()
    product = kinds(shop)["Non-Consumable"]
    said = payload(device.buy(product)["signedTransaction"])
    receipt = device.ask("GET", "/receipt")["receipt"]
    cursor = device.events()["cursor"]
    shop.till("transactions", "refund", said["transactionId"], "--reason", "issue")
    [event] = device.events(cursor)["events"]
    taken = payload(event["signedTransaction"])
    assert event["kind"] == "revocation" and taken["revocationReason"] == 1
    [listed] = verify(shop, receipt)["receipt"]["in_app"]
    assert listed["cancellation_reason"] == "1" and listed["cancellation_date_ms"]
    assert device.ask("GET", "/entitlements")["signedTransactions"] == []
    again = shop.ask("POST", f"/transactions/{said['transactionId']}/refund", {})
    assert again["state"] == "refunded" and again["refundId"] >= 1
    bought = device.buy(product)
    assert payload(bought["signedTransaction"])["price"] > 0, "what was taken back is paid again"


def test_the_roots_of_the_profile_verify_what_the_store_signs(shop):
    import jwt
    from cryptography import x509

    device, _ = shop.signed_in()
    signed = device.buy(CREDITS)["signedTransaction"]
    chain = [x509.load_der_x509_certificate(base64.b64decode(one)) for one in jwt.get_unverified_header(signed)["x5c"]]
    assert len(chain) == 3
    jwt.decode(signed, chain[0].public_key(), algorithms=["ES256"])
    root = shop.till("keys", "root", "--environment", "sandbox").stdout
    assert x509.load_pem_x509_certificate(root.encode()) == chain[2]
