"""Every route of both listeners, called by whoever must not: the wrong customer, app, device and environment.

The routes are those that the store describes. A route without a row here, and a row without a route, fail."""

import json
from types import SimpleNamespace

import pytest
import requests

from conftest import tool_path
from support.device import Device, payload
from support.scope import (
    CATALOGUE, Possession, Row, changes, of_customer, of_device, purchase, rows, told, transaction,
)
from support.server_key import production_token
from support.shop import Shop
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")
CREDITS = f"{Shop.BUNDLE}.credits5"
OTHER_BUNDLE = "com.example.otherapp"
OTHER_PRODUCT = {"productID": f"{OTHER_BUNDLE}.coins", "type": "Consumable", "displayPrice": "0.99"}
OTHER_FILE = {"version": {"major": 2, "minor": 0}, "products": [OTHER_PRODUCT]}


DEVICE = {
    "showDevice": of_device(200),
    "setDevice": of_device(200, body={"language": "en-GB"}),
    "showStorefront": of_device(200),
    "setStorefront": of_device(200, body={"countryCode": "USA"}),
    "listProducts": of_device(200, body={"productIds": [CREDITS]}),
    "showPurchase": purchase(200, path="/device/v1/purchases/{bought_key}"),
    "listEvents": Row(200, nobody=401, stranger=410, query="?after={start}"),
    "listTransactions": of_customer(200),
    "listEntitlements": of_customer(200),
    "showReceipt": of_device(200),
    "showTransactionReceipt": transaction(200),
    # Of what the victim bought nothing has content; what there is of others is left out.
    "listContents": of_customer(200, body={"transactionIds": ["{transactionId}"]}),
    "listReceipts": of_customer(200, body={"transactionIds": ["{transactionId}"]}),
    "linkContent": transaction(404, body={}),
    # There is no such code, for anybody.
    "lookUpCode": of_device(404, body={"code": "NOSUCHCODE"}),
    "finishTransaction": transaction(204),
    "listPriceConsents": of_customer(200),
    "readSubscriptions": of_customer(200),
    "showAppTransaction": of_device(200),
    "askForRefund": transaction(204, body={"reason": "OTHER"}),
    # The victim has no subscription; whose it must be is tried with those.
    "answerPriceConsent": Row(
        404, nobody=401, stranger=404, other_app=404, other_device=404,
        path="/device/v1/price-consents/{transactionId}", body={"agrees": True, "askedAt": 0},
    ),
    "openVisit": of_device(404, body={"itemId": "1"}),
    "showVisit": Row(404, stranger=404, other_app=404, other_device=404, path="/device/v1/visits/1"),
    "closeVisit": Row(404, stranger=404, other_app=404, other_device=404, path="/device/v1/visits/1/closing"),
    "restore": of_customer(201),
    "confirmPurchase": purchase(200, body={"token": "{token}"}),
    "cancelPurchase": purchase(409),
    # This may give its key to a purchase of whoever asks.
    "openPurchase": Row(
        200, nobody=409, stranger=201, successor=409, other_app=404, other_device=201, body={"productId": CREDITS},
        headers={"Idempotency-Key": "{key}"},
    ),
    # These change who is signed in, so they are the last.
    "recoverPassword": of_device(202, body={"email": "nobody@example.com"}),
    "signIn": Row(401, stranger=401, other_app=401, other_device=401, body={"email": "{email}", "password": "wrong"}),
    "signOut": of_device(200),
}

# What everybody may ask, and what comes of the empty request of a stranger.
PUBLIC = {
    "registerDevice": 415, "health": 200, "readiness": 200, "metrics": 200, "describe": 200, "verifyReceipt": 200,
    "search": 200, "lookup": 200,
    # The token of its path is what is shown, and this one the store has not written.
    "readContent": 404,
}
# What answers there and is not described: every method but POST, which is told that it has to be POST.
UNDESCRIBED = {"/verifyReceipt": 200}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("scope") / "store", "--production-processor", "test")
    yield shop
    assert shop.stop() == 0


