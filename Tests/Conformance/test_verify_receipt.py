"""`verifyReceipt` as the servers of developers call it, with a client that others wrote, against both listeners."""

import base64
import hashlib
import json
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from http.client import HTTPConnection
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
import requests
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from asn1crypto import cms
from cryptography import x509
from openapi_schema_validator import OAS31Validator
from pyinapp.appstore import AppStoreValidator
from pyinapp.errors import InAppValidationError

from conftest import tool_path
from support import openssl
from support.sales import BUNDLE, DEVICE_IDENTIFIER, SECRET, Sales
from support.till import Till, run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("R4.1", "R4.2", "R4.3", "P13", "P14", "P19")

ENVIRONMENTS = ["production", "sandbox"]
OTHER = {"production": "sandbox", "sandbox": "production"}


@pytest.fixture(scope="module")
def till(tmp_path_factory):
    data = tmp_path_factory.mktemp("verify") / "data"
    assert run(TILL, "keys", "init", "--data", data).returncode == 0
    process = Till(TILL, data)
    yield process
    assert process.stop() == 0, process.log_text()


@pytest.fixture(scope="module")
def sales(till):
    made = {environment: Sales(till.data, environment) for environment in ENVIRONMENTS}
    for each in made.values():
        each.begin()
        each.sell("coins", quantity=3)
        each.sell("sword", "Non-Consumable")
    return made


def receipt_of(till, sales, environment: str, path: str = "/receipt") -> str:
    """What an app on the device is given."""
    token = {"Authorization": f"Bearer {sales[environment].token}"}
    response = till.get(f"/device/v1{path}", environment, headers=token)
    assert response.status_code == 200, response.text
    return response.json()["receipt"]


def verify(till, environment: str, receipt: str, **members) -> requests.Response:
    return post(till, environment, json.dumps({"receipt-data": receipt, **members}))


def post(till, environment: str, body: str | bytes, content_type: str = "application/json") -> requests.Response:
    url = till.ready[environment] + "/verifyReceipt"
    response = requests.post(url, data=body, headers={"Content-Type": content_type}, timeout=PATIENCE)
    assert response.status_code == 200
    described(till.ready[environment]).validate(response.json())
    return response


@cache
def described(address: str) -> OAS31Validator:
    """What an answer looks like, as the store describes it, and no member besides."""
    document = requests.get(f"{address}/openapi.json", timeout=PATIENCE).json()
    operation = document["paths"]["/verifyReceipt"]["post"]
    return OAS31Validator(closed(operation["responses"]["200"]["content"]["application/json"]["schema"]))


def closed(schema):
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if schema.get("type") == "object" else {}
    return {name: closed(one) for name, one in schema.items()} | more


