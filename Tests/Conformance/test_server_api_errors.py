"""Every error that an endpoint of the App Store Server API names is brought about, as Apple's library and a table tell it."""

import re
import time

import jwt
import pytest
import requests
from appstoreserverlibrary.api_client import APIError, APIException

from conftest import REPOSITORY, tool_path
from support import life as lives
from support.backend import Backend
from support.keys import ISSUER_ID, DeveloperKey
from support.receiver import Receiver
from support.server_errors import BY_FAULT, ERRORS, NOWHERE, Situation, extension
from support.shop import Shop
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("X3", "P22", "P23")

TILL = tool_path().with_name("till")
PAGE = REPOSITORY / "Documentation/ServerAPI.md"


def shared(life: lives.Life) -> str:
    """What a member of the family has of the club."""
    member = life.shop.add_tester()["email"]
    life.shop.till("products", "put", Shop.BUNDLE, lives.CLUB, "--family-shareable")
    life.shop.till("family", "create", life.email)
    life.shop.till("family", "add", life.email, member)
    wait_until(lambda: life.shop.ask("GET", f"/transactions?customer={member}")["items"])
    return life.shop.ask("GET", f"/transactions?customer={member}")["items"][0]["transactionId"]


def extended(life: lives.Life) -> str:
    """A subscription that was extended as often as it may be in a year."""
    number = lives.another_subscription(life)
    for _ in range(2):
        answer = life.backend.request("PUT", f"/inApps/v1/subscriptions/extend/{number}", extension())
        assert answer.status_code == 200, answer.text
    return number


def renewed(life: lives.Life) -> str:
    """A transaction that is not the first one of its subscription."""
    number = lives.another_subscription(life, "renew")
    return life.shop.ask("GET", f"/subscriptions/{number}")["periods"][-1]["transactionId"]


def gone(life: lives.Life) -> str:
    """What somebody bought whose account was deleted."""
    tester = life.shop.add_tester(paymentMethod="test_approved")
    order = {"customer": tester["email"], "bundleId": Shop.BUNDLE, "productId": lives.JUNGLE}
    number = life.shop.ask("POST", "/purchases", order)["transactionId"]
    life.shop.till("testers", "delete", tester["email"])
    return number


@pytest.fixture(scope="module")
def situation(tmp_path_factory):
    folder = tmp_path_factory.mktemp("errors")
    shop = Shop(TILL, folder / "store", "--log-level", "error")
    receiver = Receiver()
    backend = Backend(shop, folder)
    life = lives.begin(shop, backend, receiver, lives.FEW)
    yield Situation(
        life, shared(life), extended(life), lives.another_subscription(life, "expire"),
        renewed(life), gone(life), Backend(shop, folder, bundle="com.example.photofilters"))
    assert shop.stop() == 0
    receiver.close()


CASES = [(endpoint, number) for endpoint, errors in ERRORS.items() for number in sorted(errors)]


@pytest.mark.parametrize(("endpoint", "number"), CASES, ids=lambda value: str(value).split("/inApps")[-1])
def test_each_error_is_brought_about(situation, endpoint, number):
    answer = ERRORS[endpoint][number](situation)
    assert answer.status_code == number // 10_000 and answer.json()["errorCode"] == number, answer.text
    assert answer.headers["Content-Type"] == "application/json" and answer.headers["Till-Reason"]
    assert set(answer.json()) == {"errorCode", "errorMessage"}
    with pytest.raises(APIException) as refusal:
        situation.life.backend.client()._parse_response(answer.status_code, answer.headers, answer.json, None)
    assert refusal.value.api_error is APIError(number)


