"""Apps, products, profiles and tokens by the commands of till, with the store running and stopped."""

import base64
import json
import re

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from conftest import tool_path
from support.till import Till, run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")
BUNDLE = "com.example.app"

FILE = {
    "version": {"major": 4, "minor": 0},
    "products": [
        {
            "productID": "credits5",
            "type": "Consumable",
            "displayPrice": "0.99",
            "referenceName": None,
            "localizations": [{"locale": "en_US", "displayName": "5 Credits", "description": "Five."}],
        }
    ],
    "subscriptionGroups": [
        {
            "id": "AB12",
            "subscriptions": [
                {
                    "productID": "club",
                    "type": "RecurringSubscription",
                    "displayPrice": "4.99",
                    "recurringSubscriptionPeriod": "P1M",
                    "introductoryOffer": {"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P1W"},
                }
            ],
        }
    ],
}

# A PNG of 64 by 64 pixels.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAEklEQVR42mP4DwUMo4xRBukMAOPT/hAC2mzjAAAAAElFTkSuQmCC"
)


@pytest.fixture(params=["running", "stopped"])
def shop(request, tmp_path):
    """A store, and how to give it a command."""
    process = Till(TILL, tmp_path / "data")
    if request.param == "stopped":
        assert process.stop() == 0

    def command(*words, **options):
        return run(TILL, *words, "--data", tmp_path / "data", **options)

    command.process = process
    command.is_running = request.param == "running"
    yield command
    if command.is_running:
        assert process.stop() == 0


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "Example.storekit"
    path.write_text(json.dumps(FILE))
    return path


def answer(result) -> dict:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.rows("R1.2")
def test_products_are_imported_once(shop, file):
    words = ["products", "import", file, "--bundle-id", BUNDLE, "--name", "Example+1 é&", "--json"]
    [first] = answer(shop(*words))["apps"]
    assert first["isNewApp"] and first["added"] == ["credits5", "club"]
    assert first["omitted"] == []
    assert [offer["kind"] for offer in answer(shop("offers", "list", BUNDLE, "club", "--json"))["items"]] == ["introductory"]
    assert first["unpriced"] == [] and [found["of"] for found in first["noise"]] == [["club"]]
    [second] = answer(shop(*words))["apps"]
    assert second["unchanged"] == ["credits5", "club"] and not second["added"] and not second["changed"]
    apps = answer(shop("apps", "list", "--json"))["items"]
    assert [(app["bundleId"], app["name"]) for app in apps] == [(BUNDLE, "Example+1 é&")]
    listed = answer(shop("products", "list", "--json"))["items"][0]["products"]
    assert [product["productId"] for product in listed] == ["club", "credits5"]
    assert "nothing changed" in shop(*words[:-1]).stdout


