"""`till receipt lint`, judged by Apple's `ReceiptUtility`, by `openssl cms` and by `asn1crypto`."""

import base64
import json
import subprocess
import time
import uuid

import pytest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from asn1crypto import cms
from cryptography import x509

from conftest import tool_path
from support import openssl
from support.device import payload
from support.shop import Shop
from support.tampering import flip
from support.till import run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")
CREDITS = f"{Shop.BUNDLE}.credits5"

pytestmark = pytest.mark.rows("R4.1", "P14")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("lint") / "store")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def bought(shop):
    """A device, what it bought and its receipt."""
    device, _ = shop.signed_in()
    sold = [payload(device.buy(CREDITS)["signedTransaction"]) for _ in range(2)]
    return device, sold, base64.b64decode(device.ask("GET", "/receipt")["receipt"])


@pytest.fixture
def lint(shop, tmp_path):
    def ask(content: bytes | str, *options: str, data=shop.data):
        path = tmp_path / "receipt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return run(TILL, "receipt", "lint", path, "--data", data, *options)

    return ask


def report(done) -> dict:
    return json.loads(done.stdout)


def attributes(receipt: bytes) -> list[tuple[int, int]]:
    """Number and version of each attribute, as asn1crypto finds them."""
    content = cms.ContentInfo.load(receipt)["content"]["encap_content_info"]["content"].native
    found, position = [], content_of(content, 0)[0]
    while position < len(content):
        start, end = content_of(content, position)
        first = content_of(content, start)
        second = content_of(content, first[1])
        numbers = [int.from_bytes(content[slice(*one)], "big", signed=True) for one in (first, second)]
        found.append((numbers[0], numbers[1]))
        position = end
    return found


def content_of(content: bytes, position: int) -> tuple[int, int]:
    """Where the content of an element of DER begins and ends."""
    length, start = content[position + 1], position + 2
    if length & 0x80:
        start, length = start + (length & 0x7F), int.from_bytes(content[start : start + (length & 0x7F)], "big")
    return start, start + length


def test_every_attribute_is_told(lint, bought):
    _, sold, receipt = bought
    done = lint(receipt, "--json")
    assert done.returncode == 0, done.stderr
    said = report(done)
    assert (said["form"], said["isGenuine"], said["signedBy"], said["bytes"]) == ("app", True, "sandbox", len(receipt))
    assert [(one["number"], one["version"]) for one in said["attributes"]] == attributes(receipt)
    assert all(one["name"] for one in said["attributes"])
    by_name = {one["name"]: one.get("value") for one in said["attributes"]}
    assert by_name["bundle id"] == Shop.BUNDLE and by_name["receipt type"] == "ProductionSandbox"
    purchases = [{part["name"]: part["value"] for part in one["purchase"]} for one in said["attributes"] if "purchase" in one]
    assert [one["transaction id"] for one in purchases] == [one["transactionId"] for one in sold]
    assert {one["product id"] for one in purchases} == {CREDITS}
    found = ReceiptUtility().extract_transaction_id_from_app_receipt(base64.b64encode(receipt).decode())
    assert found in [one["transaction id"] for one in purchases]
    embedded = [one.chosen for one in cms.ContentInfo.load(receipt)["content"]["certificates"]]
    serials = [int(one["serialNumber"], 16) for one in said["certificates"]]
    assert serials == [one.serial_number for one in embedded] and serials
    assert said["findings"] == []



def test_for_people_it_says_the_same(lint, bought):
    _, sold, receipt = bought
    done = lint(base64.b64encode(receipt).decode() + "\n")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"App receipt, {len(receipt)} bytes"
    assert lines[1] == "  signature and chain: good, signed by the sandbox of this store"
    assert f"      1703  transaction id: {sold[0]['transactionId']}" in lines