def named(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\b[45]\d{6}\b", text)}


def nameless(endpoint: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", endpoint)


def test_the_page_and_the_description_name_just_these(situation):
    shop = situation.life.shop
    described = requests.get(f"{shop.address}/openapi.json", timeout=PATIENCE).json()
    found = {
        nameless(f"{method.upper()} {path}"): named(str([answer["description"] for answer in one["responses"].values()]))
        for path, methods in described["paths"].items() if path.startswith("/inApps/")
        for method, one in methods.items()
    }  # fmt: skip
    common = set.intersection(*found.values())
    assert len(common) > 3
    rows = re.findall(r"^\| `([A-Z]+ /inApps/[^`]*)` \| `\w+` \| ([\d, –]*) \|", PAGE.read_text(), re.MULTILINE)
    assert {nameless(endpoint) for endpoint, _ in rows} == set(found)
    for endpoint, numbers in rows:
        said, errors = found[nameless(endpoint)], set(ERRORS.get(endpoint, ()))
        assert said - common - BY_FAULT == errors - common, endpoint
        assert named(numbers) == errors | said & BY_FAULT, endpoint
    assert set(ERRORS) <= {endpoint for endpoint, _ in rows}
    # What refuses retention messaging is older than the library.
    assert named(PAGE.read_text()) - {4030000} <= {error.value for error in APIError}


TOKENS = {
    "none at all": (None, "no token"),
    "no token": ("abc", "three segments"),
    "of another issuer": ({"issuer_id": ISSUER_ID}, "iss"),
    "of a key that is not known": ({"key_id": "AAAAAAAAAA"}, "kid"),
    "of the key of another": ({"signing_key": DeveloperKey().private_pem}, "signature"),
    "over": ({"exp": -61}, "exp"),
    "of more than an hour": ({"exp": 3700}, "exp"),
    "for another audience": ({"aud": "somebody"}, "aud"),
    "of another algorithm": ({"alg": "HS256"}, "alg"),
}


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_that_opens_nothing_is_no_json(situation, name):
    changed, reason = TOKENS[name]
    backend = situation.life.backend
    path = f"/inApps/v1/transactions/{situation.life.jungle}"
    headers = {} if changed is None else {"Authorization": f"Bearer {token(backend, changed)}"}
    answer = requests.get(backend.address + path, headers=headers, timeout=PATIENCE)
    assert (answer.status_code, answer.headers["Content-Type"]) == (401, "text/plain")
    assert answer.text.startswith("Unauthenticated") and reason in answer.headers["Till-Reason"].lower()
    with pytest.raises(APIException) as refusal:
        backend.client()._parse_response(answer.status_code, answer.headers, answer.json, None)
    assert (refusal.value.http_status_code, refusal.value.raw_api_error) == (401, None)


def token(backend: Backend, changed) -> str:
    """What Apple's library would sign, but for what is changed."""
    if isinstance(changed, str):
        return changed
    claims = {"iss": changed.get("issuer_id", backend.issuer_id), "aud": changed.get("aud", "appstoreconnect-v1"),
              "bid": backend.bundle, "exp": int(time.time()) + changed.get("exp", 300)}
    algorithm = changed.get("alg", "ES256")
    key = "a secret that is long enough for this" if algorithm == "HS256" else changed.get("signing_key", backend.private_key)
    return jwt.encode(claims, key, algorithm, {"kid": changed.get("key_id", backend.key_id)})


def test_an_app_of_nobody_and_a_key_that_was_revoked(situation, tmp_path):
    backend = situation.life.backend
    with pytest.raises(APIException) as refusal:
        backend.client(bundle_id="com.example.nowhere").get_transaction_info(situation.life.jungle)
    assert refusal.value.api_error is APIError.APP_NOT_FOUND
    spare = Backend(backend.shop, tmp_path, bundle="com.example.photofilters")
    assert spare.request("GET", f"/inApps/v1/transactions/{situation.life.jungle}").status_code == 404
    spare.shop.till("api-key", "revoke", spare.key_id)
    assert spare.request("GET", f"/inApps/v1/transactions/{situation.life.jungle}").status_code == 401


def test_each_error_of_the_page_is_brought_about_by_a_fault(situation):
    backend = situation.life.backend
    client = backend.client()
    errors = [error for error in APIError if error.value in named(PAGE.read_text())]
    assert len(errors) > 50
    for error in errors:
        fault = {"path": "/inApps/v1/transactions/*", "status": error.value, "times": 1}
        backend.shop.ask("POST", "/faults", fault)
        with pytest.raises(APIException) as refusal:
            client.get_transaction_info(situation.life.jungle)
        assert (refusal.value.api_error, refusal.value.http_status_code) == (error, error.value // 10_000)
    # Each was for one call: who asks again gets through.
    assert client.get_transaction_info(situation.life.jungle).signedTransactionInfo


def test_too_many_requests_are_told_when_to_come_again(tmp_path):
    shop = Shop(TILL, tmp_path / "store", "--server-api-rate", "3")
    backend = Backend(shop, tmp_path)
    path, began = f"/inApps/v1/transactions/{NOWHERE}", time.time() * 1000
    answers = [backend.request("GET", path) for _ in range(30)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused and answers[0].status_code == 404
    for answer in refused:
        assert answer.json()["errorCode"] == APIError.RATE_LIMIT_EXCEEDED.value
        # An instant in milliseconds, as Apple has it, and not a number of seconds.
        assert began < int(answer.headers["Retry-After"]) < time.time() * 1000 + 1000
    assert backend.request("GET", path.replace("transactions", "subscriptions")).status_code == 404
    assert shop.stop() == 0