def dates(name: str, milliseconds: int) -> dict[str, str]:
    """The three forms of a date, by Python's calendar and time zones."""
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    local = moment.astimezone(ZoneInfo("America/Los_Angeles"))
    return {
        name: f"{moment:%Y-%m-%d %H:%M:%S} Etc/GMT",
        f"{name}_ms": str(milliseconds),
        f"{name}_pst": f"{local:%Y-%m-%d %H:%M:%S} America/Los_Angeles",
    }


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_field_is_that_of_the_transaction(till, sales, environment):
    answer = verify(till, environment, receipt_of(till, sales, environment)).json()
    assert answer["status"] == 0
    assert answer["environment"] == environment.capitalize()
    assert answer["receipt"]["bundle_id"] == BUNDLE
    purchases = {each["transaction_id"]: each for each in answer["receipt"]["in_app"]}
    assert len(purchases) == 2
    for row in sales[environment].transactions[:2]:
        seconds = row["purchase_date"] // 1000 * 1000
        assert purchases[str(row["id"])] == {
            "quantity": str(row["quantity"]),
            "product_id": row["product_id"],
            "transaction_id": str(row["id"]),
            "original_transaction_id": str(row["original_id"]),
            **dates("purchase_date", seconds),
            **dates("original_purchase_date", seconds),
            "is_trial_period": "false",
            "in_app_ownership_type": "PURCHASED",
            "app_account_token": row["account_token"],
        }


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_old_form_has_every_field_too(till, sales, environment):
    row = sales[environment].transactions[0]
    receipt = receipt_of(till, sales, environment, f"/transactions/{row['id']}/receipt")
    answer = verify(till, environment, receipt).json()
    assert answer["status"] == 0
    told = answer["receipt"]
    assert {name: told[name] for name in ("transaction_id", "product_id", "quantity", "bid", "bvrs", "item_id")} == {
        "transaction_id": str(row["id"]),
        "product_id": row["product_id"],
        "quantity": "3",
        "bid": BUNDLE,
        "bvrs": "2.1",
        "item_id": "5151",
    }
    assert dates("purchase_date", row["purchase_date"]).items() <= told.items()
    assert ("app_item_id" in told) == (environment == "production")
    assert verify(till, OTHER[environment], receipt).json()["status"] == (
        21007 if environment == "sandbox" else 21008
    )


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_foreign_client_asks_production_first_and_goes_where_it_is_sent(till, sales, environment, monkeypatch):
    receipt = receipt_of(till, sales, environment)
    asked = []

    def validate(where: str):
        validator = AppStoreValidator(BUNDLE)
        validator.url = till.ready[where] + "/verifyReceipt"
        asked.append(where)
        return validator.validate(receipt)

    try:
        purchases = validate("production")
    except InAppValidationError as error:
        assert error.response == {"status": 21007}
        purchases = validate("sandbox")
    assert asked == (["production"] if environment == "production" else ["production", "sandbox"])
    assert {each.transaction_id for each in purchases} == {
        str(row["id"]) for row in sales[environment].transactions[:2]
    }


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_foreign_programs_read_and_verify_the_receipt(till, sales, environment, tmp_path):
    receipt = receipt_of(till, sales, environment)
    identifiers = {str(row["id"]) for row in sales[environment].transactions}
    assert ReceiptUtility().extract_transaction_id_from_app_receipt(receipt) in identifiers
    old = receipt_of(till, sales, environment, f"/transactions/{min(identifiers)}/receipt")
    assert ReceiptUtility().extract_transaction_id_from_transaction_receipt(old) == min(identifiers)
    container = base64.b64decode(receipt)
    root = list(cms.ContentInfo.load(container)["content"]["certificates"])[-1].chosen.dump()
    now = int(datetime.now(UTC).timestamp() * 1000)
    payload, said = openssl.verify_cms(container, x509.load_der_x509_certificate(root), now, tmp_path)
    assert payload is not None, said
    # The hash of the device, by its formula: attribute 4 has version 2 and holds 16 bytes.
    opaque = payload.split(b"\x02\x01\x04\x02\x01\x02\x04\x10")[1][:16]
    bundle = b"\x0c" + bytes([len(BUNDLE)]) + BUNDLE.encode()
    assert hashlib.sha1(DEVICE_IDENTIFIER + opaque + bundle).digest() in payload
    assert hashlib.sha1(bytes(16) + opaque + bundle).digest() not in payload


