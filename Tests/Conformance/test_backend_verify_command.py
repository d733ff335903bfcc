"""`till backend verify` says of a proof what a developer's server would say, with a store that runs."""

import json

import pytest

from conftest import tool_path
from support.backend import Backend
from support.shop import Shop, free_port
from support.till import run

pytestmark = pytest.mark.rows("R5.2", "R5.9", "P12", "P13", "X3")

TILL = tool_path().with_name("till")
JUNGLE = f"{Shop.BUNDLE}.jungle"


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("verify") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def backend(shop):
    return Backend(shop, shop.data.parent)


@pytest.fixture(scope="module")
def sold(shop) -> str:
    """A transaction of the sandbox."""
    email = shop.add_tester()["email"]
    bought = shop.till("buy", JUNGLE, "--app", Shop.BUNDLE, "--customer", email, "--json")
    return json.loads(bought.stdout)["transactionId"]


@pytest.fixture(scope="module")
def asking(shop) -> list[str]:
    addresses = [f"http://127.0.0.1:{port}" for port in (shop.production, shop.sandbox)]
    return ["--bundle", Shop.BUNDLE, "--store", addresses[0], "--store-sandbox", addresses[1]]


@pytest.fixture(scope="module")
def roots(shop, backend) -> list[str]:
    options = []
    for purpose in ("jws", "receipt"):
        path = backend.folder / f"{purpose}.pem"
        shop.till("keys", "root", "--environment", "sandbox", "--purpose", purpose, "--output", str(path))
        options += ["--sandbox-root", str(path), "--root", str(path)]
    return options


def verify(folder, proof: str | bytes, *options: str):
    file = folder / "proof"
    file.write_bytes(proof if isinstance(proof, bytes) else proof.encode())
    return run(TILL, "backend", "verify", str(file), "--json", *options)


def taken(folder, proof: str | bytes, *options: str) -> dict:
    done = verify(folder, proof, *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def receipt(shop, sold: str, form: str) -> str:
    return shop.till("transactions", "receipt", sold, "--form", form).stdout.strip()


def test_a_receipt_is_asked_about_in_the_environment_that_it_is_of(shop, sold, asking, tmp_path):
    for form, name in (("app", "app_receipt"), ("transaction", "transaction_receipt")):
        said = taken(tmp_path, receipt(shop, sold, form), *asking)
        assert (said["form"], said["environment"], said["bundleId"]) == (name, "Sandbox", Shop.BUNDLE)
        assert [each["transactionId"] for each in said["transactions"]] == [sold]
        assert said["transactions"][0]["productId"] == JUNGLE


def test_signatures_are_enough_without_the_store(shop, backend, sold, roots, tmp_path):
    offline = ["--bundle", Shop.BUNDLE, "--offline", *roots]
    signed = backend.client().get_transaction_info(sold).signedTransactionInfo
    for proof, name in ((signed, "signed_transaction"), (receipt(shop, sold, "app"), "app_receipt")):
        said = taken(tmp_path, proof, *offline)
        assert (said["form"], said["environment"]) == (name, "Sandbox")
        assert [each["transactionId"] for each in said["transactions"]] == [sold]
    alone = verify(tmp_path, receipt(shop, sold, "transaction"), *offline)
    assert alone.returncode == 65 and "untrusted_proof" in alone.stderr and "ask the store" in alone.stderr


def test_a_refund_since_then_shows_with_a_key(shop, backend, asking, roots, tmp_path):
    email = shop.add_tester()["email"]
    bought = shop.till("buy", JUNGLE, "--app", Shop.BUNDLE, "--customer", email, "--json")
    transaction = json.loads(bought.stdout)["transactionId"]
    signed = backend.client().get_transaction_info(transaction).signedTransactionInfo
    whole = receipt(shop, transaction, "app")
    shop.till("transactions", "refund", transaction)
    key = [
        "--key", str(backend.folder / f"{Shop.BUNDLE}-sandbox.p8"), "--key-id", backend.key_id,
        "--issuer", backend.issuer_id,
    ]
    for proof in (signed, whole):
        [found] = taken(tmp_path, proof, *asking, *roots, *key)["transactions"]
        assert found["transactionId"] == transaction and found["revocationDate"]
    # The signature alone is from before it.
    [found] = taken(tmp_path, signed, "--bundle", Shop.BUNDLE, "--offline", *roots)["transactions"]
    assert "revocationDate" not in found


@pytest.mark.parametrize(
    "proof, options, status, code",
    [
        ("hello", [], 65, "malformed_proof"),
        ("receipt", ["--bundle", "com.example.torch"], 65, "wrong_app"),
        ("receipt", ["production"], 65, "wrong_environment"),
        ("receipt", ["nowhere"], 69, "store_unavailable"),
    ],
)
def test_each_refusal_has_its_code_and_exit_status(shop, sold, asking, tmp_path, proof, options, status, code):
    if proof == "receipt":
        proof = receipt(shop, sold, "app")
    given = list(options) if "--bundle" in options else ["--bundle", Shop.BUNDLE]
    if options == ["production"]:
        given += asking[2:4]
    elif options == ["nowhere"]:
        given += ["--store-sandbox", f"http://127.0.0.1:{free_port()}"]
    else:
        given += asking[2:]
    done = verify(tmp_path, proof, *given)
    assert done.returncode == status and f"till: {code}: " in done.stderr, done.stderr
