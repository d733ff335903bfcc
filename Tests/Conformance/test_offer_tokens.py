"""Offers in the form of 2025: the tokens of Apple's three creators are accepted, and the store's read elsewhere."""

import base64
import json
import uuid

import jwt
import pytest
from appstoreserverlibrary.jws_signature_creator import (
    AdvancedCommerceAPIInAppSignatureCreator,
    IntroductoryOfferEligibilitySignatureCreator,
    PromotionalOfferV2SignatureCreator,
)
from appstoreserverlibrary.models.AdvancedCommerceOneTimeChargeCreateRequest import (
    AdvancedCommerceOneTimeChargeCreateRequest,
)
from appstoreserverlibrary.models.AdvancedCommerceOneTimeChargeItem import AdvancedCommerceOneTimeChargeItem
from appstoreserverlibrary.models.AdvancedCommerceRequestInfo import AdvancedCommerceRequestInfo

from support.counting import counted
from support.instants import DAY, SIGNED_AT
from support.keys import BUNDLE_ID, ISSUER_ID, KEY_ID, DeveloperKey
from support.refusal import refused
from support.tampering import from_base64url, spread, to_base64url, with_flipped

pytestmark = pytest.mark.rows("X7", "P25")

MINUTE = 60 * 1000
NONCE = "48ccfa42-7431-4f22-9908-7e88983e105a"
AUDIENCES = {
    "promotional": "promotional-offer",
    "introductory": "introductory-offer-eligibility",
    "advanced-commerce": "advanced-commerce-api",
}
TERMS = {
    "promotional": {"productId": "p1", "offerIdentifier": "back", "transactionId": "2000000000000042"},
    "introductory": {"productId": "p1", "allowIntroductoryOffer": True, "transactionId": "2000000000000042"},
    "advanced-commerce": {"request": base64.b64encode(b'{"operation":"CREATE_ONE_TIME_CHARGE"}').decode()},
}
EVERY_KIND = pytest.mark.parametrize("kind", counted(3, list(AUDIENCES)))


@pytest.fixture(scope="module")
def key() -> DeveloperKey:
    return DeveloperKey()


def verify(store, key: DeveloperKey, kind: str, token: str, at: int = SIGNED_AT, bundle_id: str = BUNDLE_ID) -> dict:
    operation = f"offer-token.verify.{kind}"
    return store.tool.ask(operation, token=token, bundleID=bundle_id, at=at, keys=key.known)


def issued_at(token: str) -> int:
    """Apple's creators ask the clock, so that this test reads their answer out of the token."""
    return int(jwt.decode(token, options={"verify_signature": False})["iat"]) * 1000


def claims(kind: str, **changes) -> dict:
    all_of_them = {
        "bid": BUNDLE_ID,
        "iss": ISSUER_ID,
        "aud": AUDIENCES[kind],
        "iat": SIGNED_AT // 1000,
        "nonce": NONCE,
        **TERMS[kind],
        **changes,
    }
    return {name: value for name, value in all_of_them.items() if value is not None}


def sign(key: DeveloperKey, claims: dict, **headers) -> str:
    return jwt.encode(claims, key.private, algorithm="ES256", headers={"kid": KEY_ID, **headers})


@pytest.mark.parametrize("transaction", counted(2, ["2000000000000042", None]))
def test_apples_promotional_offer_is_accepted(store, key, transaction):
    creator = PromotionalOfferV2SignatureCreator(key.private_pem, KEY_ID, ISSUER_ID, BUNDLE_ID)
    token = creator.create_signature("p1", "back", transaction)
    offer = verify(store, key, "promotional", token, at=issued_at(token))
    expected = {"productId": "p1", "offerIdentifier": "back"}
    assert offer["terms"] == expected | ({"transactionId": transaction} if transaction else {})
    assert (offer["bundleID"], offer["issuerID"]) == (BUNDLE_ID, ISSUER_ID)
    assert offer["issuedAt"] == issued_at(token)
    assert str(uuid.UUID(offer["nonce"])) == offer["nonce"]


@pytest.mark.parametrize("allowed", counted(2, [True, False]))
def test_apples_introductory_offer_is_accepted(store, key, allowed):
    creator = IntroductoryOfferEligibilitySignatureCreator(key.private_pem, KEY_ID, ISSUER_ID, BUNDLE_ID)
    token = creator.create_signature("p1", allowed, "2000000000000042")
    offer = verify(store, key, "introductory", token, at=issued_at(token))
    assert offer["terms"] == {**TERMS["introductory"], "allowIntroductoryOffer": allowed}


def test_apples_advanced_commerce_request_is_accepted(store, key):
    creator = AdvancedCommerceAPIInAppSignatureCreator(key.private_pem, KEY_ID, ISSUER_ID, BUNDLE_ID)
    request = AdvancedCommerceOneTimeChargeCreateRequest(
        currency="EUR",
        item=AdvancedCommerceOneTimeChargeItem(SKU="lamp", displayName="Lamp", description="A lamp", price=4990),
        requestInfo=AdvancedCommerceRequestInfo(requestReferenceId=uuid.UUID(NONCE)),
        taxCode="C003-00-1",
    )
    token = creator.create_signature(request)
    offer = verify(store, key, "advanced-commerce", token, at=issued_at(token))
    body = json.loads(base64.b64decode(offer["terms"]["request"]))
    assert body["operation"] == "CREATE_ONE_TIME_CHARGE"
    assert body["item"] == {"SKU": "lamp", "displayName": "Lamp", "description": "A lamp", "price": 4990}


