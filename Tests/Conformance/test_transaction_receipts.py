"""Transaction receipts of the iOS 6 form: Apple's library reads those of the store, the store reads foreign ones."""

import base64
from zoneinfo import ZoneInfo

import pytest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from support import payloads, transaction_receipts
from support.counting import counted
from support.foreign_chain import ForeignChain, Plans
from support.foreign_receipt import Container
from support.instants import DAY, ISSUED_AT, SIGNED_AT, instant, moment
from support.refusal import refused
from support.tampering import flip, spread

pytestmark = pytest.mark.rows("R4.1", "R4.3", "P14")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))
LOS_ANGELES = ZoneInfo("America/Los_Angeles")


def pacific(milliseconds: int) -> str:
    return moment(milliseconds).astimezone(LOS_ANGELES).strftime("%Y-%m-%d %H:%M:%S America/Los_Angeles")


def sign(store, authority, environment: str, fields: dict) -> bytes:
    handle = authority(environment, "receipt").handle
    answer = store.tool.ask("transaction-receipt.sign", authority=handle, environment=environment, receipt=fields)
    return base64.b64decode(answer["bytes"])


def verifier_for(store, root: bytes, intermediate: bytes, revoked: tuple[bytes, ...] = ()):
    handle = store.tool.ask(
        "transaction-receipt.verifier", roots=[root], intermediates=[intermediate], revoked=revoked
    )["verifier"]
    return lambda receipt: store.tool.ask("transaction-receipt.verify", verifier=handle, bytes=receipt)["receipt"]


def der(certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.DER)


@BOTH_ENVIRONMENTS
def test_apples_library_finds_the_transaction(store, authority, environment):
    utility = ReceiptUtility()
    for fields in (transaction_receipts.receipt(environment), transaction_receipts.purchase(environment)):
        receipt = base64.b64encode(sign(store, authority, environment, fields)).decode()
        assert utility.extract_transaction_id_from_transaction_receipt(receipt) == "2000000000000042"


@BOTH_ENVIRONMENTS
def test_the_outer_list_is_built_as_the_app_store_builds_it(store, authority, environment):
    entries = transaction_receipts.read(sign(store, authority, environment, transaction_receipts.receipt(environment)))
    named = ["environment"] if environment == "sandbox" else []
    assert list(entries) == ["signature", "purchase-info", *named, "pod", "signing-status"]
    assert entries.get("environment") == ("Sandbox" if environment == "sandbox" else None)
    assert entries["signing-status"] == "0"
    assert entries["pod"].isdigit()


# Summer and winter in Los Angeles, and both sides of the change of clocks.
PURCHASES_AT = counted(
    4, ["2026-02-03T04:00:00", "2026-07-08T09:10:11", "2026-11-01T08:59:59", "2026-11-01T09:00:00"]
)


@pytest.mark.parametrize("date", PURCHASES_AT)
@pytest.mark.parametrize("make", counted(2, ["receipt", "purchase"]))
@BOTH_ENVIRONMENTS
def test_the_inner_list_has_every_entry(store, authority, environment, make, date):
    fields = getattr(transaction_receipts, make)(environment, purchaseDate=instant(date))
    entries = transaction_receipts.read(sign(store, authority, environment, fields))
    inner = transaction_receipts.read(base64.b64decode(entries["purchase-info"], validate=True))
    assert inner == transaction_receipts.entries(fields, pacific)
    in_production = 2 if environment == "production" else 0
    assert len(inner) == (20 if make == "receipt" else 15) + in_production


@BOTH_ENVIRONMENTS
def test_the_signature_is_over_version_and_purchase_info(store, authority, environment):
    entries = transaction_receipts.read(sign(store, authority, environment, transaction_receipts.receipt(environment)))
    version, signature, certificate = transaction_receipts.signature_parts(entries)
    assert version == 3
    assert certificate == authority(environment, "receipt").certificates[0]
    signed = bytes([3]) + base64.b64decode(entries["purchase-info"])
    certificate.public_key().verify(signature, signed, padding.PKCS1v15(), hashes.SHA1())
    with pytest.raises(InvalidSignature):
        certificate.public_key().verify(signature, flip(signed, 100), padding.PKCS1v15(), hashes.SHA1())


@BOTH_ENVIRONMENTS
def test_the_store_reads_its_own_and_knows_the_environment(store, authority, environment):
    chain = authority(environment, "receipt")
    for fields in (
        transaction_receipts.receipt(environment),
        transaction_receipts.purchase(environment, quantity=10),
        transaction_receipts.purchase(environment, productID="com.example.lamp.öl"),
        transaction_receipts.receipt(environment, otherEntries={"another-entry": "another value"}),
    ):
        receipt = sign(store, authority, environment, fields)
        assert verifier_for(store, chain.root, chain.intermediate)(receipt) == fields
        answer = store.tool.ask("transaction-receipt.environment", bytes=receipt)
        assert answer["environment"] == environment


