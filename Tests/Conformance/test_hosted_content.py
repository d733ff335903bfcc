"""Hosted content from an upload to a customer, with foreign writers and readers: bsdtar, requests, zipfile, plistlib, boto3."""

import base64
import hashlib
import io
import plistlib
import random
import zipfile

import pytest
import requests
from botocore.exceptions import ClientError

from conftest import tool_path
from support.bucket import Bucket
from support.device import payload
from support.hosting import PART, Hosting, package
from support.shop import Shop
from support.till import run
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")
BUNDLE = Shop.BUNDLE


@pytest.fixture(scope="module")
def bucket():
    bucket = Bucket()
    yield bucket
    bucket.stop()


@pytest.fixture(scope="module", params=["folder", "bucket"])
def shop(request, tmp_path_factory):
    more, environment = [], {}
    if request.param == "bucket":
        bucket = request.getfixturevalue("bucket")
        more, environment = ["--blobs", bucket.place], bucket.environment
    shop = Shop(TILL, tmp_path_factory.mktemp("hosted") / "store", *more, environment=environment)
    yield shop
    assert shop.stop() == 0


_count = 0


@pytest.fixture
def hosting(shop) -> Hosting:
    """A new non-consumable that hosts content and has none yet."""
    global _count
    _count += 1
    product = f"{BUNDLE}.chapter{_count}"
    body = {
        "type": "Non-Consumable",
        "referenceName": f"Chapter {_count}",
        "texts": {"en-US": {"title": f"Chapter {_count}", "description": "To read."}},
        "price": {"amount": "1.99", "currency": "USD"},
    }
    shop.ask("PUT", f"/apps/{BUNDLE}/products/{product}", body)
    shop.ask("PUT", f"/apps/{BUNDLE}/products/{product}/hosting")
    return Hosting(shop, product)