@pytest.mark.rows("R1.2")
def test_the_catalogue_goes_into_files_and_comes_back(shop, file, tmp_path):
    unknown = {**FILE, "mystery": {"a": 1.50}, "settings": {"_storefront": "USA", "_timeRate": 3}}
    file.write_text(json.dumps(unknown))
    assert shop("catalogue", "validate", file).returncode == 0
    first = shop("catalogue", "diff", file, "--bundle-id", BUNDLE)
    assert first.returncode == 1 and "added: credits5, club" in first.stdout
    assert answer(shop("apps", "list", "--json")) == {"items": []}
    assert shop("catalogue", "import", file, "--bundle-id", BUNDLE).returncode == 0
    exported = shop("catalogue", "export", "--bundle-id", BUNDLE, "--format", "storekit")
    assert json.loads(exported.stdout) == unknown and exported.stderr == ""

    picture = tmp_path / "picture.png"
    picture.write_bytes(PICTURE)
    assert shop("products", "image", BUNDLE, "credits5", picture).returncode == 0
    told = shop("catalogue", "export", "--bundle-id", BUNDLE, "--format", "storekit").stderr
    assert "not in a .storekit file: images: 1 (credits5)" in told
    whole, images = tmp_path / "catalogue.json", tmp_path / "images"
    assert shop("teams", "add", "monkeysoft", "Monkey Software").returncode == 0
    written = shop("catalogue", "export", "--output", whole, "--images", images)
    assert written.returncode == 0 and "agreements" in written.stderr and "images" not in written.stderr
    assert shop("catalogue", "diff", whole).returncode == 0
    other = Till(TILL, tmp_path / "other")
    assert other.stop() == 0

    def elsewhere(*words):
        return run(TILL, *words, "--data", tmp_path / "other")

    assert "give its folder with --images" in elsewhere("catalogue", "import", whole, "--dry-run").stdout
    entered = elsewhere("catalogue", "import", whole, "--images", images)
    assert entered.returncode == 0 and "--images" not in entered.stdout
    assert "till agreements accept monkeysoft paid --by NAME" in entered.stdout
    assert elsewhere("catalogue", "export").stdout == whole.read_text()

    whole.write_text(whole.read_text().replace('"0.99"', '"0.999"'))
    wrong = elsewhere("catalogue", "import", whole)
    assert wrong.returncode == 65 and re.search(r"ine \d+, apps\[0\]\.products\[\d\]\.price\.amount", wrong.stderr)
    assert run(TILL, "catalogue", "validate", whole, file).returncode == 65


def test_a_file_comes_by_standard_input_too(shop, file):
    result = shop("products", "import", "-", "--bundle-id", BUNDLE, input=file.read_text())
    assert result.returncode == 0 and "added: credits5, club" in result.stdout


def test_a_product_without_a_price_is_told_of_with_the_command_that_mends_it(shop, file):
    file.write_text(json.dumps(FILE).replace('"0.99"', '""'))
    told = shop("products", "import", file, "--bundle-id", BUNDLE).stdout.splitlines()
    command = next(line for line in told if line.startswith("credits5 has no price")).split("till ")[1]
    assert shop(*command.split()).returncode == 0
    assert answer(shop("products", "show", BUNDLE, "credits5", "--json"))["unpricedStorefronts"] == []


def test_what_is_wrong_with_a_file_is_named_and_nothing_imported(shop, file):
    broken = json.loads(json.dumps(FILE))
    broken["subscriptionGroups"][0]["subscriptions"][0]["displayPrice"] = "4,99"
    file.write_text(json.dumps(broken))
    result = shop("products", "import", file, "--bundle-id", BUNDLE)
    assert result.returncode == 65
    assert "subscriptionGroups[0].subscriptions[0].displayPrice" in result.stderr
    assert answer(shop("apps", "list", "--json")) == {"items": []}
    assert shop("products", "import", file.parent / "none", "--bundle-id", BUNDLE).returncode == 66
    assert shop("products", "import", file, "--bundle-id", "a..b").returncode == 64