def test_texts_keep_their_quotation_marks_and_backslashes(store, authority):
    chain = authority("sandbox", "receipt")
    fields = transaction_receipts.purchase("sandbox", productID='a "quoted" \\ id', applicationVersion="\\")
    receipt = sign(store, authority, "sandbox", fields)
    assert verifier_for(store, chain.root, chain.intermediate)(receipt) == fields


@pytest.fixture(scope="module")
def chain() -> ForeignChain:
    return ForeignChain.make(Plans.receipt())


@pytest.fixture
def verify(store, chain):
    return verifier_for(store, der(chain.root), der(chain.intermediate))


FIELDS = transaction_receipts.receipt("production")
INFO = transaction_receipts.write(transaction_receipts.entries(FIELDS, pacific))


@BOTH_ENVIRONMENTS
def test_a_foreign_receipt_is_read_field_by_field(chain, verify, environment):
    for fields in (transaction_receipts.receipt(environment), transaction_receipts.purchase(environment)):
        info = transaction_receipts.write(transaction_receipts.entries(fields, pacific))
        assert verify(transaction_receipts.make(info, chain.leaf_key, chain.leaf)) == fields


# Other ways in which the same list may be written.
WRITINGS = counted(
    5,
    [
        ("without tabs", lambda text: text.replace(b"\t", b"")),
        ("with carriage returns", lambda text: text.replace(b"\n", b"\r\n")),
        ("in one line", lambda text: text.replace(b"\n", b" ").replace(b"\t", b"")),
        ("with spaces about", lambda text: b"  \n" + text + b"\n\n  "),
        ("without spaces", lambda text: text.replace(b" = ", b"=")),
    ],
)


@pytest.mark.parametrize("rewrite", [case[1] for case in WRITINGS], ids=[case[0] for case in WRITINGS])
def test_white_space_does_not_matter(chain, verify, rewrite):
    receipt = transaction_receipts.make(rewrite(INFO), chain.leaf_key, chain.leaf)
    assert verify(rewrite(receipt)) == FIELDS


def test_one_flipped_bit_of_purchase_info_or_signature_is_refused(chain, verify):
    receipt = transaction_receipts.make(INFO, chain.leaf_key, chain.leaf)
    assert verify(receipt) == FIELDS
    entries = transaction_receipts.read(receipt)
    info = base64.b64decode(entries["purchase-info"])
    for position in spread(len(info), 200):
        damaged = {**entries, "purchase-info": base64.b64encode(flip(info, position, position % 8)).decode()}
        with refused("invalid_signature"):
            verify(transaction_receipts.write(damaged))
    blob = base64.b64decode(entries["signature"])
    for position in spread(256, 100):
        damaged = {**entries, "signature": base64.b64encode(flip(blob, 1 + position, position % 8)).decode()}
        with refused("invalid_signature"):
            verify(transaction_receipts.write(damaged))


def test_the_certificate_must_lead_to_the_trusted_root(store, chain):
    other = ForeignChain.make(Plans.receipt())
    receipt = transaction_receipts.make(INFO, chain.leaf_key, chain.leaf)
    for root, intermediate in ((other.root, other.intermediate), (other.root, chain.intermediate)):
        with refused("untrusted_chain"):
            verifier_for(store, der(root), der(intermediate))(receipt)
    with refused("untrusted_chain"):
        verifier_for(store, der(chain.root), der(other.intermediate))(receipt)
    # A leaf of the right chain, but the signature of another key.
    with refused("invalid_signature"):
        verifier_for(store, der(chain.root), der(chain.intermediate))(
            transaction_receipts.make(INFO, other.leaf_key, chain.leaf)
        )


