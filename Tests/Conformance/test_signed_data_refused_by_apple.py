"""Apple's verifier refuses the store's signed data as soon as anything about it is wrong, and says why."""

import base64

import jwt
import pytest
from appstoreserverlibrary.signed_data_verifier import VerificationStatus

from support import apple, payloads
from support.counting import counted
from support.instants import DAY, ISSUED_AT, SIGNED_AT, YEAR
from support.store import INTERMEDIATE_MARKER, LEAF_MARKER, Part
from support.tampering import flip, from_base64url, header_of, spread, with_flipped, with_header

pytestmark = pytest.mark.rows("X3", "P3", "R4.3")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))
EVERY_KIND = pytest.mark.parametrize("kind", counted(5, list(apple.KINDS)))


def signed(chain, kind: str, environment: str, **changes) -> str:
    return chain.sign_json(payloads.as_bytes(apple.KINDS[kind][1](environment, **changes)), at=SIGNED_AT)


@pytest.mark.parametrize("segment, flips", counted(2, [(1, 48), (2, 64)]), ids=["payload", "signature"])
@EVERY_KIND
@BOTH_ENVIRONMENTS
def test_one_flipped_bit_is_refused(authority, environment, kind, segment, flips):
    chain = authority(environment, "jws")
    verifier = apple.verifier(chain.root, environment)
    jws = signed(chain, kind, environment)
    assert apple.status_of(kind, verifier, jws) == VerificationStatus.OK
    length = len(from_base64url(jws.split(".")[segment]))
    statuses = [
        apple.status_of(kind, verifier, with_flipped(jws, segment, position, bit=index % 8))
        for index, position in enumerate(spread(length, flips))
    ]
    assert statuses == [VerificationStatus.VERIFICATION_FAILURE] * flips


@BOTH_ENVIRONMENTS
def test_one_flipped_bit_of_the_header_is_refused(authority, environment):
    chain = authority(environment, "jws")
    verifier = apple.verifier(chain.root, environment)
    jws = signed(chain, "transaction", environment)
    assert apple.status_of("transaction", verifier, jws) == VerificationStatus.OK
    length = len(from_base64url(jws.split(".")[0]))
    statuses = [
        apple.status_of("transaction", verifier, with_flipped(jws, 0, position)) for position in spread(length, 150)
    ]
    # Which of the two depends on whether the damaged certificate still parses; nothing else may happen.
    assert set(statuses) == {VerificationStatus.VERIFICATION_FAILURE, VerificationStatus.INVALID_CERTIFICATE}


@pytest.mark.parametrize("index", counted(3, [0, 1, 2]), ids=["leaf", "intermediate", "root"])
@BOTH_ENVIRONMENTS
def test_one_flipped_bit_in_the_signature_of_a_certificate_is_refused(authority, environment, index):
    chain = authority(environment, "jws")
    jws = signed(chain, "transaction", environment)
    header = header_of(jws)
    der = base64.b64decode(header["x5c"][index])
    header["x5c"][index] = base64.b64encode(flip(der, len(der) - 1)).decode()
    assert (
        apple.status_of("transaction", apple.verifier(chain.root, environment), with_header(jws, header))
        == VerificationStatus.VERIFICATION_FAILURE
    )


MARKERS = counted(
    4,
    [
        ("both markers", (LEAF_MARKER,), (INTERMEDIATE_MARKER,), VerificationStatus.OK),
        ("no leaf marker", (), (INTERMEDIATE_MARKER,), VerificationStatus.VERIFICATION_FAILURE),
        ("no intermediate marker", (LEAF_MARKER,), (), VerificationStatus.VERIFICATION_FAILURE),
        ("exchanged markers", (INTERMEDIATE_MARKER,), (LEAF_MARKER,), VerificationStatus.VERIFICATION_FAILURE),
    ],
)


@pytest.mark.parametrize("leaf, intermediate, expected", [case[1:] for case in MARKERS], ids=[c[0] for c in MARKERS])
@BOTH_ENVIRONMENTS
def test_both_markers_are_demanded(store, environment, leaf, intermediate, expected):
    span = (ISSUED_AT, ISSUED_AT + YEAR)
    chain = store.assemble("jws", Part(*span), Part(*span, intermediate), Part(*span, leaf))
    jws = signed(chain, "transaction", environment)
    assert apple.status_of("transaction", apple.verifier(chain.root, environment), jws) == expected


@EVERY_KIND
@BOTH_ENVIRONMENTS
def test_another_root_is_refused(store, authority, environment, kind):
    chain = authority(environment, "jws")
    # Issued alike, so that the names are the same and only the key tells them apart.
    other = store.authority(environment, "jws", issued_at=ISSUED_AT)
    jws = signed(chain, kind, environment)
    assert apple.status_of(kind, apple.verifier(chain.root, environment), jws) == VerificationStatus.OK
    assert (
        apple.status_of(kind, apple.verifier(other.root, environment), jws) == VerificationStatus.VERIFICATION_FAILURE
    )


