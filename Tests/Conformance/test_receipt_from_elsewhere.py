"""The store's verifier reads app receipts that others made, in all the forms in which they occur."""

import base64

import pytest
from cryptography.hazmat.primitives import hashes, serialization

from support import attributes, der, openssl, receipts
from support.counting import counted
from support.foreign_chain import ForeignChain, Plans
from support.foreign_receipt import Container
from support.instants import ISSUED_AT, SIGNED_AT, YEAR, instant
from support.refusal import refused

pytestmark = pytest.mark.rows("R4.3", "R5.2", "P39")

FIELDS = receipts.receipt(
    "production", [receipts.subscription(), receipts.consumable("2000000000000043"), receipts.consumable("7", 10)]
)
PAYLOAD = attributes.payload(FIELDS)


def by_transaction(fields: dict) -> dict:
    """The receipt with its purchases in the order of their transactions: a set has none of its own."""
    purchases = sorted(fields["purchases"], key=lambda purchase: purchase["transactionID"])
    return {**fields, "purchases": purchases}


@pytest.fixture(scope="module")
def chain() -> ForeignChain:
    return ForeignChain.make(Plans.receipt())


@pytest.fixture
def verifier(store, chain):
    return store.receipt_verifier(chain.root.public_bytes(serialization.Encoding.DER))


# How a good container may look.
FORMS = counted(
    12,
    [
        ("as the App Store makes it", {}),
        ("SHA-1, as before 2023", {"digest": "sha1"}),
        ("combined algorithm", {"signature_algorithm": "sha256_rsa"}),
        ("SHA-1 and combined algorithm", {"digest": "sha1", "signature_algorithm": "sha1_rsa"}),
        ("signed attributes", {"signed_attributes": True}),
        ("SHA-1 and signed attributes", {"digest": "sha1", "signed_attributes": True}),
        ("open lengths", {"open_lengths": True}),
        ("open lengths in small pieces", {"open_lengths": True, "chunk": 7}),
        ("open lengths and signed attributes", {"open_lengths": True, "signed_attributes": True}),
        ("a nested octet string", {"nested": True}),
        ("a nested octet string in open lengths", {"nested": True, "open_lengths": True}),
        ("two signatures of one signer", {"signers": 2}),
    ],
)


@pytest.mark.parametrize("form", [case[1] for case in FORMS], ids=[case[0] for case in FORMS])
def test_every_form_of_container_is_read_with_exactly_its_values(chain, verifier, form, tmp_path):
    receipt = Container(PAYLOAD, chain, **form).encoded
    # Were the form not a good one, this test would prove nothing: a third party must accept it as well.
    said = openssl.verify_cms(receipt, chain.root, SIGNED_AT, tmp_path)
    assert said[0] is not None, said[1]
    assert by_transaction(verifier.verify(receipt)) == by_transaction(FIELDS)


ORDERS = counted(
    7,
    [
        ("root first", lambda c: (c.root, c.intermediate, c.leaf)),
        ("intermediate first", lambda c: (c.intermediate, c.leaf, c.root)),
        ("root in the middle", lambda c: (c.leaf, c.root, c.intermediate)),
        ("without the root", lambda c: (c.leaf, c.intermediate)),
        ("without the root, intermediate first", lambda c: (c.intermediate, c.leaf)),
        ("with everything twice", lambda c: tuple(c.certificates * 2)),
        ("with ten certificates", lambda c: tuple(c.certificates + [c.root] * 7)),
    ],
)


@pytest.mark.parametrize("choose", [case[1] for case in ORDERS], ids=[case[0] for case in ORDERS])
def test_certificates_may_come_in_any_order(chain, verifier, choose):
    receipt = Container(PAYLOAD, chain, certificates=choose(chain)).encoded
    assert by_transaction(verifier.verify(receipt)) == by_transaction(FIELDS)


OPTIONS = counted(
    6,
    [
        ("no attributes", ["-noattr"]),
        ("no attributes, SHA-1", ["-noattr", "-md", "sha1"]),
        ("no attributes, streamed", ["-noattr", "-stream"]),
        ("signed attributes", ["-md", "sha256"]),
        ("signed attributes, SHA-1", ["-md", "sha1"]),
        ("signed attributes, streamed", ["-md", "sha256", "-stream"]),
    ],
)


@pytest.mark.parametrize("options", [case[1] for case in OPTIONS], ids=[case[0] for case in OPTIONS])
def test_what_openssl_signs_is_read_with_exactly_its_values(chain, verifier, options, tmp_path):
    others = [chain.intermediate, chain.root]
    receipt = openssl.sign_cms(PAYLOAD, (chain.leaf_key, chain.leaf), others, tmp_path, *options)
    assert by_transaction(verifier.verify(receipt)) == by_transaction(FIELDS)