BROKEN_CHAINS = counted(
    4,
    [
        ("no leaf marker", {"leaf": {"markers": ()}}, "invalid_certificate_purpose"),
        ("no intermediate marker", {"intermediate": {"markers": ()}}, "invalid_certificate_purpose"),
        ("leaf expired before the purchase", {"leaf": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
        ("root expired before the purchase", {"root": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
    ],
)


@pytest.mark.parametrize("changes, code", [case[1:] for case in BROKEN_CHAINS], ids=[c[0] for c in BROKEN_CHAINS])
def test_a_chain_with_one_defect_is_refused(store, changes, code):
    chain = ForeignChain.make(Plans.receipt(**changes))
    with refused(code):
        verifier_for(store, der(chain.root), der(chain.intermediate))(
            transaction_receipts.make(INFO, chain.leaf_key, chain.leaf)
        )


def test_an_older_purchase_may_be_signed_again_by_a_newer_leaf(chain, verify):
    """A restored purchase is older than the certificate that signs it today."""
    fields = transaction_receipts.purchase("production", purchaseDate=ISSUED_AT - 900 * DAY)
    info = transaction_receipts.write(transaction_receipts.entries(fields, pacific))
    assert verify(transaction_receipts.make(info, chain.leaf_key, chain.leaf)) == fields


@pytest.mark.parametrize("index", counted(3, [0, 1, 2]), ids=["leaf", "intermediate", "root"])
def test_a_revoked_certificate_vouches_for_nothing(store, chain, index):
    revoked = (chain.certificates[index].fingerprint(hashes.SHA256()),)
    receipt = transaction_receipts.make(INFO, chain.leaf_key, chain.leaf)
    with refused("revoked_certificate"):
        verifier_for(store, der(chain.root), der(chain.intermediate), revoked)(receipt)


def without(text: bytes, key: str) -> bytes:
    return transaction_receipts.write({k: v for k, v in transaction_receipts.read(text).items() if k != key})


def changed(text: bytes, **values: str) -> bytes:
    return transaction_receipts.write(
        transaction_receipts.read(text) | {name.replace("_", "-"): value for name, value in values.items()}
    )


BROKEN_LISTS = counted(
    16,
    [
        ("nothing", lambda text: b""),
        ("no brace", lambda text: text[:-1]),
        ("no opening brace", lambda text: text[1:]),
        ("a missing semicolon", lambda text: text.replace(b";", b"", 1)),
        ("a missing equals sign", lambda text: text.replace(b"=", b"", 1)),
        ("an open quotation mark", lambda text: text.replace(b'";', b";", 1)),
        ("something after it", lambda text: text + b"{}"),
        ("a comment", lambda text: b"/* receipt */" + text),
        ("a key twice", lambda text: text.replace(b"}", b'\t"quantity" = "1";\n\t"quantity" = "2";\n}')),
        ("a nested list", lambda text: text.replace(b"}", b'\t"more" = {};\n}')),
        ("an array", lambda text: text.replace(b"}", b'\t"more" = (1);\n}')),
        ("data", lambda text: text.replace(b"}", b'\t"more" = <00>;\n}')),
        ("an unknown escape", lambda text: text.replace(b"}", b'\t"more" = "\\q";\n}')),
        ("a backslash at the end", lambda text: text[: text.index(b'"')] + b'"\\'),
        ("bytes that are not UTF-8", lambda text: text.replace(b"}", b'\t"more" = "\xff";\n}')),
        ("XML", lambda text: b'<?xml version="1.0"?><plist/>'),
    ],
)


@pytest.mark.parametrize("damage", [case[1] for case in BROKEN_LISTS], ids=[case[0] for case in BROKEN_LISTS])
def test_a_broken_list_is_refused_outside_and_inside(chain, verify, damage):
    receipt = transaction_receipts.make(INFO, chain.leaf_key, chain.leaf)
    assert verify(receipt) == FIELDS
    with refused("malformed"):
        verify(damage(receipt))
    with refused("malformed"):
        verify(transaction_receipts.make(damage(INFO), chain.leaf_key, chain.leaf))


NEEDED = counted(
    10,
    "quantity product-id transaction-id original-transaction-id purchase-date-ms original-purchase-date-ms item-id bid"
    " bvrs unique-identifier".split(),
)


@pytest.mark.parametrize("key", NEEDED)
def test_a_missing_entry_is_refused(chain, verify, key):
    with refused("malformed"):
        verify(transaction_receipts.make(without(INFO, key), chain.leaf_key, chain.leaf))


@pytest.mark.parametrize("key", counted(2, ["signature", "purchase-info"]))
def test_a_missing_part_is_refused(chain, verify, key):
    receipt = transaction_receipts.make(INFO, chain.leaf_key, chain.leaf)
    for text in (without(receipt, key), changed(receipt, **{key: "%%%"})):
        with refused("malformed"):
            verify(text)
    with refused("malformed" if key == "signature" else "invalid_signature"):
        verify(changed(receipt, **{key: ""}))


def test_neither_form_of_receipt_is_taken_for_the_other(store, chain, verify):
    """One leaf signs both, and both may be signed over SHA-1: what was signed for one must be nothing in the other."""
    app_receipts = store.receipt_verifier(der(chain.root))
    with refused("malformed"):
        app_receipts.verify(Container(b"\x03" + INFO, chain, digest="sha1").encoded)
    with refused("malformed"):
        app_receipts.verify(transaction_receipts.make(INFO, chain.leaf_key, chain.leaf))
    with refused("malformed"):
        verify(Container(INFO, chain, digest="sha1").encoded)


def test_values_that_are_no_numbers_are_refused(chain, verify):
    for values in ({"quantity": "one"}, {"purchase_date_ms": "2026-02-03"}, {"expires_date": "soon"}):
        with refused("malformed"):
            verify(transaction_receipts.make(changed(INFO, **values), chain.leaf_key, chain.leaf))


def test_another_version_of_the_signature_is_refused(chain, verify):
    for version in (0, 1, 2, 4, 255):
        with refused("malformed"):
            verify(transaction_receipts.make(INFO, chain.leaf_key, chain.leaf, version=version))


def test_limits_are_kept(verify):
    with refused("too_large"):
        verify(b" " * (64 * 1024 + 1))
    with refused("too_large"):
        verify(transaction_receipts.write({f"key-{index}": "" for index in range(65)}))
