"""Promotional offers in their original form: what Apple's library signs the store accepts, and the other way round."""

import base64
import uuid

import pytest
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from support.counting import counted
from support.instants import SIGNED_AT
from support.keys import BUNDLE_ID, KEY_ID, DeveloperKey
from support.refusal import refused
from support.tampering import flip
from support.tool import Refused

pytestmark = pytest.mark.rows("X7", "P25")

NONCE = uuid.UUID("48ccfa42-7431-4f22-9908-7e88983e105a")
ACCOUNT = "7D3F2C1A-0B4E-4F6A-9C8D-1E2F3A4B5C6D"


@pytest.fixture(scope="module")
def key() -> DeveloperKey:
    return DeveloperKey()


def offer(**changes) -> dict:
    return {
        "bundleID": BUNDLE_ID,
        "keyID": KEY_ID,
        "productID": "com.example.lamp.monthly",
        "offerID": "com.example.lamp.back",
        "accountToken": ACCOUNT,
        "nonce": str(NONCE),
        "timestamp": SIGNED_AT,
        **changes,
    }


def signed_bytes(offer: dict, separator: str = "\u2063", **changes) -> bytes:
    """The text that is signed, written down from its description alone."""
    fields = {**offer, "accountToken": offer["accountToken"].lower(), "nonce": offer["nonce"].lower(), **changes}
    order = ("bundleID", "keyID", "productID", "offerID", "accountToken", "nonce", "timestamp")
    return separator.join(str(fields[name]) for name in order).encode()


def sign(key: DeveloperKey, data: bytes) -> bytes:
    return key.private.sign(data, ec.ECDSA(hashes.SHA256()))


def verify(store, key: DeveloperKey, offer: dict, signature: str):
    store.tool.ask("offer.verify", offer=offer, signature=signature, publicKey=key.public_pem.decode())


NAMES = counted(
    9,
    ["", "ada", "Ada", ACCOUNT, ACCOUNT.lower(), "Åsa Öberg-ßtrauß", "İstanbul", "ΟΔΥΣΣΕΥΣ"]
    + ["a user with spaces, commas; and \\ signs"],
)


@pytest.mark.parametrize("name", NAMES)
def test_what_apples_library_signs_is_accepted(store, key, name):
    creator = PromotionalOfferSignatureCreator(key.private_pem, KEY_ID, BUNDLE_ID)
    signature = creator.create_signature(offer()["productID"], offer()["offerID"], name, NONCE, SIGNED_AT)
    verify(store, key, offer(accountToken=name), signature)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_store_signs_verifies_elsewhere(store, key, name):
    fields = offer(accountToken=name)
    answer = store.tool.ask("offer.sign", offer=fields, privateKey=key.private_pem.decode())
    signature = base64.b64decode(answer["signature"], validate=True)
    key.private.public_key().verify(signature, signed_bytes(fields), ec.ECDSA(hashes.SHA256()))


def test_a_name_in_the_lower_case_of_swift_is_accepted(store, key):
    """Swift writes the sigma at the end of a word as any other, and Apple's library in Swift signs it so."""
    fields = offer(accountToken="ΟΔΥΣΣΕΥΣ")
    assert "ΟΔΥΣΣΕΥΣ".lower() == "οδυσσευς"
    signature = sign(key, signed_bytes(fields, accountToken="οδυσσευσ"))
    verify(store, key, fields, base64.b64encode(signature).decode())


CHANGES = counted(
    7,
    [
        {"bundleID": "com.example.torch"},
        {"keyID": "L256SYR32M"},
        {"productID": "com.example.lamp.yearly"},
        {"offerID": "com.example.lamp.stay"},
        {"accountToken": "00000000-0000-0000-0000-000000000000"},
        {"nonce": "48ccfa42-7431-4f22-9908-7e88983e105b"},
        {"timestamp": SIGNED_AT + 1},
    ],
)


@pytest.mark.parametrize("change", CHANGES, ids=[next(iter(change)) for change in CHANGES])
def test_a_signature_is_for_one_offer_only(store, key, change):
    signature = base64.b64encode(sign(key, signed_bytes(offer()))).decode()
    verify(store, key, offer(), signature)
    with refused("invalid_signature"):
        verify(store, key, offer(**change), signature)


def test_another_key_is_refused(store, key):
    signature = base64.b64encode(sign(DeveloperKey.other, signed_bytes(offer()))).decode()
    with refused("invalid_signature"):
        verify(store, key, offer(), signature)


def test_every_flipped_bit_of_the_signature_is_refused(store, key):
    signature = sign(key, signed_bytes(offer()))
    verify(store, key, offer(), base64.b64encode(signature).decode())
    for position in range(len(signature)):
        damaged = base64.b64encode(flip(signature, position, bit=position % 8)).decode()
        with refused("invalid_signature"):
            verify(store, key, offer(), damaged)


def raw(signature: bytes) -> bytes:
    r, s = utils.decode_dss_signature(signature)
    return r.to_bytes(32) + s.to_bytes(32)


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


# The mistakes that signers make, how each is made, and a word by which its refusal is known.
MISTAKES = counted(
    12,
    [
        ("Base64 twice", lambda sign: text(text(sign()).encode()), "twice"),
        ("r and s instead of DER", lambda sign: text(raw(sign())), "DER"),
        ("no Base64", lambda sign: "no base64 at all!", "not Base64"),
        ("upper-case nonce", lambda sign: text(sign(nonce=str(NONCE).upper())), "nonce was signed in upper case"),
        ("upper-case account", lambda sign: text(sign(accountToken=ACCOUNT)), "account token was signed"),
        ("no account", lambda sign: text(sign(accountToken="")), "without the account token"),
        ("seconds", lambda sign: text(sign(timestamp=SIGNED_AT // 1000)), "seconds"),
        (
            "product and offer exchanged",
            lambda sign: text(sign(productID=offer()["offerID"], offerID=offer()["productID"])),
            "product and offer",
        ),
        ("bundle and key exchanged", lambda sign: text(sign(bundleID=KEY_ID, keyID=BUNDLE_ID)), "bundle and key"),
        (
            "nonce and timestamp exchanged",
            lambda sign: text(sign(nonce=str(SIGNED_AT), timestamp=str(NONCE))),
            "nonce and timestamp",
        ),
        ("no separator", lambda sign: text(sign(separator="")), "U+2063"),
        ("a comma for a separator", lambda sign: text(sign(separator=",")), "comma"),
    ],
)


@pytest.mark.rows("X6")
@pytest.mark.parametrize("make, words", [case[1:] for case in MISTAKES], ids=[case[0] for case in MISTAKES])
def test_the_usual_mistakes_are_refused_by_name(store, key, make, words):
    signature = make(lambda **changes: sign(key, signed_bytes(offer(), **changes)))
    with pytest.raises(Refused, match="(?i)" + words.replace("+", r"\+")) as refusal:
        verify(store, key, offer(), signature)
    assert refusal.value.code == "invalid_signature"


def test_a_signature_in_the_other_alphabet_is_refused_by_name(store, key):
    while True:
        signature = base64.urlsafe_b64encode(sign(key, signed_bytes(offer()))).decode().rstrip("=")
        if "-" in signature or "_" in signature:
            break
    with pytest.raises(Refused, match="Base64url"):
        verify(store, key, offer(), signature)


def test_an_overlong_signature_is_refused(store, key):
    with refused("too_large"):
        verify(store, key, offer(), "A" * 513)
