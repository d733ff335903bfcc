"""The store's verifier refuses every receipt that is not wholly right, and names what is wrong."""

import pytest
from cryptography.hazmat.primitives import serialization

from support import attributes, der, openssl, receipts
from support.counting import counted
from support.foreign_chain import ForeignChain, Marker, Plans, issue, p256, rsa2048
from support.foreign_receipt import Container, attributes_for
from support.instants import DAY, SIGNED_AT
from support.refusal import refused
from support.store import INTERMEDIATE_MARKER, LEAF_MARKER
from support.tampering import flip, spread
from support.tool import Refused

pytestmark = pytest.mark.rows("R4.3", "P39", "P14")

FIELDS = receipts.receipt("production", [receipts.subscription(), receipts.consumable("2000000000000043")])
PAYLOAD = attributes.payload(FIELDS)


def root_of(chain: ForeignChain) -> bytes:
    return chain.root.public_bytes(serialization.Encoding.DER)


@pytest.fixture(scope="module")
def chain() -> ForeignChain:
    return ForeignChain.make(Plans.receipt())


@pytest.fixture
def good(chain) -> Container:
    return Container(PAYLOAD, chain)


@pytest.fixture
def verifier(store, chain, good):
    """A verifier that has just accepted the good receipt, so that it knows its chain."""
    verifier = store.receipt_verifier(root_of(chain))
    assert verifier.verify(good.encoded)["bundleID"] == FIELDS["bundleID"]
    return verifier


def test_the_root_must_be_a_trusted_one(store, good):
    other = ForeignChain.make(Plans.receipt())
    with refused("untrusted_chain"):
        store.receipt_verifier(root_of(other)).verify(good.encoded)
    with refused("untrusted_chain"):
        store.receipt_verifier().verify(good.encoded)


EMBEDDED = counted(
    5,
    [
        ("no certificates", lambda c: ()),
        ("only the leaf", lambda c: (c.leaf,)),
        ("leaf and root", lambda c: (c.leaf, c.root)),
        ("intermediate and root", lambda c: (c.intermediate, c.root)),
        ("only the root", lambda c: (c.root,)),
    ],
)


@pytest.mark.parametrize("choose", [case[1] for case in EMBEDDED], ids=[case[0] for case in EMBEDDED])
def test_leaf_and_intermediate_must_be_embedded(chain, verifier, good, choose):
    with refused("untrusted_chain"):
        verifier.verify(good.changed(certificates=choose(chain)).encoded)


