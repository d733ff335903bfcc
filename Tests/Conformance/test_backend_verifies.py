"""A developer's server takes what Apple's library takes and refuses what it refuses, damaged or not."""

import base64
import contextlib
import json

import jwt
import pytest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import VerificationStatus

from support import apple, payloads, receipts, transaction_receipts
from support.counting import counted
from support.instants import SIGNED_AT, YEAR
from support.randomness import cases, generator
from support.refusal import refused
from support.tampering import flip, from_base64url, header_of, spread, to_base64url, with_flipped, with_header
from support.tool import Refused

pytestmark = pytest.mark.rows("R5.2", "R5.9", "P13", "P14", "P16")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))
KINDS = pytest.mark.parametrize("kind", counted(3, ["transaction", "renewal info", "notification"]))
OTHER = {"sandbox": "production", "production": "sandbox"}
# What the server says where Apple's library says these; everything else is a verification that fails.
CODES = {
    VerificationStatus.INVALID_ENVIRONMENT: "wrong_environment",
    VerificationStatus.INVALID_APP_IDENTIFIER: "wrong_app",
}


class BackendVerifier:
    """Verifies as a server that is built on the library, with both environments of the store pinned or one."""

    def __init__(self, tool, authority, *environments: str):
        self.tool = tool
        stores = [
            {
                "environment": environment,
                "roots": [authority(environment, purpose).root for purpose in ("jws", "receipt")],
                "intermediates": [authority(environment, "receipt").intermediate],
            }
            for environment in environments
        ]
        made = tool.ask("backend.verifier", stores=stores, bundleID=payloads.BUNDLE_ID, appID=payloads.APP_ID)
        self.handle = made["verifier"]

    def verify(self, kind: str, data: bytes | str) -> dict:
        data = data.encode() if isinstance(data, str) else data
        return self.tool.ask("backend.verify", verifier=self.handle, kind=kind, bytes=data, at=SIGNED_AT + YEAR)

    def code(self, kind: str, data: bytes | str) -> str | None:
        """Why it is refused; None if it is taken."""
        try:
            self.verify(kind, data)
        except Refused as refusal:
            return refusal.code
        return None


@pytest.fixture(scope="module")
def both(store, authority) -> BackendVerifier:
    return BackendVerifier(store.tool, authority, "sandbox", "production")


@pytest.fixture(scope="module")
def single(store, authority):
    made = {environment: BackendVerifier(store.tool, authority, environment) for environment in payloads.ENVIRONMENTS}
    return made.__getitem__


def signed(authority, kind: str, environment: str, **changes) -> str:
    payload = payloads.as_bytes(apple.KINDS[kind][1](environment, **changes))
    return authority(environment, "jws").sign_json(payload, at=SIGNED_AT)


def canonical(jws: str) -> str:
    """The same bytes in the one form of Base64 that is right; Apple's library reads others too."""
    return ".".join(to_base64url(from_base64url(part)) for part in jws.split("."))


def damaged(jws: str) -> list[str]:
    """The JWS with one thing wrong, in every place there is."""
    made = [
        with_flipped(jws, segment, position, bit=position % 8)
        for segment, count in ((0, 24), (1, 32), (2, 32))
        for position in spread(len(from_base64url(jws.split(".")[segment])), count)
    ]
    header = header_of(jws)
    for algorithm in ("none", "HS256", "RS256", "ES384"):
        made.append(with_header(jws, {**header, "alg": algorithm}))
    for count in (0, 1, 2):
        made.append(with_header(jws, {**header, "x5c": header["x5c"][:count]}))
    made.append(with_header(jws, {**header, "x5c": header["x5c"][::-1]}))
    parts = jws.split(".")
    return made + [".".join(parts[:2]), ".".join(parts[:2]) + ".", jws + ".", "." + jws]


@KINDS
@BOTH_ENVIRONMENTS
def test_what_is_genuine_is_taken_by_both(authority, both, environment, kind):
    jws = signed(authority, kind, environment)
    verifier = apple.verifier(authority(environment, "jws").root, environment)
    assert apple.status_of(kind, verifier, jws) == VerificationStatus.OK
    assert both.verify(kind, jws)["environment"] == payloads.WIRE_NAMES[environment]


@KINDS
@BOTH_ENVIRONMENTS
def test_damaged_signed_data_is_taken_and_refused_alike(authority, both, environment, kind):
    verifier = apple.verifier(authority(environment, "jws").root, environment)
    jws = signed(authority, kind, environment)
    taken = 0
    for mutant in damaged(jws):
        is_taken = both.code(kind, mutant) is None
        if is_taken:
            assert apple.status_of(kind, verifier, mutant) == VerificationStatus.OK
        elif apple.status_of(kind, verifier, mutant) == VerificationStatus.OK:
            assert canonical(mutant) == canonical(jws) and both.code(kind, canonical(mutant)) is None
        taken += is_taken
    assert taken == 0