@pytest.mark.rows("R1.2")
def test_products_are_priced_and_approved(shop, file):
    assert shop("products", "import", file, "--bundle-id", BUNDLE).returncode == 0
    priced = answer(shop("products", "price", BUNDLE, "credits5", "JPN", "160", "--json"))
    assert priced["prices"]["JPN"] == {"amount": "160", "currency": "JPY", "isDerived": False}
    assert shop("products", "price", BUNDLE, "credits5", "JPN", "1.5").returncode == 65
    assert shop("products", "price", BUNDLE, "credits5", "Japan", "1").returncode == 64
    assert shop("products", "price", BUNDLE, "credits7", "JPN", "160").returncode == 66
    assert "JPN" not in answer(shop("products", "price", BUNDLE, "credits5", "JPN", "none", "--json"))["prices"]
    assert shop("products", "price", BUNDLE, "credits5", "JPN", "derived", "--everywhere").returncode == 64
    everywhere = answer(shop("products", "price", BUNDLE, "credits5", "USA", "1.99", "--everywhere", "--json"))
    assert everywhere["prices"]["DEU"] == {"amount": "2.29", "currency": "EUR", "isDerived": True}
    assert (everywhere["withdrawnStorefronts"], len(everywhere["prices"])) == (["JPN"], 174)
    assert answer(shop("products", "price", BUNDLE, "credits5", "JPN", "derived", "--json"))["prices"]["JPN"]["isDerived"]
    approved = answer(shop("products", "approve", BUNDLE, "credits5", "club", "--json"))["items"]
    assert [product["state"] for product in approved] == ["approved", "approved"]
    assert "not cleared for sale" in shop("products", "withhold", BUNDLE, "club").stdout
    assert "not cleared for sale" not in shop("products", "clear", BUNDLE, "club").stdout
    shown = shop("products", "show", BUNDLE, "credits5")
    assert "en-US: 5 Credits - Five." in shown.stdout and "1.99 USD, or what that comes to" in shown.stdout
    assert shop("products", "remove", BUNDLE, "club", "--publish").stdout == "removed club\n"
    assert shop("products", "show", BUNDLE, "club").returncode == 66
    again = shop("products", "import", file, "--bundle-id", BUNDLE)
    assert again.returncode == 1 and "never used again" in again.stderr


@pytest.mark.parametrize("verb", ["approve", "clear", "withhold", "remove"])
def test_of_several_products_all_are_changed_or_none(shop, file, verb):
    assert shop("products", "import", file, "--bundle-id", BUNDLE).returncode == 0
    shop("products", "withhold" if verb == "clear" else "clear", BUNDLE, "credits5", "club")
    before = answer(shop("products", "list", "--json"))
    refused = shop("products", verb, BUNDLE, "credits5", "none", "club", "nobody")
    assert refused.returncode == 66
    assert "none, nobody" in refused.stderr and "nothing was changed" in refused.stderr
    assert answer(shop("products", "list", "--json")) == before
    assert shop("products", verb, "com.example.none", "credits5").returncode == 66
    done = shop("products", verb, BUNDLE, "credits5", "club", "credits5")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2
    after = answer(shop("products", "list", "--json"))
    assert after != before


def test_a_price_that_nobody_can_count_is_called_too_large(shop, file):
    assert shop("products", "import", file, "--bundle-id", BUNDLE).returncode == 0
    for amount in ("99999999999999999999", "1000000000000000.5"):
        refused = shop("products", "price", BUNDLE, "credits5", "USA", amount)
        assert refused.returncode == 65 and "too large" in refused.stderr
    assert "plain decimal number" in shop("products", "price", BUNDLE, "credits5", "USA", "1..9").stderr


def test_shared_secrets_are_made_and_removed(shop, file):
    assert shop("products", "import", file, "--bundle-id", BUNDLE).returncode == 0
    for target in ([BUNDLE], []):
        assert shop("apps", "secret", *target).returncode == 1
        secret = shop("apps", "secret", *target, "--new").stdout.strip()
        assert re.fullmatch("[0-9a-f]{32}", secret)
        assert shop("apps", "secret", *target).stdout.strip() == secret
        # Production has its own.
        assert shop("apps", "secret", *target, "--environment", "production").returncode == 1
        other = shop("apps", "secret", *target, "--environment", "production", "--new").stdout.strip()
        assert other != secret and shop("apps", "secret", *target).stdout.strip() == secret
        assert shop("apps", "secret", *target, "--remove").returncode == 0
        assert shop("apps", "secret", *target).returncode == 1
        again = shop("apps", "secret", *target, "--remove")
        assert again.returncode == 1 and "no shared secret" in again.stderr
    assert shop("apps", "secret", "--new", "--remove").returncode == 64
    assert shop("apps", "secret", "com.example.none").returncode == 66


