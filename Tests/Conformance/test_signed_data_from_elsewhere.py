"""The store's verifier accepts signed data that others made, and judges it as strictly as its own."""

import base64
import hmac
import json

import jwt
import pytest
from cryptography.hazmat.primitives import hashes, serialization

from support import foreign_jws, payloads
from support.counting import counted
from support.foreign_chain import ForeignChain, Marker, Plans, issue, p256, p384, rsa2048
from support.instants import DAY, ISSUED_AT, SIGNED_AT, YEAR
from support.refusal import refused
from support.store import INTERMEDIATE_MARKER, LEAF_MARKER
from support.tampering import from_base64url, header_of, spread, to_base64url, with_flipped, with_header
from support.tool import Refused

pytestmark = pytest.mark.rows("X3", "P3", "P37")


def der(certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.DER)


@pytest.fixture(scope="module")
def chain() -> ForeignChain:
    return ForeignChain.make(Plans.jws())


@pytest.fixture
def verifier(store, chain):
    return store.jws_verifier(der(chain.root))


@pytest.fixture
def jws(chain) -> str:
    return foreign_jws.sign(chain, payloads.transaction("sandbox"))


# What is signed, and the instant by which its certificates are judged.
SIGNED = counted(
    5,
    [
        ("transaction", payloads.transaction("production"), SIGNED_AT),
        ("renewal info", payloads.renewal_info("sandbox"), SIGNED_AT),
        ("app transaction", payloads.app_transaction("production"), SIGNED_AT),
        ("notification", payloads.notification("sandbox"), SIGNED_AT),
        ("a date with a fraction", payloads.transaction("sandbox", signedDate=SIGNED_AT + 0.5), SIGNED_AT + 1),
    ],
)


@pytest.mark.parametrize("payload, signed_at", [case[1:] for case in SIGNED], ids=[case[0] for case in SIGNED])
def test_foreign_signed_data_is_read_byte_for_byte(chain, verifier, payload, signed_at):
    verified = verifier.verify(foreign_jws.sign(chain, payload))
    assert json.loads(verified["payload"]) == payload
    assert verified["signedAt"] == signed_at
    assert int(verified["leafSerialNumber"], 16) == chain.leaf.serial_number


@pytest.mark.parametrize("typ", counted(2, ["JWT", None]))
def test_the_type_in_the_header_does_not_matter(chain, verifier, typ):
    jws = foreign_jws.sign(chain, payloads.transaction("sandbox"), typ=typ)
    assert header_of(jws).get("typ") == typ
    assert verifier.verify(jws)["signedAt"] == SIGNED_AT


def test_only_the_trusted_root_counts_not_the_third_certificate(store, chain, verifier):
    """As in Apple's verifiers: the third entry is the signer's claim, neither trusted nor compared."""
    other = ForeignChain.make(Plans.jws())
    foreign_third = foreign_jws.x5c(chain.leaf, chain.intermediate, other.root)
    assert verifier.verify(foreign_jws.sign(chain, payloads.transaction("sandbox"), x5c=foreign_third))
    trusted_third = foreign_jws.x5c(other.leaf, other.intermediate, chain.root)
    with refused("untrusted_chain"):
        verifier.verify(foreign_jws.sign(other, payloads.transaction("sandbox"), x5c=trusted_third))


def test_one_of_several_roots_is_enough(store, chain, jws):
    other = ForeignChain.make(Plans.jws())
    assert store.jws_verifier(der(other.root), der(chain.root)).verify(jws)["signedAt"] == SIGNED_AT


def test_without_roots_nothing_is_trusted(store, jws):
    with refused("untrusted_chain"):
        store.jws_verifier().verify(jws)


@pytest.mark.parametrize("index", counted(3, [0, 1, 2]), ids=["leaf", "intermediate", "root"])
def test_a_revoked_certificate_vouches_for_nothing(store, chain, jws, index):
    revoked = chain.certificates[index].fingerprint(hashes.SHA256())
    assert store.jws_verifier(der(chain.root)).verify(jws)
    with refused("revoked_certificate"):
        store.jws_verifier(der(chain.root), revoked=(revoked,)).verify(jws)