@KINDS
@BOTH_ENVIRONMENTS
def test_another_app_or_environment_is_refused_with_the_same_reason(authority, single, environment, kind):
    jws = signed(authority, kind, environment)
    torch = {"bundleId": "com.example.torch"}
    wrong = signed(authority, kind, environment, **({"data_changes": torch} if kind == "notification" else torch))
    verifier = apple.verifier(authority(environment, "jws").root, environment)
    status = apple.status_of(kind, verifier, wrong)
    # Renewal information names no app.
    assert status == (VerificationStatus.OK if kind == "renewal info" else VerificationStatus.INVALID_APP_IDENTIFIER)
    assert single(environment).code(kind, wrong) == CODES.get(status)
    assert single(OTHER[environment]).code(kind, jws) == "wrong_environment"


def test_a_notification_of_production_names_the_number_of_the_app(authority, both):
    for environment, status in (
        ("production", VerificationStatus.INVALID_APP_IDENTIFIER),
        ("sandbox", VerificationStatus.OK),
    ):
        jws = signed(authority, "notification", environment, data_changes={"appAppleId": payloads.APP_ID + 1})
        verifier = apple.verifier(authority(environment, "jws").root, environment)
        assert apple.status_of("notification", verifier, jws) == status
        assert both.code("notification", jws) == CODES.get(status)


@KINDS
def test_keys_of_one_environment_sign_nothing_of_the_other(authority, both, kind):
    payload = payloads.as_bytes(apple.KINDS[kind][1]("production"))
    forged = authority("sandbox", "jws").sign_json(payload, at=SIGNED_AT)
    verifier = apple.verifier(authority("production", "jws").root, "production")
    assert apple.status_of(kind, verifier, forged) == VerificationStatus.VERIFICATION_FAILURE
    with refused("untrusted_proof"):
        both.verify(kind, forged)


@BOTH_ENVIRONMENTS
def test_an_own_chain_with_every_marker_is_refused(store, authority, both, environment):
    other = store.authority(environment, "jws", issued_at=SIGNED_AT - YEAR)
    x5c = [base64.b64encode(der).decode() for der in (other.leaf, other.intermediate, other.root)]
    forged = jwt.encode(
        payloads.transaction(environment), other.leaf_key, algorithm="ES256", headers={"x5c": x5c}
    )
    verifier = apple.verifier(authority(environment, "jws").root, environment)
    assert apple.status_of("transaction", verifier, forged) != VerificationStatus.OK
    with refused("untrusted_proof"):
        both.verify("transaction", forged)


def app_receipt(authority, environment: str) -> bytes:
    fields = receipts.receipt(
        environment,
        [receipts.subscription(), receipts.consumable("2000000000000043", productID="com.example.lamp.oil")],
    )
    return authority(environment, "receipt").sign_receipt({**fields, "expirationDate": SIGNED_AT + 2 * YEAR})


@BOTH_ENVIRONMENTS
def test_damaged_receipts_are_taken_only_where_they_are_still_genuine(authority, both, environment):
    receipt = app_receipt(authority, environment)
    genuine = both.verify("receipt", receipt)
    assert genuine["environment"] == payloads.WIRE_NAMES[environment]
    apples = ReceiptUtility().extract_transaction_id_from_app_receipt(base64.b64encode(receipt).decode())
    assert genuine["transactionIDs"][0] == apples and len(genuine["transactionIDs"]) == 2
    random = generator(f"damaged receipts {environment}")
    positions = sorted(random.sample(range(len(receipt)), cases(120)))
    for position in positions:
        mutant = flip(receipt, position, random.randrange(8))
        if both.code("receipt", mutant) is not None:
            continue
        # It is unsigned what was changed: a certificate that nobody needs, or a number that nobody reads. Apple's library
        # verifies no receipt; it stops at some of these, and reads nothing else out of the others.
        assert both.verify("receipt", mutant) == genuine
        with contextlib.suppress(ValueError):
            found = ReceiptUtility().extract_transaction_id_from_app_receipt(base64.b64encode(mutant).decode())
            assert found == apples
    for length in spread(len(receipt) - 1, 16):
        assert both.code("receipt", receipt[:length]) is not None


@BOTH_ENVIRONMENTS
def test_receipts_of_single_transactions_name_what_apples_library_reads(store, authority, both, environment):
    ids = {"sandbox": "2000000000000042", "production": "170000000000042"}
    fields = transaction_receipts.purchase(environment, transactionID=ids[environment])
    answer = store.tool.ask(
        "transaction-receipt.sign", authority=authority(environment, "receipt").handle, environment=environment,
        receipt=fields,
    )
    receipt = base64.b64decode(answer["bytes"])
    read = ReceiptUtility().extract_transaction_id_from_transaction_receipt(base64.b64encode(receipt).decode())
    for form in (receipt, base64.b64encode(receipt), base64.encodebytes(receipt)):
        assert both.verify("receipt", form)["transactionIDs"] == [read] == [ids[environment]]
    entries = transaction_receipts.read(receipt)
    info = base64.b64decode(entries["purchase-info"]).replace(b'"quantity" = "1"', b'"quantity" = "9"')
    changed = transaction_receipts.write({**entries, "purchase-info": base64.b64encode(info).decode()})
    assert json.dumps(entries) != json.dumps(transaction_receipts.read(changed))
    with refused("untrusted_proof"):
        both.verify("receipt", changed)