def test_the_root_of_the_other_environment_is_refused(authority):
    jws = signed(authority("sandbox", "jws"), "transaction", "production")
    verifier = apple.verifier(authority("production", "jws").root, "production")
    assert apple.status_of("transaction", verifier, jws) == VerificationStatus.VERIFICATION_FAILURE


@pytest.mark.parametrize("kind", counted(3, ["transaction", "app transaction", "notification"]))
@BOTH_ENVIRONMENTS
def test_another_bundle_is_refused(authority, environment, kind):
    chain = authority(environment, "jws")
    verifier = apple.verifier(chain.root, environment, bundle_id="com.example.torch")
    assert (
        apple.status_of(kind, verifier, signed(chain, kind, environment)) == VerificationStatus.INVALID_APP_IDENTIFIER
    )


@EVERY_KIND
@BOTH_ENVIRONMENTS
def test_the_other_environment_is_refused(authority, environment, kind):
    chain = authority(environment, "jws")
    claimed = "production" if environment == "sandbox" else "sandbox"
    verifier = apple.verifier(chain.root, environment)
    assert apple.status_of(kind, verifier, signed(chain, kind, claimed)) == VerificationStatus.INVALID_ENVIRONMENT


@pytest.mark.parametrize("kind", counted(3, ["app transaction", "notification", "realtime request"]))
def test_another_app_id_is_refused_in_production_only(authority, kind):
    expected = {
        "production": VerificationStatus.INVALID_APP_IDENTIFIER,
        "sandbox": VerificationStatus.OK,
    }
    for environment, status in expected.items():
        chain = authority(environment, "jws")
        verifier = apple.verifier(chain.root, environment, app_id=payloads.APP_ID + 1)
        assert apple.status_of(kind, verifier, signed(chain, kind, environment)) == status


@pytest.mark.parametrize("late", counted(2, [False, True]), ids=["before", "after"])
@pytest.mark.parametrize("role", counted(3, ["root", "intermediate", "leaf"]))
@BOTH_ENVIRONMENTS
def test_a_signing_date_outside_the_validity_of_any_certificate_is_refused(store, environment, role, late):
    wide = (SIGNED_AT - YEAR, SIGNED_AT + YEAR)
    narrow = (SIGNED_AT - YEAR, SIGNED_AT - DAY) if late else (SIGNED_AT + DAY, SIGNED_AT + YEAR)
    spans = {name: narrow if name == role else wide for name in ("root", "intermediate", "leaf")}
    chain = store.assemble(
        "jws",
        Part(*spans["root"]),
        Part(*spans["intermediate"], (INTERMEDIATE_MARKER,)),
        Part(*spans["leaf"], (LEAF_MARKER,)),
    )
    inside = SIGNED_AT - 2 * DAY if late else SIGNED_AT + 2 * DAY
    for at, expected in [(inside, VerificationStatus.OK), (SIGNED_AT, VerificationStatus.VERIFICATION_FAILURE)]:
        # Signed in Python: the store does not sign at a date at which its certificates are not valid.
        x5c = [base64.b64encode(der).decode() for der in (chain.leaf, chain.intermediate, chain.root)]
        payload = payloads.transaction(environment, signedDate=at)
        jws = jwt.encode(payload, chain.leaf_key, algorithm="ES256", headers={"x5c": x5c})
        assert apple.status_of("transaction", apple.verifier(chain.root, environment), jws) == expected


@pytest.mark.parametrize("algorithm", counted(5, ["none", "HS256", "RS256", "ES384", "es256"]))
@BOTH_ENVIRONMENTS
def test_another_algorithm_in_the_header_is_refused(authority, environment, algorithm):
    chain = authority(environment, "jws")
    jws = signed(chain, "transaction", environment)
    replaced = with_header(jws, {**header_of(jws), "alg": algorithm})
    verifier = apple.verifier(chain.root, environment)
    assert apple.status_of("transaction", verifier, replaced) == VerificationStatus.VERIFICATION_FAILURE


@pytest.mark.parametrize("count", counted(3, [1, 2, 4]))
@BOTH_ENVIRONMENTS
def test_a_chain_of_another_length_is_refused(authority, environment, count):
    chain = authority(environment, "jws")
    ders = [chain.leaf, chain.intermediate, chain.root, chain.root][:count]
    headers = {"x5c": [base64.b64encode(der).decode() for der in ders]}
    jws = jwt.encode(payloads.transaction(environment), chain.leaf_key, algorithm="ES256", headers=headers)
    verifier = apple.verifier(chain.root, environment)
    assert apple.status_of("transaction", verifier, jws) == VerificationStatus.INVALID_CHAIN_LENGTH