OTHER_OID = "1.2.840.113635.100.6.99"
BROKEN_CHAINS = counted(
    11,
    [
        ("no leaf marker", {"leaf": {"markers": ()}}, "invalid_certificate_purpose"),
        ("no intermediate marker", {"intermediate": {"markers": ()}}, "invalid_certificate_purpose"),
        ("critical leaf marker", {"leaf": {"markers": (Marker(LEAF_MARKER, True),)}}, "untrusted_chain"),
        (
            "critical unknown extension",
            {"intermediate": {"markers": (Marker(INTERMEDIATE_MARKER), Marker(OTHER_OID, True))}},
            "untrusted_chain",
        ),
        ("intermediate that is no authority", {"intermediate": {"is_authority": False}}, "untrusted_chain"),
        ("leaf expired", {"leaf": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
        ("intermediate expired", {"intermediate": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
        ("root expired", {"root": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
        ("leaf not yet valid", {"leaf": {"not_before": SIGNED_AT + DAY}}, "outside_validity"),
        ("intermediate not yet valid", {"intermediate": {"not_before": SIGNED_AT + DAY}}, "outside_validity"),
        ("root not yet valid", {"root": {"not_before": SIGNED_AT + DAY}}, "outside_validity"),
    ],
)


@pytest.mark.parametrize("changes, code", [case[1:] for case in BROKEN_CHAINS], ids=[c[0] for c in BROKEN_CHAINS])
def test_a_chain_with_one_defect_is_refused(store, changes, code):
    chain = ForeignChain.make(Plans.receipt(**changes))
    with refused(code):
        store.receipt_verifier(root_of(chain)).verify(Container(PAYLOAD, chain).encoded)


def test_a_leaf_straight_under_the_root_is_refused(store, chain):
    key = rsa2048()
    leaf = issue(Plans.receipt().leaf, "Direct Leaf", key, chain.root, chain.root_key)
    direct = ForeignChain(leaf, chain.intermediate, chain.root, key, chain.root_key)
    with refused("invalid_chain_length"):
        store.receipt_verifier(root_of(chain)).verify(Container(PAYLOAD, direct).encoded)


def test_a_single_self_signed_certificate_is_refused_even_if_trusted(store):
    """What Xcode signs its local receipts with."""
    chain = ForeignChain.make(Plans.receipt(root={"is_authority": False, "markers": (Marker(LEAF_MARKER),)}))
    local = ForeignChain(chain.root, chain.root, chain.root, chain.root_key, chain.root_key)
    receipt = Container(PAYLOAD, local, certificates=(chain.root,), open_lengths=True, nested=True).encoded
    with refused("invalid_chain_length"):
        store.receipt_verifier(root_of(local)).verify(receipt)
    with refused("untrusted_chain"):
        store.receipt_verifier().verify(receipt)


def test_an_elliptic_leaf_is_refused(store, tmp_path):
    chain = ForeignChain.make(Plans.receipt(leaf={"make_key": p256}))
    others = [chain.intermediate, chain.root]
    receipt = openssl.sign_cms(PAYLOAD, (chain.leaf_key, chain.leaf), others, tmp_path, "-noattr")
    with refused("algorithm_not_allowed"):
        store.receipt_verifier(root_of(chain)).verify(receipt)


def test_a_chain_of_signed_json_signs_no_receipts(store, authority, tmp_path):
    """The two purposes have chains of their own; neither vouches for the other's."""
    jws_chain = authority("sandbox", "jws")
    leaf, *others = jws_chain.certificates
    receipt = openssl.sign_cms(PAYLOAD, (jws_chain.leaf_key, leaf), others, tmp_path, "-noattr")
    with refused("algorithm_not_allowed"):
        store.receipt_verifier(jws_chain.root).verify(receipt)


def test_other_digests_are_refused(verifier, good):
    with refused("algorithm_not_allowed"):
        verifier.verify(good.changed(digest="sha384").encoded)


@pytest.mark.parametrize("algorithm", counted(2, ["sha512_rsa", "sha1_rsa"]))
def test_other_signature_algorithms_are_refused(verifier, good, algorithm):
    with refused("algorithm_not_allowed"):
        verifier.verify(good.changed(signature_algorithm=algorithm).encoded)


def test_the_probabilistic_padding_is_refused(chain, verifier, tmp_path):
    others = [chain.intermediate, chain.root]
    options = ["-noattr", "-keyopt", "rsa_padding_mode:pss"]
    with refused("algorithm_not_allowed"):
        verifier.verify(openssl.sign_cms(PAYLOAD, (chain.leaf_key, chain.leaf), others, tmp_path, *options))


def test_a_signer_named_by_key_identifier_is_refused(chain, verifier, tmp_path):
    others = [chain.intermediate, chain.root]
    receipt = openssl.sign_cms(PAYLOAD, (chain.leaf_key, chain.leaf), others, tmp_path, "-noattr", "-keyid")
    with refused("malformed"):
        verifier.verify(receipt)


# The digest and the kind of content are what signed attributes are for: without them they vouch for nothing.
SIGNED_ATTRIBUTES = counted(
    5,
    [
        ("another digest", attributes_for(b"another payload")),
        ("a digest of another algorithm", attributes_for(PAYLOAD, "sha1")),
        ("no digest", attributes_for(PAYLOAD, message_digest=None)),
        ("no content type", attributes_for(PAYLOAD, content_type=None)),
        ("another content type", attributes_for(PAYLOAD, content_type="signed_data")),
    ],
)


@pytest.mark.parametrize("chosen", [case[1] for case in SIGNED_ATTRIBUTES], ids=[c[0] for c in SIGNED_ATTRIBUTES])
def test_signed_attributes_must_name_the_payload(verifier, good, chosen):
    assert verifier.verify(good.changed(signed_attributes=attributes_for(PAYLOAD)).encoded)
    with refused("invalid_signature"):
        verifier.verify(good.changed(signed_attributes=chosen).encoded)


def test_signed_attributes_taken_for_a_payload_are_refused(verifier, good):
    """The attributes are bytes that the leaf did sign; offered as the payload they are no receipt."""
    with_attributes = good.changed(signed_attributes=True)
    swapped = good.changed(payload=attributes_for(PAYLOAD).untag().dump(force=True))
    assert verifier.verify(with_attributes.encoded)
    with refused("malformed"):
        verifier.verify(swapped.encoded)


def test_a_payload_exchanged_for_another_is_refused(verifier, good):
    other = attributes.payload({**FIELDS, "bundleID": "com.example.tork"})
    assert len(other) == len(PAYLOAD)
    receipt = good.encoded
    assert receipt.count(PAYLOAD) == 1
    with refused("invalid_signature"):
        verifier.verify(receipt.replace(PAYLOAD, other))


@pytest.mark.parametrize("flips", counted(1, [400]))
def test_one_flipped_bit_of_payload_or_signature_is_refused(verifier, good, flips):
    receipt = good.encoded
    start = receipt.index(PAYLOAD)
    positions = [start + offset for offset in spread(len(PAYLOAD), flips - 100)]
    positions += [len(receipt) - 256 + offset for offset in spread(256, 100)]
    assert len(positions) == flips
    for position in positions:
        with refused("invalid_signature"):
            verifier.verify(flip(receipt, position, bit=position % 8))


def test_one_flipped_bit_anywhere_never_changes_what_a_receipt_says(verifier, good):
    """Some bits of a container mean nothing, such as version numbers and the root that the store has of its own."""
    receipt = good.encoded
    said = verifier.verify(receipt)
    refusals = 0
    for position in spread(len(receipt), 1500):
        try:
            assert verifier.verify(flip(receipt, position, bit=position % 8)) == said
        except Refused:
            refusals += 1
    assert refusals > 1000


def test_every_cut_off_receipt_is_refused(verifier, good):
    receipt = good.encoded
    for length in spread(len(receipt), 300)[:-1]:
        with refused("malformed"):
            verifier.verify(receipt[:length])


def test_bytes_after_the_receipt_are_refused(verifier, good):
    for more in (b"\x00", b"\x00\x00", good.encoded):
        with refused("malformed"):
            verifier.verify(good.encoded + more)


def test_limits_are_kept(chain, verifier, good):
    with refused("too_large"):
        verifier.verify(good.changed(certificates=tuple(chain.certificates + [chain.root] * 8)).encoded)
    with refused("too_large"):
        verifier.verify(good.changed(signers=5).encoded)
    with refused("too_large"):
        verifier.verify(bytes(3 * 1024 * 1024 + 1))


NOT_RECEIPTS = counted(
    9,
    [
        ("nothing", b""),
        ("text", b"this is no receipt"),
        ("one octet", b"\x30"),
        ("an empty sequence", der.value(0x30)),
        ("a thousand openings", b"\x30\x80" * 1000),
        ("a thousand nested octet strings", b"\x24\x80" * 1000),
        ("an impossible length", b"\x30\x84\xff\xff\xff\xff"),
        ("a length of nine octets", b"\x30\x89" + bytes(9)),
        ("a tag of several octets", b"\x3f\x81\x01\x00"),
    ],
)


@pytest.mark.parametrize("data", [case[1] for case in NOT_RECEIPTS], ids=[case[0] for case in NOT_RECEIPTS])
def test_what_is_no_receipt_is_refused(store, verifier, data):
    for ask in (verifier.verify, store.read_payload):
        with pytest.raises(Refused) as refusal:
            ask(data)
        assert refusal.value.code in ("malformed", "too_large")


@pytest.mark.parametrize("kind", counted(3, ["signed_data", "enveloped_data", "digested_data"]))
def test_content_that_is_not_plain_data_is_refused(verifier, good, kind):
    with refused("malformed"):
        verifier.verify(good.changed(content_type=kind).encoded)


def payload_with(*changed: tuple[int, int, bytes], without: tuple[int, ...] = ()) -> bytes:
    dropped = {number for number, _, _ in changed} | set(without)
    named = attributes.named(receipts.bare_receipt("sandbox"), attributes.APP_FIELDS)
    return attributes.write([each for each in named if each[0] not in dropped] + list(changed))


def purchase_with(*changed: tuple[int, int, bytes], without: tuple[int, ...] = ()) -> bytes:
    dropped = {number for number, _, _ in changed} | set(without)
    named = attributes.named(receipts.subscription(), attributes.PURCHASE_FIELDS)
    purchase = attributes.write([each for each in named if each[0] not in dropped] + list(changed))
    return payload_with((17, 1, purchase))


BROKEN_PAYLOADS = counted(
    19,
    [
        ("no bundle", payload_with(without=(2,))),
        ("no date", payload_with(without=(12,))),
        ("an empty date", payload_with((12, 1, attributes.ia5("")))),
        ("a date that is none", payload_with((12, 1, attributes.ia5("2026-02-30T00:00:00Z")))),
        ("a date with a comma", payload_with((12, 1, attributes.ia5("2026-02-03 04:05:06")))),
        ("a bundle that is a number", payload_with((2, 1, attributes.integer(1)))),
        ("a bundle that is not UTF-8", payload_with((2, 1, b"\x0c\x02\xff\xfe"))),
        ("a bundle without its tag", payload_with((2, 1, b"com.example.lamp"))),
        ("two values in one attribute", payload_with((2, 1, attributes.utf8("a") * 2))),
        ("a number of 72 bits", payload_with((1, 1, attributes.integer(1 << 70)))),
        ("a number without digits", payload_with((1, 1, b"\x02\x00"))),
        ("a purchase that is no set", payload_with((17, 1, attributes.integer(1)))),
        ("a purchase that is a sequence", payload_with((17, 1, der.value(0x30)))),
        ("an empty purchase", payload_with((17, 1, der.value(0x31)))),
        ("no product", purchase_with(without=(1702,))),
        ("no transaction", purchase_with(without=(1703,))),
        ("no purchase date", purchase_with(without=(1704,))),
        ("a quantity in text", purchase_with((1701, 1, attributes.utf8("1")))),
        ("bytes after the set", payload_with() + b"\x00"),
    ],
)


@pytest.mark.parametrize("payload", [case[1] for case in BROKEN_PAYLOADS], ids=[case[0] for case in BROKEN_PAYLOADS])
def test_a_payload_that_is_signed_but_broken_is_refused(store, verifier, good, payload):
    assert store.read_payload(payload_with())
    assert store.read_payload(purchase_with())
    with refused("malformed"):
        store.read_payload(payload)
    with refused("malformed"):
        verifier.verify(good.changed(payload=payload).encoded)