def test_tokens_open_the_control_interface_until_they_are_revoked(shop):
    token = shop("control-token", "create", "tests").stdout.strip()
    assert re.fullmatch("till_[0-9a-f]{64}", token)
    assert shop("control-token", "create", "tests").returncode == 1
    assert answer(shop("control-token", "list", "--json"))["items"][0]["name"] == "tests"

    def status(environment, **headers):
        return shop.process.get("/control/v1/apps", environment, headers=headers).status_code

    if shop.is_running:
        for environment in ("production", "sandbox"):
            assert status(environment, Authorization=f"Bearer {token}") == 200
            assert status(environment) == 401
            assert status(environment, Authorization="Bearer till_" + 64 * "0") == 401
    assert shop("control-token", "revoke", "tests").returncode == 0
    if shop.is_running:
        assert status("sandbox", Authorization=f"Bearer {token}") == 401
    assert shop("control-token", "revoke", "none").returncode == 66


def decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def test_a_profile_verifies_by_another_library_under_the_roots_it_names(shop, file):
    assert shop("products", "import", file, "--bundle-id", BUNDLE).returncode == 0
    words = [] if shop.is_running else ["--store-url", "http://127.0.0.1:8081"]
    profile = shop("provision", BUNDLE, "--sandbox", *words).stdout.strip()
    header, payload, signature = profile.split(".")
    claims = json.loads(decoded(payload))
    assert claims["purpose"] == "provisioning-profile" and claims["bundleId"] == BUNDLE
    assert claims["environment"] == "sandbox"
    assert claims["storeUrl"] == (shop.process.ready["sandbox"] if shop.is_running else "http://127.0.0.1:8081")
    chain = [x509.load_der_x509_certificate(base64.b64decode(der)) for der in json.loads(decoded(header))["x5c"]]
    root = x509.load_der_x509_certificate(base64.b64decode(claims["jwsRoots"][-1]))
    assert chain[2] == root
    for certificate, issuer in zip(chain, chain[1:]):
        certificate.verify_directly_issued_by(issuer)
    raw = decoded(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    chain[0].public_key().verify(der, f"{header}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.rows("R1.9")
def test_a_profile_needs_an_app_an_environment_and_a_safe_address(shop, file):
    assert shop("products", "import", file, "--bundle-id", BUNDLE).returncode == 0
    assert shop("provision", BUNDLE).returncode == 64
    assert shop("provision", "com.example.none", "--sandbox", "--store-url", "http://a").returncode == 66
    refused = shop("provision", BUNDLE, "--production", "--store-url", "http://store.example.com")
    assert refused.returncode == 65 and "https" in refused.stderr
    assert shop("provision", BUNDLE, "--production", "--store-url", "https://store.example.com").returncode == 0
    assert shop("provision", "com.example.*", "--sandbox", "--store-url", "http://127.0.0.1:1").returncode == 0
    if not shop.is_running:
        said = shop("provision", BUNDLE, "--sandbox").stderr
        assert "its address has to be given" in said and "--store-url" in said and "storeUrl" not in said


def test_the_demo_is_entered_once(tmp_path):
    data = tmp_path / "data"
    for start in range(2):
        process = Till(TILL, data, "--demo")
        entered = process.log("demo.entered")
        assert len(entered) == (1 if start == 0 else 0)
        listed = json.loads(run(TILL, "products", "list", "--json", "--data", data).stdout)["items"]
        products = {app["bundleId"]: {product["type"] for product in app["products"]} for app in listed}
        assert len(products) == 5 and len(products["com.example.monkeycredits"]) == 4
        assert process.stop() == 0


def test_the_control_interface_is_described(tmp_path):
    process = Till(TILL, tmp_path / "data")
    document = requests.get(process.ready["sandbox"] + "/openapi.json", timeout=PATIENCE).json()
    assert document["components"]["securitySchemes"]["operatorToken"]["scheme"] == "bearer"
    paths = [path for path in document["paths"] if path.startswith("/control/v1/")]
    assert len(paths) >= 11
    for path in paths:
        for operation in document["paths"][path].values():
            assert operation["security"] == [{"operatorToken": []}] and "401" in operation["responses"]
    assert process.stop() == 0


@pytest.mark.rows("R1.2", "R1.3")
def test_what_is_entered_by_hand_is_changed_one_thing_at_a_time(shop):
    answer(shop("apps", "create", BUNDLE, "Example", "--json"))
    assert answer(shop("apps", "set", BUNDLE, "--name", "Better", "--json"))["name"] == "Better"
    assert shop("apps", "set", BUNDLE).returncode == 64
    for name in ("gold", "silver"):
        words = ["--type", "auto-renewable", "--period", "P1M", "--group", "club", "--title", name]
        answer(shop("products", "put", BUNDLE, name, *words, "--json"))
    [group] = answer(shop("groups", "move", BUNDLE, "club", "silver", "up", "--json"))["items"]
    assert [(one["productId"], one["level"]) for one in group["subscriptions"]] == [("silver", 1), ("gold", 2)]
    missing = shop("review", "check", BUNDLE, "gold")
    assert missing.returncode == 1 and "missing: A price" in missing.stdout
    assert shop("review", "prepare", BUNDLE, "gold", "--category", "content").returncode == 65
    assert shop("review", "prepare", BUNDLE, "gold", "--category", "subscription", "--delivers", "Gold").returncode == 0
    assert shop("products", "put", BUNDLE, "gold", "--price", "1.00").returncode == 0
    assert shop("versions", "add", BUNDLE, "1.0").returncode == 0
    assert "till review submit" in shop("review", "check", BUNDLE, "gold").stdout
    assert shop("versions", "remove", BUNDLE, "1.0").returncode == 0
    assert answer(shop("versions", "list", BUNDLE, "--json"))["items"] == []
    bare = answer(shop("products", "remove-text", BUNDLE, "gold", "en-US", "--json"))
    assert bare["texts"] == {} and bare["product"]["state"] == "missing_metadata"


def test_what_production_sells_is_drafted_published_and_discarded(shop, file):
    assert shop("products", "import", file, "--bundle-id", BUNDLE, "--approved").returncode == 0
    assert "Nothing waits" in shop("catalogue", "drafts").stdout
    priced = shop("products", "price", BUNDLE, "credits5", "USA", "1.99")
    assert f"till catalogue publish {BUNDLE} credits5" in priced.stdout
    assert "production goes on with it" in shop("products", "remove", BUNDLE, "club").stdout
    drafts = shop("catalogue", "drafts", BUNDLE).stdout
    assert "prices.USA: 0.99 USD from the price -> 1.99 USD" in drafts and "removal: - -> removed for good" in drafts
    listed = answer(shop("catalogue", "drafts", "--json"))
    assert listed["count"] == 2 and [item["productId"] for item in listed["items"]] == ["club", "credits5"]
    assert shop("catalogue", "discard", BUNDLE, "club", "--field", "removal").returncode == 0
    assert shop("catalogue", "discard", BUNDLE, "club").returncode == 1
    assert shop("catalogue", "discard", "--field", "price").returncode == 64
    assert "would publish 1 change of 1 product" in shop("catalogue", "publish", "--dry-run").stdout
    assert shop("products", "tax", BUNDLE, "credits5", "books").returncode == 0
    refused = shop("catalogue", "publish", BUNDLE, "--seen", str(listed["seen"]))
    assert refused.returncode == 1 and "look again" in refused.stderr
    unseen = shop("products", "price", BUNDLE, "credits5", "JPN", "300", "--publish")
    assert unseen.returncode == 1 and "till catalogue drafts" in unseen.stderr
    assert "published 2 changes of 1 product" in shop("catalogue", "publish", BUNDLE, "credits5").stdout
    [line] = answer(shop("audit", "--count", "1", "--json"))["items"]
    assert line["action"] == "published 2 changes of 1 product"
    assert shop("products", "price", BUNDLE, "credits5", "JPN", "300", "--publish").returncode == 0
    assert "Nothing waits" in shop("catalogue", "drafts").stdout