def bytes_of(count: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(count)


def offer(device, product: str) -> dict | None:
    found = device.ask("POST", "/products", {"productIds": [product]})["products"]
    return found[0] if found else None


def link(device, transaction: str, version: str | None = None):
    body = {"contentVersion": version} if version else {}
    return device.call("POST", f"/transactions/{transaction}/content", body)


def fetch(device, link: dict, *, first: int | None = None, last: int | None = None) -> requests.Response:
    headers = {} if first is None else {"Range": f"bytes={first}-{'' if last is None else last}"}
    return requests.get(device.address + link["path"], headers=headers, timeout=PATIENCE)


@pytest.mark.rows("R6.1", "R6.2", "R6.4", "R6.5", "R6.6")
def test_a_package_becomes_what_customers_fetch(shop, hosting):
    assert hosting.state == "waiting_for_upload"
    device, _ = shop.signed_in()
    assert offer(device, hosting.product) is None
    files = {"chapter.txt": b"It was a dark night.\n" * 400, "pictures/moon.png": bytes_of(3_000_000, 1)}
    done = hosting.push(package(hosting.product, "1.0", files))
    assert (done["state"], done["contentVersion"], done["findings"]) == ("ready_to_submit", "1.0", [])
    assert done["isDeliveredInSandbox"] and not done["isDeliveredInProduction"]
    assert {one["path"]: one["bytes"] for one in done["files"]}["Contents/pictures/moon.png"] == 3_000_000
    assert hosting.state == "ready_to_submit"

    found = offer(device, hosting.product)
    assert (found["contentVersion"], found["contentLengths"]) == ("1.0", [done["deliveredBytes"]])
    transaction = payload(device.buy(hosting.product)["signedTransaction"])["transactionId"]
    [content] = device.ask("POST", "/contents", {"transactionIds": [transaction]})["contents"]
    assert (content["contentVersion"], content["contentLength"]) == ("1.0", done["deliveredBytes"])
    answer = link(device, transaction, "1.0")
    assert answer.status_code == 201
    where = answer.json()
    whole = fetch(device, where)
    assert whole.status_code == 200 and whole.headers["Content-Type"] == "application/zip"
    assert whole.headers["Accept-Ranges"] == "bytes" and whole.headers["ETag"] == f'"{where["digest"]}"'
    archive = whole.content
    assert hashlib.sha256(archive).hexdigest() == where["digest"] and len(archive) == where["contentLength"]
    digests = base64.b64decode(where["chunkDigests"])
    size = where["chunkLength"]
    chunks = [archive[start : start + size] for start in range(0, len(archive), size)]
    assert [digests[start : start + 32] for start in range(0, len(digests), 32)] == [
        hashlib.sha256(chunk).digest() for chunk in chunks
    ]
    unpacked = zipfile.ZipFile(io.BytesIO(archive))
    assert unpacked.testzip() is None
    info = plistlib.loads(unpacked.read("ContentInfo.plist"))
    assert info == {"ContentVersion": "1.0", "IAPProductIdentifier": hosting.product}
    for name, content in files.items():
        assert unpacked.read(f"Contents/{name}") == content
    part = fetch(device, where, first=1_000_000, last=1_000_099)
    assert part.status_code == 206 and part.content == archive[1_000_000:1_000_100]
    assert part.headers["Content-Range"] == f"bytes 1000000-1000099/{len(archive)}"
    assert fetch(device, where, first=len(archive)).status_code == 416
    stale = {"Range": "bytes=5-9", "If-Range": '"another"'}
    assert len(requests.get(device.address + where["path"], headers=stale, timeout=PATIENCE).content) == len(archive)


@pytest.mark.rows("R6.2", "R1.11")
@pytest.mark.parametrize(
    ("version", "files", "rules"),
    [
        ("0.9", {"a.txt": b"a"}, {"version_too_low"}),
        ("1.0", {"tool": b"\x7fELF" + bytes(64)}, {"executable_code"}),
        ("1.0", {"run": b"#!/bin/sh\n", "tool.exe": b"MZ" + bytes(64)}, {"executable_code"}),
        ("1.0", {}, {"contents_empty"}),
    ],
)
def test_the_store_judges_packages_itself(hosting, version, files, rules):
    done = hosting.push(package(hosting.product, version, files))
    assert done["state"] == "failed" and {one["rule"] for one in done["findings"]} == rules
    assert hosting.state == "waiting_for_upload"
    assert hosting.push(package(hosting.product, "1.0", {"a.txt": b"a"}))["state"] == "ready_to_submit"


@pytest.mark.rows("R6.2")
def test_a_package_of_another_product_or_of_nothing_is_refused(hosting):
    other = hosting.push(package("com.example.other", "1.0", {"a.txt": b"a"}))
    assert [one["rule"] for one in other["findings"]] == ["identifier_mismatch"]
    nothing = hosting.push(b"this is no package")
    assert [one["rule"] for one in nothing["findings"]] == ["not_a_package"]
    made = package(hosting.product, "1.0", {"a.bin": bytes_of(100_000, 7)})
    assert hosting.push(made[:-5_000])["state"] == "failed"


@pytest.mark.rows("R6.3")
def test_an_upload_goes_on_where_it_stopped_even_in_another_process(shop, hosting):
    made = package(hosting.product, "1.0", {"a.bin": bytes_of(2 * PART + 5_000, 2)})
    begun = hosting.begin(made)
    assert begun.status_code == 201
    upload = begun.json()
    assert upload["partCount"] == 3 and upload["received"] == []
    refused = hosting.put(upload["uploadId"], 2, made[PART : 2 * PART], digest=bytes(32))
    assert refused.status_code == 400 and refused.json()["error"]["parameter"] == "Content-Digest"
    short = hosting.put(upload["uploadId"], 2, made[PART : PART + 10])
    assert short.status_code == 400 and short.json()["error"]["parameter"] == "body"
    # Ten bytes are there, which may be continued, and nothing behind them.
    assert hosting.begin(made).json()["begun"] == [{"part": 2, "bytes": 10}]
    beyond = hosting.put(upload["uploadId"], 2, made[PART : 2 * PART], first=11)
    assert beyond.status_code == 400 and beyond.json()["error"]["parameter"] == "Content-Range"
    assert hosting.put(upload["uploadId"], 4, b"x").status_code == 400
    for first in (10, None):
        assert hosting.put(upload["uploadId"], 2, made[PART : 2 * PART], first=first).status_code == 204
    early = hosting.complete(upload["uploadId"])
    assert early.status_code == 409 and "lacks 2 of 3" in early.json()["error"]["message"]
    shop.kill()
    shop.start()
    again = hosting.begin(made)
    assert again.status_code == 200 and again.json()["received"] == [2] and again.json()["begun"] == []
    for number in (1, 3):
        part = made[(number - 1) * PART : number * PART]
        assert hosting.put(upload["uploadId"], number, part).status_code == 204
    assert hosting.complete(upload["uploadId"]).status_code == 202
    # Whoever would look at it is gone, and the answer may be lost.
    shop.kill()
    shop.start()
    assert hosting.complete(upload["uploadId"]).json()["number"] == int(upload["uploadId"])
    assert hosting.processed(int(upload["uploadId"]))["state"] == "ready_to_submit"
    assert hosting.put(upload["uploadId"], 1, made[:PART]).status_code == 409


@pytest.mark.rows("R6.1", "R6.4")
def test_versions_are_reviewed_and_later_buyers_get_the_newest(shop, hosting):
    path = f"/apps/{BUNDLE}/products/{hosting.product}"
    submission = {"category": "content", "delivers": "A chapter."}
    refused = shop.control("POST", f"{path}/approval")
    assert refused.status_code in (403, 409)
    assert run(TILL, "products", "approve", BUNDLE, hosting.product, "--data", shop.data).returncode != 0
    hosting.push(package(hosting.product, "1.0", {"a.txt": b"one"}))
    shop.till("products", "approve", BUNDLE, hosting.product)
    assert hosting.version(1)["state"] == "approved" and hosting.version(1)["isDeliveredInProduction"]
    assert shop.control("DELETE", f"{path}/hosting").status_code == 409
    first, _ = shop.signed_in()
    bought = payload(first.buy(hosting.product)["signedTransaction"])["transactionId"]
    assert first.ask("POST", "/contents", {"transactionIds": [bought]})["contents"][0]["contentVersion"] == "1.0"

    assert hosting.push(package(hosting.product, "1.0", {"a.txt": b"two"}))["findings"][0]["rule"] == "version_not_raised"
    assert hosting.push(package(hosting.product, "1.1", {"a.txt": b"two"}))["state"] == "ready_to_submit"
    [failed, ready] = [hosting.version(2), hosting.version(3)]
    assert failed["state"] == "failed" and ready["isDeliveredInSandbox"] and not ready["isDeliveredInProduction"]
    # What was promised stays, a restore brings the newest, and the product tells of it.
    assert first.ask("POST", "/contents", {"transactionIds": [bought]})["contents"][0]["contentVersion"] == "1.0"
    assert offer(first, hosting.product)["contentVersion"] == "1.1"
    assert link(first, bought, "1.0").json()["contentVersion"] == "1.0"
    assert link(first, bought).json()["contentVersion"] == "1.1"
    assert link(first, bought, "9.9").status_code == 410
    first.finish(bought)
    [restored] = first.ask("POST", "/restorations")["restored"]
    again = payload(restored["signedTransaction"])["transactionId"]
    assert first.ask("POST", "/contents", {"transactionIds": [again]})["contents"][0]["contentVersion"] == "1.1"

    shop.ask("POST", f"{path}/submission", submission)
    busy = hosting.begin(package(hosting.product, "1.2", {"a.txt": b"three"}))
    assert busy.status_code == 409 and "waiting for review" in busy.json()["error"]["message"]
    shop.till("review", "begin", BUNDLE, hosting.product)
    shop.till("review", "reject", BUNDLE, hosting.product, "--reason", "other", "--message", "No.")
    assert hosting.version(3)["state"] == "rejected" and hosting.version(1)["isDeliveredInProduction"]
    hosting.push(package(hosting.product, "1.2", {"a.txt": b"three"}))
    shop.ask("POST", f"{path}/submission", submission)
    shop.till("review", "begin", BUNDLE, hosting.product)
    shop.till("review", "approve", BUNDLE, hosting.product)
    assert [one["state"] for one in hosting.versions()] == ["approved", "rejected", "failed", "approved"]
    assert hosting.version(4)["isDeliveredInProduction"] and hosting.version(4)["isDeliveredInSandbox"]


@pytest.mark.rows("R6.1")
def test_hosting_is_for_new_non_consumables_and_can_be_switched_off_until_they_are_live(shop, hosting):
    consumable = shop.control("PUT", f"/apps/{BUNDLE}/products/{BUNDLE}.credits5/hosting")
    assert consumable.status_code == 400 and consumable.json()["error"]["parameter"] == "hosting"
    hosting.push(package(hosting.product, "1.0", {"a.txt": b"one"}))
    path = f"/apps/{BUNDLE}/products/{hosting.product}"
    assert shop.ask("DELETE", f"{path}/hosting")["product"]["state"] == "ready_to_submit"
    assert hosting.version(1)["state"] == "unhosted"
    nowhere = hosting.begin(package(hosting.product, "1.0", {"a.txt": b"one"}))
    assert nowhere.status_code == 409 and "till products hosting" in nowhere.json()["error"]["message"]
    assert shop.ask("PUT", f"{path}/hosting")["product"]["state"] == "waiting_for_upload"
    # Versions begin anew; one that was only withdrawn stays used up.
    assert hosting.push(package(hosting.product, "1.0", {"a.txt": b"one"}))["state"] == "ready_to_submit"
    assert shop.ask("POST", f"{path}/content/2/withdrawal")["state"] == "withdrawn"
    assert hosting.state == "waiting_for_upload"
    assert hosting.push(package(hosting.product, "1.0", {"a.txt": b"two"}))["findings"][0]["rule"] == "version_not_raised"


@pytest.mark.rows("R6.6", "R5.9")
def test_content_is_for_whoever_owns_it_and_only_as_long(shop, hosting):
    hosting.push(package(hosting.product, "1.0", {"a.bin": bytes_of(200_000, 3)}))
    owner, _ = shop.signed_in()
    transaction = payload(owner.buy(hosting.product)["signedTransaction"])["transactionId"]
    stranger, _ = shop.signed_in()
    assert stranger.ask("POST", "/contents", {"transactionIds": [transaction]})["contents"] == []
    assert link(stranger, transaction).status_code == 404
    where = link(owner, transaction).json()
    assert fetch(owner, where, first=0, last=9).status_code == 206
    forged = {"path": where["path"][:-4] + "AAAA"}
    assert fetch(owner, forged).status_code == 404
    # The same address at the other environment means nothing.
    elsewhere = requests.get(f"http://127.0.0.1:{shop.production}{where['path']}", timeout=PATIENCE)
    assert elsewhere.status_code == 404
    assert where["path"].split("/")[-1] not in shop.process.log_text()

    owner.ask("POST", "/sign-out")
    gone = fetch(owner, where, first=10, last=19)
    assert gone.status_code == 403 and gone.json()["error"]["code"] == "content_refused"
    other, tester = shop.signed_in()
    mine = payload(other.buy(hosting.product)["signedTransaction"])["transactionId"]
    where = link(other, mine).json()
    assert fetch(other, where, first=0, last=9).status_code == 206
    shop.till("transactions", "refund", mine)
    ended = fetch(other, where, first=10, last=19)
    assert ended.status_code == 403 and ended.json()["error"]["code"] == "content_refused"
    assert link(other, mine).status_code == 403
    assert other.ask("POST", "/contents", {"transactionIds": [mine]})["contents"] == []


@pytest.mark.rows("R6.4")
def test_a_backup_has_the_content_too(shop, hosting, tmp_path):
    if shop.environment:
        pytest.skip("a bucket is kept by whoever runs it")
    hosting.push(package(hosting.product, "1.0", {"a.bin": bytes_of(100_000, 5)}))
    shop.till("database", "backup", tmp_path / "backup")
    digest = shop.ask("GET", f"{hosting.path}/content/1")
    with requests.get(
        f"{shop.address}/control/v1{hosting.path}/content/1/archive",
        headers={"Authorization": f"Bearer {shop.token}"},
        timeout=PATIENCE,
    ) as answer:
        name = hashlib.sha256(answer.content).hexdigest()
    assert len(answer.content) == digest["deliveredBytes"]
    assert (tmp_path / "backup" / "blobs" / name[:2] / name[2:4] / name).read_bytes() == answer.content


def test_a_bucket_has_the_blobs_and_wrong_keys_are_refused(bucket, tmp_path):
    environment = {**bucket.environment, "AWS_SECRET_ACCESS_KEY": "wrong"}
    shop = Shop(TILL, tmp_path / "store", "--blobs", bucket.place, environment=bucket.environment)
    assert shop.stop() == 0
    names = [one["Key"] for one in bucket.s3.list_objects_v2(Bucket=bucket.NAME)["Contents"]]
    assert names and all(name.startswith("store/") for name in names)
    for name in names[:3]:
        body = bucket.s3.get_object(Bucket=bucket.NAME, Key=name)["Body"].read()
        assert f"store/{hashlib.sha256(body).hexdigest()}" == name
    assert not list((tmp_path / "store" / "drafts").iterdir())
    refused = run(
        TILL, "serve", "--data", tmp_path / "other", "--demo", "--listen", "127.0.0.1:0", "--sandbox-listen",
        "127.0.0.1:0", "--blobs", bucket.place, environment=environment,
    )
    assert refused.returncode != 0 and "403: the keys are wrong" in refused.stderr
    with pytest.raises(ClientError, match="SignatureDoesNotMatch"):
        bucket.client("s3", bucket.key, "wrong").list_objects_v2(Bucket=bucket.NAME)


def test_parts_that_a_crash_left_in_a_bucket_are_given_up(bucket, tmp_path):
    left = bucket.s3.create_multipart_upload(Bucket=bucket.NAME, Key="store/" + "0" * 64)
    bucket.s3.upload_part(
        Bucket=bucket.NAME, Key=left["Key"], UploadId=left["UploadId"], PartNumber=1, Body=b"x" * (5 << 20)
    )
    shop = Shop(TILL, tmp_path / "store", "--blobs", bucket.place, environment=bucket.environment)
    # Moto says of every upload that it began in 2010.
    wait_until(lambda: not bucket.s3.list_multipart_uploads(Bucket=bucket.NAME).get("Uploads"), "the parts stay")
    assert shop.stop() == 0