def test_a_subscription_needs_its_secret_and_tells_what_is_newest(till, sales):
    row = sales["sandbox"].sell("monthly", "Auto-Renewable Subscription")
    receipt = receipt_of(till, sales, "sandbox")
    refused = verify(till, "sandbox", receipt, password="wrong")
    assert refused.text == '{"status":21004}'
    assert "password" in refused.headers["Till-Reason"]
    answer = verify(till, "sandbox", receipt, password=SECRET).json()
    assert answer["status"] == 0
    newest = answer["latest_receipt_info"][0]
    assert newest["transaction_id"] == str(row["id"])
    assert dates("expires_date", row["expires_date"] // 1000 * 1000).items() <= newest.items()
    assert newest["subscription_group_identifier"] == "20001"
    again = verify(till, "sandbox", answer["latest_receipt"], password=SECRET).json()
    assert again["status"] == 0


def test_what_was_taken_back_is_told_of_an_old_receipt(till, sales):
    receipt = receipt_of(till, sales, "production")
    row = sales["production"].transactions[0]
    sales["production"].revoke(row, 1_795_000_000_000)
    purchases = verify(till, "production", receipt).json()["receipt"]["in_app"]
    taken = next(each for each in purchases if each["transaction_id"] == str(row["id"]))
    assert dates("cancellation_date", 1_795_000_000_000).items() <= taken.items()
    assert taken["cancellation_reason"] == "1"


def damaged(receipt: str) -> str:
    content = bytearray(base64.b64decode(receipt))
    content[content.index(BUNDLE.encode())] ^= 1
    return base64.b64encode(content).decode()


def test_one_changed_letter_is_noticed_by_both(till, sales):
    forged = damaged(receipt_of(till, sales, "sandbox"))
    for environment in ENVIRONMENTS:
        response = verify(till, environment, forged)
        assert response.text == '{"status":21003}'
        assert ("Till-Reason" in response.headers) == (environment == "sandbox")


def test_bodies_as_clients_send_them(till, sales):
    sales_only = receipt_of(till, sales, "production")
    lines = "\r\n".join(sales_only[start : start + 64] for start in range(0, len(sales_only), 64))
    spaced = sales_only.replace("+", " ")
    for receipt in (sales_only, lines, spaced):
        assert verify(till, "production", receipt).json()["status"] == 0
    body = json.dumps({"receipt-data": sales_only})
    for content_type in ("application/x-www-form-urlencoded", "text/plain", "nonsense"):
        assert post(till, "production", body, content_type).json()["status"] == 0
    # As PHP writes it, and with lines broken by hand.
    assert post(till, "production", body.replace("/", "\\/")).json()["status"] == 0
    assert post(till, "production", body.replace(sales_only, lines)).json()["status"] == 0


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "there is no body"),
        ("receipt-data=AAAA", 'the body is a form, and has to be JSON: {"receipt-data": "..."}'),
        ('{"receipt-data":"AA%2BAA"}', "receipt-data: character 3 is '%', which is not Base64; it seems to be URL-encoded"),
        ('{"receipt-data":"TUlJU093WUo="}', "receipt-data is Base64 of Base64: it was encoded twice"),
    ],
)
def test_what_is_no_receipt_is_told_precisely_in_the_sandbox(till, body, reason):
    known = len(till.log("receipt.refused"))
    response = post(till, "sandbox", body)
    assert response.text == '{"status":21002}'
    assert response.headers["Till-Reason"] == reason
    assert "Till-Reason" not in post(till, "production", body).headers
    # Both listeners write theirs, each a little after its answer.
    assert till.wait_for("receipt.refused", known + 2)["reason"] == reason


@pytest.mark.parametrize("megabytes", [6, 12])
def test_a_client_that_sends_all_before_it_reads_is_told_that_it_is_too_much(till, megabytes):
    address = urlsplit(till.ready["sandbox"])
    for _ in range(5):
        with closing(HTTPConnection(address.hostname, address.port, timeout=PATIENCE)) as client:
            client.request("POST", "/verifyReceipt", b'{"receipt-data":"' + b"A" * (megabytes * 1024 * 1024) + b'"}')
            response = client.getresponse()
            assert (response.status, response.read()) == (200, b'{"status":21002}')
            assert response.headers["Till-Reason"] == "The body exceeds 5242880 bytes."


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "BREW"])
def test_other_methods_get_a_status_too(till, method):
    response = requests.request(method, till.ready["sandbox"] + "/verifyReceipt", timeout=PATIENCE)
    assert (response.status_code, response.text) == (200, '{"status":21000}')