@EVERY_KIND
def test_what_the_store_signs_is_read_elsewhere(store, key, kind):
    token = store.tool.ask(
        f"offer-token.sign.{kind}",
        bundleID=BUNDLE_ID,
        issuerID=ISSUER_ID,
        keyID=KEY_ID,
        privateKey=key.private_pem.decode(),
        issuedAt=SIGNED_AT,
        nonce=NONCE,
        terms=TERMS[kind],
    )["token"]
    assert jwt.get_unverified_header(token) == {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"}
    # Its date lies in the future for clocks that are behind, and is compared here instead.
    options = {"verify_iat": False}
    decoded = jwt.decode(token, key.public_pem, algorithms=["ES256"], audience=AUDIENCES[kind], options=options)
    assert decoded == claims(kind)


@EVERY_KIND
def test_a_foreign_token_is_read_claim_by_claim(store, key, kind):
    offer = verify(store, key, kind, sign(key, claims(kind, nonce=NONCE.upper())))
    assert offer == {
        "bundleID": BUNDLE_ID,
        "issuerID": ISSUER_ID,
        "issuedAt": SIGNED_AT,
        "nonce": NONCE,
        "terms": TERMS[kind],
    }


REFUSED = counted(
    15,
    [
        ("another bundle", {"bid": "com.example.torch"}, "unexpected_content"),
        ("another issuer", {"iss": "00000000-0000-0000-0000-000000000000"}, "unexpected_content"),
        ("another audience", {"aud": "appstoreconnect-v1"}, "unexpected_content"),
        ("a list of audiences", {"aud": ["promotional-offer"]}, "malformed"),
        ("a nonce that is no UUID", {"nonce": "once"}, "unexpected_content"),
        ("more than a day old", {"iat": (SIGNED_AT - DAY) // 1000 - 1}, "expired"),
        ("from the future", {"iat": SIGNED_AT // 1000 + 61}, "expired"),
        ("a date beyond all dates", {"iat": 10**15}, "expired"),
        ("a date of infinite size", {"iat": float("inf")}, "malformed"),
        ("no bundle", {"bid": None}, "malformed"),
        ("no issuer", {"iss": None}, "malformed"),
        ("no audience", {"aud": None}, "malformed"),
        ("no date", {"iat": None}, "malformed"),
        ("no nonce", {"nonce": None}, "malformed"),
        ("a product that is a number", {"productId": 1, "request": 1}, "malformed"),
    ],
)


@pytest.mark.parametrize("changes, code", [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
@EVERY_KIND
def test_one_wrong_claim_is_refused(store, key, kind, changes, code):
    token = sign_json(key, claims(kind, **changes))
    with refused(code):
        verify(store, key, kind, token)


def sign_json(key: DeveloperKey, claims: dict) -> str:
    """Claims that PyJWT itself would refuse to sign."""
    return jwt.api_jws.encode(json.dumps(claims).encode(), key.private, algorithm="ES256", headers={"kid": KEY_ID})


@EVERY_KIND
def test_a_token_is_of_one_kind_only(store, key, kind):
    others = [other for other in AUDIENCES if other != kind]
    assert len(others) == 2
    for other in others:
        # With the claims of both, so that only the audience can tell.
        token = sign(key, {**claims(other), **TERMS[kind]})
        with refused("unexpected_content"):
            verify(store, key, kind, token)


@EVERY_KIND
def test_a_token_counts_for_a_day(store, key, kind):
    token = sign(key, claims(kind))
    for at in (SIGNED_AT - MINUTE, SIGNED_AT, SIGNED_AT + DAY):
        assert verify(store, key, kind, token, at=at)["issuedAt"] == SIGNED_AT
    for at in (SIGNED_AT - MINUTE - 1, SIGNED_AT + DAY + 1):
        with refused("expired"):
            verify(store, key, kind, token, at=at)


@EVERY_KIND
def test_the_key_must_be_the_one_that_the_token_names(store, key, kind):
    with refused("unknown_key"):
        verify(store, key, kind, sign(key, claims(kind), kid="UNKNOWN000"))
    with refused("invalid_signature"):
        verify(store, key, kind, sign(key, claims(kind), kid="OTHERKEY00"))
    with refused("malformed"):
        verify(store, key, kind, sign(key, claims(kind), kid=""))
    unnamed = jwt.encode(claims(kind), key.private, algorithm="ES256")
    with refused("malformed"):
        verify(store, key, kind, unnamed)


@EVERY_KIND
def test_other_algorithms_are_refused(store, key, kind):
    payload = to_base64url(json.dumps(claims(kind)).encode())
    for algorithm in ("none", "HS256", "RS256"):
        header = to_base64url(json.dumps({"alg": algorithm, "kid": KEY_ID}).encode())
        for signature in ("", to_base64url(bytes(32)), to_base64url(bytes(64))):
            with refused("algorithm_not_allowed"):
                verify(store, key, kind, f"{header}.{payload}.{signature}")


@EVERY_KIND
def test_one_flipped_bit_is_refused(store, key, kind):
    token = sign(key, claims(kind))
    assert verify(store, key, kind, token)
    for segment in (1, 2):
        length = len(from_base64url(token.split(".")[segment]))
        for position in spread(length, 32):
            with refused("invalid_signature"):
                verify(store, key, kind, with_flipped(token, segment, position, bit=position % 8))