@pytest.mark.parametrize("form", ["text", "lines", "body", "stdin"])
def test_it_is_read_in_each_form_in_which_it_is_found(shop, lint, bought, form):
    receipt = bought[2]
    text = base64.b64encode(receipt).decode()
    if form == "stdin":
        done = subprocess.run(
            [TILL, "receipt", "lint", "-", "--json", "--data", shop.data], input=text, text=True, capture_output=True,
            timeout=PATIENCE,
        )
    else:
        content = {"text": text, "lines": base64.encodebytes(receipt), "body": json.dumps({"receipt-data": text})}[form]
        done = lint(content, "--json")
    assert done.returncode == 0, done.stderr
    assert report(done)["bytes"] == len(receipt)


def test_a_bit_that_was_flipped_is_found_as_openssl_finds_it(shop, lint, bought, tmp_path):
    receipt = bought[2]
    root = tmp_path / "root.pem"
    shop.till("keys", "root", "--environment", "sandbox", "--purpose", "receipt", "--output", str(root))
    content = cms.ContentInfo.load(receipt)["content"]["encap_content_info"]["content"].native
    # The last byte of a text: everything can still be read.
    start = receipt.index(content) + content.index(Shop.BUNDLE.encode()) + len(Shop.BUNDLE) - 1
    trusted = x509.load_pem_x509_certificate(root.read_bytes())
    for sample, is_good in ((receipt, True), (flip(receipt, start, bit=0), False)):
        judged, _ = openssl.verify_cms(sample, trusted, int(time.time() * 1000), tmp_path)
        for options in ([], ["--root", str(root)]):
            done = lint(sample, "--json", *options)
            assert (judged is not None, done.returncode, report(done)["isGenuine"]) == (is_good, 0 if is_good else 65, is_good)
        if not is_good:
            assert any(one["isError"] and "signature" in one["message"] for one in report(done)["findings"])


def test_whether_it_is_for_a_device(lint, bought):
    device, _, receipt = bought
    done = lint(receipt, "--json", "--device", device.identifier)
    assert (done.returncode, report(done)["fitsDevice"]) == (0, True)
    done = lint(receipt, "--device", str(uuid.uuid4()))
    assert done.returncode == 65 and "  device: DOES NOT FIT" in done.stdout
    assert "error: it was made for another device" in done.stdout


def test_the_form_of_ios_6(lint, bought):
    device, sold, _ = bought
    old = base64.b64decode(device.ask("GET", f"/transactions/{sold[0]['transactionId']}/receipt")["receipt"])
    for content in (old, base64.b64encode(old)):
        done = lint(content, "--json")
        said = report(done)
        assert (done.returncode, said["form"], said["isGenuine"]) == (0, "transaction", True), done.stderr
        assert {"name": "transaction-id", "value": sold[0]["transactionId"]} in said["attributes"]
    done = lint(old.replace(b"Sandbox", b"Production"), "--json")
    assert done.returncode == 65 and report(done)["findings"][0]["message"].startswith("it says that it is of production")


def test_without_a_root_nothing_is_called_good(lint, bought, tmp_path):
    done = lint(bought[2], "--json", data=tmp_path / "nowhere")
    assert done.returncode == 66 and "isGenuine" not in report(done)
    assert "no root" in done.stderr
    other = tmp_path / "other"
    assert run(TILL, "keys", "init", "--data", other).returncode == 0
    done = lint(bought[2], "--json", data=other)
    assert done.returncode == 65 and report(done)["isGenuine"] is False


@pytest.mark.parametrize(
    "content, said",
    [
        ("", "there is nothing in it"),
        ("MII%2B", "it seems to be URL-encoded"),
        ("eyJh.eyJi.c2ln", "it seems to be a JWS"),
        (b"0\x03\x02\x01\x05", "the kind of container"),
        (base64.b64encode(base64.b64encode(b"0" * 100)), "encoded twice"),
    ],
)
def test_what_is_no_receipt_is_said_to_be_what_it_is(lint, content, said):
    done = lint(content)
    assert done.returncode == 65 and done.stdout == ""
    assert said in done.stderr, done.stderr


def test_a_file_that_is_not_there(shop):
    assert run(TILL, "receipt", "lint", "/nowhere/at/all", "--data", shop.data).returncode == 66