OTHER_OID = "1.2.840.113635.100.6.99"
# One defect per chain, by name: what is changed, and what the store says of it.
BROKEN_CHAINS = counted(
    15,
    [
        ("no leaf marker", {"leaf": {"markers": ()}}, "invalid_certificate_purpose"),
        ("no intermediate marker", {"intermediate": {"markers": ()}}, "invalid_certificate_purpose"),
        (
            "leaf with the marker of the intermediate",
            {"leaf": {"markers": (Marker(INTERMEDIATE_MARKER),)}},
            "invalid_certificate_purpose",
        ),
        ("critical leaf marker", {"leaf": {"markers": (Marker(LEAF_MARKER, True),)}}, "untrusted_chain"),
        (
            "critical intermediate marker",
            {"intermediate": {"markers": (Marker(INTERMEDIATE_MARKER, True),)}},
            "untrusted_chain",
        ),
        (
            "critical unknown extension in the leaf",
            {"leaf": {"markers": (Marker(LEAF_MARKER), Marker(OTHER_OID, True))}},
            "untrusted_chain",
        ),
        (
            "critical unknown extension in the intermediate",
            {"intermediate": {"markers": (Marker(INTERMEDIATE_MARKER), Marker(OTHER_OID, True))}},
            "untrusted_chain",
        ),
        ("intermediate that is no authority", {"intermediate": {"is_authority": False}}, "untrusted_chain"),
        ("P-384 leaf", {"leaf": {"make_key": p384}}, "algorithm_not_allowed"),
        ("leaf expired", {"leaf": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
        ("intermediate expired", {"intermediate": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
        ("root expired", {"root": {"not_after": SIGNED_AT - DAY}}, "outside_validity"),
        ("leaf not yet valid", {"leaf": {"not_before": SIGNED_AT + DAY}}, "outside_validity"),
        ("intermediate not yet valid", {"intermediate": {"not_before": SIGNED_AT + DAY}}, "outside_validity"),
        ("root not yet valid", {"root": {"not_before": SIGNED_AT + DAY}}, "outside_validity"),
    ],
)


@pytest.mark.rows("R4.3")
@pytest.mark.parametrize("changes, code", [case[1:] for case in BROKEN_CHAINS], ids=[c[0] for c in BROKEN_CHAINS])
def test_a_chain_with_one_defect_is_refused(store, changes, code):
    chain = ForeignChain.make(Plans.jws(**changes))
    # A P-384 key cannot make the ES256 that the header names; the chain is judged before the signature.
    if chain.leaf_key.curve.name == "secp256r1":
        jws = foreign_jws.sign(chain, payloads.transaction("sandbox"))
    else:
        jws = foreign_jws.sign(chain, payloads.transaction("sandbox"), algorithm="ES384")
        jws = with_header(jws, {**header_of(jws), "alg": "ES256"})
    with refused(code):
        store.jws_verifier(der(chain.root)).verify(jws)


def test_markers_may_hold_anything(store):
    leaf = {"markers": (Marker(LEAF_MARKER, content=b"\x0c\x03any"),)}
    chain = ForeignChain.make(Plans.jws(leaf=leaf))
    assert store.jws_verifier(der(chain.root)).verify(foreign_jws.sign(chain, payloads.transaction("sandbox")))


def test_an_rsa_leaf_is_refused(store):
    chain = ForeignChain.make(Plans.jws(leaf={"make_key": rsa2048}))
    jws = foreign_jws.sign(chain, payloads.transaction("sandbox"), algorithm="RS256")
    verifier = store.jws_verifier(der(chain.root))
    with refused("algorithm_not_allowed"):
        verifier.verify(jws)
    with refused("algorithm_not_allowed"):
        verifier.verify(with_header(jws, {**header_of(jws), "alg": "ES256"}))


def test_certificates_are_judged_at_the_second_of_signing(store):
    chain = ForeignChain.make(Plans.jws(leaf={"not_after": SIGNED_AT}))
    verifier = store.jws_verifier(der(chain.root))
    for at in (ISSUED_AT, SIGNED_AT, SIGNED_AT + 999):
        assert verifier.verify(foreign_jws.sign(chain, payloads.transaction("sandbox", signedDate=at)))
    for at in (ISSUED_AT - 1, SIGNED_AT + 1000):
        with refused("outside_validity"):
            verifier.verify(foreign_jws.sign(chain, payloads.transaction("sandbox", signedDate=at)))


@pytest.mark.parametrize("count", counted(5, [0, 1, 2, 4, 10]))
def test_a_header_with_another_number_of_certificates_is_refused(chain, verifier, count):
    entries = foreign_jws.x5c(*(chain.certificates + [chain.root] * 7))[:count]
    with refused("invalid_chain_length"):
        verifier.verify(foreign_jws.sign(chain, payloads.transaction("sandbox"), x5c=entries))


def test_a_leaf_straight_under_the_root_is_refused(store):
    """Three entries in the header, but only two certificates that lead to the root."""
    plans = Plans.jws()
    chain = ForeignChain.make(plans)
    key = p256()
    leaf = issue(plans.leaf, "Direct Leaf", key, chain.root, chain.root_key)
    direct = ForeignChain(leaf, chain.intermediate, chain.root, key, chain.root_key)
    with refused("invalid_chain_length"):
        store.jws_verifier(der(chain.root)).verify(foreign_jws.sign(direct, payloads.transaction("sandbox")))


@pytest.mark.rows("R4.3")
@pytest.mark.parametrize("algorithm", counted(7, ["none", "None", "HS256", "RS256", "ES384", "PS256", "es256"]))
def test_another_algorithm_in_the_header_is_refused(verifier, jws, algorithm):
    with refused("algorithm_not_allowed"):
        verifier.verify(with_header(jws, {**header_of(jws), "alg": algorithm}))


def test_a_token_under_a_shared_secret_is_refused(chain, verifier):
    """The classic confusion: HMAC keyed with the public key that the verifier would use."""
    public = chain.leaf.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    header = {"alg": "HS256", "x5c": foreign_jws.x5c(*chain.certificates)}
    signed = ".".join(to_base64url(payloads.as_bytes(part)) for part in (header, payloads.transaction("sandbox")))
    # By hand, because PyJWT rightly refuses to use a public key as a secret.
    signature = hmac.digest(public, signed.encode(), "sha256")
    with refused("algorithm_not_allowed"):
        verifier.verify(f"{signed}.{to_base64url(signature)}")


def test_an_unsigned_token_is_refused(chain, verifier):
    headers = {"x5c": foreign_jws.x5c(*chain.certificates)}
    with refused("algorithm_not_allowed"):
        verifier.verify(jwt.encode(payloads.transaction("sandbox"), None, algorithm="none", headers=headers))


def test_a_header_that_demands_extensions_is_refused(chain, verifier):
    with refused("malformed"):
        verifier.verify(foreign_jws.sign(chain, payloads.transaction("sandbox"), crit=["exp"], exp=1))


@pytest.mark.rows("R4.3")
@pytest.mark.parametrize("segment, flips", counted(2, [(1, 200), (2, 64)]), ids=["payload", "signature"])
def test_one_flipped_bit_is_refused_also_after_the_chain_is_known(verifier, jws, segment, flips):
    assert verifier.verify(jws)
    length = len(from_base64url(jws.split(".")[segment]))
    for position in spread(length, flips):
        with refused("invalid_signature"):
            verifier.verify(with_flipped(jws, segment, position, bit=position % 8))


@pytest.mark.rows("R4.3")
def test_one_flipped_bit_of_the_header_is_refused(verifier, jws):
    assert verifier.verify(jws)
    length = len(from_base64url(jws.split(".")[0]))
    codes = set()
    for position in spread(length, 250):
        with pytest.raises(Refused) as refusal:
            verifier.verify(with_flipped(jws, 0, position))
        codes.add(refusal.value.code)
    # Damage to the text, to a certificate that counts, and to the third, which only the signature covers.
    assert {"malformed", "untrusted_chain", "invalid_signature"} <= codes
    assert codes <= {"malformed", "untrusted_chain", "invalid_signature", "algorithm_not_allowed"} | {
        "invalid_chain_length", "invalid_certificate_purpose"
    }


# How the text of a JWS can be wrong; each makes one from a good one.
BROKEN_TEXTS = counted(
    18,
    [
        ("empty", lambda jws: ""),
        ("two dots only", lambda jws: ".."),
        ("one dot", lambda jws: ".".join(jws.split(".")[:2])),
        ("no dot", lambda jws: jws.replace(".", "")),
        ("three dots", lambda jws: jws + "."),
        ("a fourth segment", lambda jws: jws + ".AAAA"),
        ("no header", lambda jws: "." + jws.split(".", 1)[1]),
        ("no signature", lambda jws: jws.rsplit(".", 1)[0] + "."),
        ("a byte after it", lambda jws: jws + "A"),
        ("four bytes after it", lambda jws: jws + "AAAA"),
        ("a space after it", lambda jws: jws + " "),
        ("a line feed before it", lambda jws: "\n" + jws),
        ("padding", lambda jws: jws + "=="),
        ("the standard alphabet", lambda jws: jws.replace("-", "+").replace("_", "/")),
        ("stray bits in the last character", lambda jws: jws[:-1] + chr(ord(jws[-1]) + 1)),
        ("a NUL inside", lambda jws: jws[:100] + "\0" + jws[100:]),
        ("a header that is no object", lambda jws: to_base64url(b"[]") + "." + jws.split(".", 1)[1]),
        ("a header that is cut off", lambda jws: to_base64url(b'{"alg":"ES256"') + "." + jws.split(".", 1)[1]),
    ],
)


@pytest.mark.parametrize("damage", [case[1] for case in BROKEN_TEXTS], ids=[case[0] for case in BROKEN_TEXTS])
def test_a_malformed_text_is_refused_as_such(chain, verifier, damage):
    jws = foreign_jws.sign(chain, payloads.transaction("sandbox"))
    # Both alphabets must differ in it, and the last character must have room for a stray bit.
    while "-" not in jws.split(".")[2] or jws[-1] not in "AQgw":
        jws = foreign_jws.sign(chain, payloads.transaction("sandbox"))
    assert verifier.verify(jws)
    with refused("malformed"):
        verifier.verify(damage(jws))


def test_a_jws_above_the_limit_is_refused(chain, verifier):
    with refused("too_large"):
        verifier.verify(foreign_jws.sign(chain, payloads.transaction("sandbox", note="x" * 256 * 1024)))


# Signed as they should be, but without a date to judge the certificates by.
DATELESS = counted(
    8,
    [
        ("no date", {"a": 1}),
        ("a date in text", {"signedDate": "2026-02-03T04:05:06Z"}),
        ("a date beyond all dates", {"signedDate": 10**17}),
        ("a date of infinite size", {"signedDate": float("inf")}),
        ("a date of 400 digits", {"signedDate": 10**400}),
        ("null", {"signedDate": None}),
        ("a list", [1, 2]),
        ("a number", 1),
    ],
)


@pytest.mark.parametrize("payload", [case[1] for case in DATELESS], ids=[case[0] for case in DATELESS])
def test_signed_data_without_a_date_is_refused(chain, verifier, payload):
    headers = {"alg": "ES256", "x5c": foreign_jws.x5c(*chain.certificates)}
    jws = jwt.api_jws.encode(json.dumps(payload).encode(), chain.leaf_key, algorithm="ES256", headers=headers)
    with refused("malformed"):
        verifier.verify(jws)


def test_a_certificate_with_bytes_after_it_is_refused(chain, verifier):
    entries = foreign_jws.x5c(*chain.certificates)
    entries[0] = base64.b64encode(der(chain.leaf) + b"\x00").decode()
    with refused("malformed"):
        verifier.verify(foreign_jws.sign(chain, payloads.transaction("sandbox"), x5c=entries))