def operations(shop, environment="sandbox") -> dict[str, SimpleNamespace]:
    document = requests.get(f"http://127.0.0.1:{getattr(shop, environment)}/openapi.json", timeout=PATIENCE).json()
    found = {
        operation["operationId"]: SimpleNamespace(
            id=operation["operationId"], method=method.upper(), path=path,
            token=[name for entry in operation.get("security", []) for name in entry],
            parameters=operation.get("parameters", []), takes_body="requestBody" in operation,
        )
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    # Two of one name would hide each other, and one of them would never be asked.
    assert len(found) == sum(len(methods) for methods in document["paths"].values())
    return found


@pytest.fixture(scope="module")
def owned() -> str:
    return f"{Shop.BUNDLE}.jungle"


@pytest.fixture(scope="module")
def other_profile(shop) -> str:
    shop.ask("PUT", f"/apps/{OTHER_BUNDLE}/import?name=Other", OTHER_FILE)
    return shop.till("provision", OTHER_BUNDLE, "--sandbox").stdout.strip()


@pytest.fixture
def victim(shop, owned) -> Possession:
    device, customer = shop.signed_in()
    return Possession(device, customer["email"], customer["customerId"], owned, CREDITS)


def call(address: str, method: str, path: str, headers: dict, body=None, query="") -> requests.Response:
    return requests.request(method, f"{address}{path}{query}", headers=headers, json=body, timeout=PATIENCE)


def filled(value, victim: Possession):
    """The value with the victim's things at its places."""
    things = {
        "bought_key": victim.bought_key, "key": victim.key, "start": victim.start, "email": victim.email,
        "token": victim.open["confirmation"]["token"], "transactionId": victim.transaction,
    }
    if isinstance(value, dict):
        return {name: filled(one, victim) for name, one in value.items()}
    if isinstance(value, list):
        return [filled(one, victim) for one in value]
    if isinstance(value, str):
        for name, thing in things.items():
            value = value.replace("{" + name + "}", thing)
    return value


def ask(shop, operation, row: Row, victim: Possession, authorization: str | None, environment="sandbox"):
    headers = filled(row.headers, victim)
    if authorization is not None:
        headers["Authorization"] = authorization
    return call(
        f"http://127.0.0.1:{getattr(shop, environment)}", operation.method, filled(row.path or operation.path, victim),
        headers, filled(row.body, victim), filled(row.query, victim),
    )


def bearer(token: str) -> str:
    return f"Bearer {token}"


def intruder(kind: str, shop, victim: Possession, other_profile: str) -> Device:
    """Somebody with a good token who is not the victim."""
    if kind == "nobody":
        victim.device.ask("POST", "/sign-out")
        return victim.device
    if kind == "successor":
        victim.device.sign_in(shop.add_tester()["email"], shop.PASSWORD)
        return victim.device
    if kind == "stranger":
        return shop.signed_in()[0]
    if kind == "other_device":
        device = shop.device()
    else:
        device = Device(shop.address, other_profile, OTHER_BUNDLE)
        device.register()
    device.sign_in(victim.email, shop.PASSWORD)
    return device


def test_every_route_has_its_row(shop):
    for environment in ("sandbox", "production"):
        found = operations(shop, environment)
        devices = {one.id for one in found.values() if one.token == ["deviceToken"]}
        assert devices == set(DEVICE)
        assert {one.id for one in found.values() if not one.token} == set(PUBLIC)
        servers = {one.id for one in found.values() if one.token == ["serverToken"]}
        assert servers and all(found[name].path.startswith("/inApps/") for name in servers)
        # All that remains is the operator's.
        control = [one for one in found.values() if one.id not in devices | servers | set(PUBLIC)]
        assert control and all(one.token == ["operatorToken"] for one in control)
        assert all(one.path.startswith("/control/v1/") for one in control)


@pytest.mark.rows("X13")
def test_what_is_open_to_everybody_tells_nothing_of_anybody(shop, victim):
    before = rows(shop.data)
    found = operations(shop)
    asked = [(found[name].method, found[name].path, status) for name, status in PUBLIC.items()]
    asked += [("GET", path, status) for path, status in UNDESCRIBED.items()]
    for method, path, status in asked:
        answer = call(shop.address, method, path, {})
        assert answer.status_code == status, f"{method} {path}: {answer.text}"
        assert not [word for word in victim.words if word in told(answer)]
    assert changes(before, rows(shop.data)) == []


def test_the_owner_is_answered(shop, victim):
    """Without this, a refusal below might be one of a request that nobody could make."""
    found = operations(shop)
    for name, row in DEVICE.items():
        answer = ask(shop, found[name], row, victim, bearer(victim.device.token))
        assert answer.status_code == row.owner, f"{name}: {answer.status_code} {answer.text}"


@pytest.mark.parametrize(
    "kind", ["none", "empty", "garbage", "longer", "basic", "production", "operator", "replaced", "confirmation"]
)
def test_no_route_of_devices_takes_another_token(shop, victim, kind):
    old = victim.device.token
    if kind == "replaced":
        victim.device.register()
    profile = shop.till("provision", Shop.BUNDLE, "--production").stdout.strip()
    production = Device(f"http://127.0.0.1:{shop.production}", profile, Shop.BUNDLE, "production")
    production.register()
    shown = {
        "none": None, "empty": "Bearer ", "garbage": bearer("x" * 43), "longer": bearer(victim.device.token + "A"),
        "basic": f"Basic {victim.device.token}", "production": bearer(production.token),
        "operator": bearer(shop.token), "replaced": bearer(old),
        "confirmation": bearer(victim.open["confirmation"]["token"]),
    }[kind]
    before = rows(shop.data)
    found = operations(shop)
    for name, row in DEVICE.items():
        refused(ask(shop, found[name], row, victim, shown), name, victim)
        # And the sandbox's token in production.
        if kind == "production":
            refused(ask(shop, found[name], row, victim, bearer(old), "production"), name, victim)
    assert changes(before, rows(shop.data)) == []


def refused(answer, name: str, victim: Possession, status: int = 401):
    assert answer.status_code == status, f"{name}: {answer.status_code} {answer.text}"
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.json()["error"]["code"] in ("token_missing", "token_invalid")
    assert not [word for word in victim.words if word in told(answer)], name


@pytest.mark.parametrize("kind", ["stranger", "nobody", "successor", "other_app", "other_device"])
def test_no_route_of_devices_gives_what_is_anothers(shop, victim, other_profile, kind):
    device = intruder(kind, shop, victim, other_profile)
    found = operations(shop)
    wrong = []
    for name, row in DEVICE.items():
        before = rows(shop.data)
        answer = ask(shop, found[name], row, victim, bearer(device.token))
        after = rows(shop.data)
        if answer.status_code != row.status(kind):
            wrong.append(f"{name}: {answer.status_code} {answer.text}")
        wrong += [f"{name} tells {word}" for word in leaks(kind, victim, row, answer)]
        wrong += [f"{name} changes {change}" for change in unwanted(kind, victim, answer, before, after)]
    assert wrong == []


def leaks(kind: str, victim: Possession, row: Row, answer) -> list[str]:
    """What an answer says that the request did not."""
    # What is the customer's own is told on other devices of the customer, of the same app; what is the device's is not.
    secrets = victim.purchases if kind == "other_device" else victim.words
    sent = answer.request.url + json.dumps([filled(row.headers, victim), filled(row.body, victim)])
    text = told(answer)
    return [word for word in secrets if word in text and word not in sent]


def unwanted(kind: str, victim: Possession, answer, before, after) -> list[str]:
    if answer.status_code >= 400:
        return changes(before, after)
    if kind in ("other_app", "other_device"):
        return changes(before, after, victim.concerns_purchases)
    # The device is its user's by now; what was bought on it is not.
    is_device = kind != "stranger"
    return [one for one in changes(before, after, victim.concerns) if not (is_device and ".device:" in one)]


def test_the_keys_of_purchases_are_told_to_their_device_alone(shop, victim, other_profile):
    """Events and lists tell other devices of the same customer what was bought, and not by which purchase."""
    own = [json.dumps(one) for one in (victim.device.events(victim.start), victim.device.ask("GET", "/transactions"))]
    assert all(victim.bought_key in one for one in own)
    device = intruder("other_device", shop, victim, other_profile)
    events, listed = device.events(victim.start), device.ask("GET", "/transactions")
    signed = [one["signedTransaction"] for one in events["events"] if "signedTransaction" in one]
    assert [payload(one)["transactionId"] for one in signed] == [victim.transaction]
    assert not any(one["isOwn"] for one in events["events"])
    assert listed["unfinished"] == [victim.transaction] and listed["purchases"] == []
    assert not [word for word in victim.purchases if word in json.dumps([events, listed])]
    assert intruder("other_app", shop, victim, other_profile).events(victim.start)["events"] == []


def test_a_password_of_the_successor_does_not_confirm_what_the_predecessor_opened(shop, victim):
    device = intruder("successor", shop, victim, "")
    answer = device.call("POST", f"/purchases/{victim.key}/confirmation", {"password": shop.PASSWORD, "code": victim.open["confirmation"]["code"]})
    assert answer.status_code == 404, answer.text
    # It still is the victim's, who comes back to it.
    device.sign_in(victim.email, shop.PASSWORD)
    assert device.ask("GET", f"/purchases/{victim.key}")["state"] == "confirmation"


def things(shop, victim: Possession) -> dict[str, str]:
    """What the parts of paths of the control interface are for the victim."""
    return {
        "customer": victim.email, "member": victim.email, "paymentMethod": "1", "device": victim.number, "purchase": victim.open["purchaseId"],
        "transactionId": victim.transaction, "subscriptionId": victim.transaction, "bundleId": Shop.BUNDLE, "productId": CREDITS, "id": "1",
        **CATALOGUE,
    }


def control_path(operation, things: dict[str, str]) -> str:
    path = operation.path
    for name, thing in things.items():
        path = path.replace("{" + name + "}", thing)
    assert "{" not in path, f"{path}: say in things() what stands there"
    return path


@pytest.mark.parametrize("kind", ["none", "garbage", "longer", "basic", "revoked", "device"])
@pytest.mark.parametrize("environment", ["sandbox", "production"])
def test_no_route_of_operators_takes_another_token(shop, victim, kind, environment):
    revoked = json.loads(shop.till("control-token", "create", f"{kind} {environment}", "--json").stdout)["token"]
    shop.till("control-token", "revoke", f"{kind} {environment}")
    shown = {
        "none": None, "garbage": bearer("x" * 43), "longer": bearer(shop.token + "A"), "basic": f"Basic {shop.token}",
        "revoked": bearer(revoked), "device": bearer(victim.device.token),
    }[kind]
    before = rows(shop.data)
    address = f"http://127.0.0.1:{getattr(shop, environment)}"
    for operation in operations(shop, environment).values():
        if operation.token != ["operatorToken"]:
            continue
        path = control_path(operation, things(shop, victim))
        body = {} if operation.takes_body else None
        headers = {} if shown is None else {"Authorization": shown}
        refused(call(address, operation.method, path, headers, body), operation.id, victim)
    assert changes(before, rows(shop.data)) == []


@pytest.mark.parametrize("kind", ["none", "garbage", "operator", "device", "production"])
def test_no_route_of_servers_takes_another_token(shop, victim, kind):
    shown = {
        "none": None, "garbage": bearer("x" * 43), "operator": bearer(shop.token), "device": bearer(victim.device.token),
        "production": bearer(production_token(shop)),
    }[kind]
    before = rows(shop.data)
    for operation in operations(shop).values():
        if operation.token != ["serverToken"]:
            continue
        path = operation.path.replace("{", "").replace("}", "")
        headers, body = {} if shown is None else {"Authorization": shown}, {} if operation.takes_body else None
        answer = call(shop.address, operation.method, path, headers, body)
        assert answer.status_code == 401 and answer.text.startswith("Unauthenticated"), f"{operation.id}: {answer.text}"
        assert answer.headers["Till-Reason"] and not [word for word in victim.words if word in told(answer)]
    assert changes(before, rows(shop.data)) == []


def test_what_names_something_of_the_sandbox_finds_nothing_in_production(shop, victim):
    """Numbers of customers, devices and purchases begin anew in each environment; so they are named by what does not."""
    named = {**things(shop, victim), "purchase": victim.open["confirmation"]["code"]}
    words = ["control-token", "create", "of production", "--environment", "production", "--json"]
    token = json.loads(shop.till(*words).stdout)["token"]
    before, production = rows(shop.data), f"http://127.0.0.1:{shop.production}"
    asked = 0
    for operation in operations(shop, "production").values():
        parts = {part["name"] for part in operation.parameters if part["in"] == "path"}
        if operation.token != ["operatorToken"] or not parts & {"customer", "device", "purchase", "transactionId", "subscriptionId"}:
            continue
        for shown, status in [(token, 404), (shop.token, 403)]:
            body = ORDERS.get(operation.id, {}) if operation.takes_body else None
            path = control_path(operation, named) + QUERIES.get(operation.id, "")
            answer = call(production, operation.method, path, {"Authorization": bearer(shown)}, body)
            # What only the sandbox has says so before it looks for anything.
            is_refused = answer.status_code == status or answer.json()["error"]["code"] == "sandbox_only"
            assert is_refused, f"{operation.id}: {answer.status_code} {answer.text}"
        asked += 1
    assert asked >= 15
    for path in ("/customers", "/devices", "/purchases", "/transactions", "/ledger/entries"):
        answer = call(production, "GET", f"/control/v1{path}", {"Authorization": bearer(token)})
        assert answer.status_code == 200 and not [word for word in victim.words if word in told(answer)]
    assert changes(before, rows(shop.data)) == []


QUERIES = {"listEligibility": f"?bundleId={Shop.BUNDLE}", "forecastClockOfCustomer": "?by=1d"}
ORDERS = {
    "addPaymentMethod": {"token": "test_approved"}, "settleVoid": {"because": "it lapsed"},
    "answerPriceIncrease": {"agrees": True}, "advanceClockOfCustomer": {"by": "1d"},
    "addFamilyMember": {"customer": "nobody@example.com"}, "extendSubscription": {"days": 1},
}


@pytest.mark.parametrize("environment", ["sandbox", "production"])
def test_what_the_owner_of_the_store_may_without_a_token_is_on_no_listener(shop, victim, environment):
    address = f"http://127.0.0.1:{getattr(shop, environment)}"
    control = [one for one in operations(shop).values() if one.token == ["operatorToken"]]
    paths = {control_path(one, things(shop, victim)) for one in control}
    asked = [f"/{name}{path}" for path in paths for name in ("sandbox", "production")]
    for path in [*asked, "/admin/v1/operator-tokens", "/admin/v1/status", "/admin/v1/backup"]:
        for method in ("GET", "POST"):
            assert call(address, method, path, {}).status_code == 404, path