@pytest.mark.parametrize("environment", counted(2, ["sandbox", "production"]))
def test_a_receipt_without_purchases_is_read(chain, verifier, environment):
    fields = receipts.bare_receipt(environment)
    assert verifier.verify(Container(attributes.payload(fields), chain).encoded) == fields


def test_attributes_in_any_order_are_read(store):
    found = attributes.read(PAYLOAD)
    assert len(found) == 17
    backwards = b"".join(
        attributes.Attribute({"type": t, "version": v, "value": value}).dump() for t, v, value in reversed(found)
    )
    assert by_transaction(store.read_payload(der.value(0x31, backwards))) == by_transaction(FIELDS)


def test_what_older_receipts_leave_out_is_filled_in(store):
    """A first purchase is its own original; numbers and texts that are missing are zero and empty."""
    purchase = {
        "productID": "com.example.lamp.monthly",
        "transactionID": "1000000000000001",
        "purchaseDate": instant("2013-08-01T07:00:00"),
    }
    fields = {"bundleID": "com.example.lamp", "creationDate": SIGNED_AT, "purchases": [purchase]}
    read = store.read_payload(attributes.payload(fields))
    assert read["bundleID"] == "com.example.lamp"
    assert read["creationDate"] == SIGNED_AT
    assert (read["appID"], read["type"], read["deviceHash"]) == (0, "", "")
    (found,) = read["purchases"]
    assert found["originalTransactionID"] == "1000000000000001"
    assert found["originalPurchaseDate"] == purchase["purchaseDate"]
    assert found["quantity"] == 1
    assert not {"kind", "expirationDate", "webOrderLineItemID", "cancellationDate"} & set(found)


def test_empty_dates_and_a_zero_order_are_no_values(store):
    empty = [(1708, 1, attributes.ia5("")), (1712, 1, attributes.ia5("")), (1711, 1, attributes.integer(0))]
    purchase = attributes.named(receipts.consumable("7"), attributes.PURCHASE_FIELDS) + empty
    head = attributes.named(receipts.bare_receipt("sandbox"), attributes.APP_FIELDS)
    payload = attributes.write(head + [(21, 1, attributes.ia5("")), (17, 1, attributes.write(purchase))])
    assert store.read_payload(payload) == {**receipts.bare_receipt("sandbox"), "purchases": [receipts.consumable("7")]}


def test_attributes_without_a_name_are_kept_and_reserved_ones_skipped(store):
    head = attributes.named(receipts.bare_receipt("sandbox"), attributes.APP_FIELDS)
    more = [(6, 1, bytes(50)), (25, 1, attributes.integer(3)), (4711, 3, b"not even ASN.1")]
    read = store.read_payload(attributes.write(head + more))
    kept = {"type": 4711, "version": 3, "value": base64.b64encode(b"not even ASN.1").decode()}
    assert read == receipts.bare_receipt("sandbox", otherAttributes=[kept])


def test_an_expired_chain_still_vouches_for_what_was_signed_in_its_time(store):
    """Leaves live about a year and receipts for ever: only the date in the receipt counts."""
    start = ISSUED_AT - 9 * YEAR
    plans = Plans.receipt(
        leaf={"not_before": start, "not_after": start + YEAR},
        intermediate={"not_before": start, "not_after": start + 5 * YEAR},
        root={"not_before": start},
    )
    old = ForeignChain.make(plans)
    verifier = store.receipt_verifier(old.root.public_bytes(serialization.Encoding.DER))
    fields = receipts.bare_receipt("production", creationDate=start + 1000)
    assert verifier.verify(Container(attributes.payload(fields), old).encoded) == fields
    late = receipts.bare_receipt("production", creationDate=start + YEAR + 1000)
    with refused("outside_validity"):
        verifier.verify(Container(attributes.payload(late), old).encoded)


@pytest.mark.parametrize("index", counted(3, [0, 1, 2]), ids=["leaf", "intermediate", "root"])
def test_a_revoked_certificate_vouches_for_nothing(store, chain, index):
    receipt = Container(PAYLOAD, chain).encoded
    root = chain.root.public_bytes(serialization.Encoding.DER)
    assert store.receipt_verifier(root).verify(receipt)
    revoked = chain.certificates[index].fingerprint(hashes.SHA256())
    with refused("revoked_certificate"):
        store.receipt_verifier(root, revoked=(revoked,)).verify(receipt)
