"""App receipts as the tool speaks of them: a dictionary per receipt, bytes in Base64, instants in milliseconds."""

import base64
import hashlib

from .instants import EXPIRES_AT, PURCHASED_AT, SIGNED_AT, instant
from .payloads import APP_ID, BUNDLE_ID

DEVICE = bytes.fromhex("7d3f2c1a0b4e4f6a9c8d1e2f3a4b5c6d")
OPAQUE_VALUE = bytes(range(0xF0, 0x100))
TYPES = {"sandbox": "ProductionSandbox", "production": "Production"}


def device_hash(device: bytes, opaque_value: bytes, bundle_id: str) -> bytes:
    """SHA-1 over device, opaque value, and the bundle identifier with tag 0x0C and its length."""
    text = bundle_id.encode()
    assert len(text) < 128
    return hashlib.sha1(device + opaque_value + bytes([0x0C, len(text)]) + text).digest()


def receipt(environment: str, purchases: list[dict], **changes) -> dict:
    """A receipt in which every field is present and no two have the same value."""
    in_sandbox = environment == "sandbox"
    return {
        "type": TYPES[environment],
        "bundleID": BUNDLE_ID,
        "applicationVersion": "42",
        "creationDate": SIGNED_AT,
        "appID": 0 if in_sandbox else APP_ID,
        "downloadID": 0 if in_sandbox else 501234567890123456,
        "versionExternalIdentifier": 0 if in_sandbox else 880000001,
        "opaqueValue": base64.b64encode(OPAQUE_VALUE).decode(),
        "deviceHash": base64.b64encode(device_hash(DEVICE, OPAQUE_VALUE, BUNDLE_ID)).decode(),
        "ageRating": "12+",
        "originalPurchaseDate": 1375340400000 if in_sandbox else instant("2024-05-06T07:08:09"),
        "originalApplicationVersion": "1.0" if in_sandbox else "7",
        "expirationDate": instant("2027-08-09T10:11:12"),
        "preorderDate": instant("2024-04-05T06:07:08"),
        "purchases": purchases,
        "otherAttributes": [],
        **changes,
    }


def bare_receipt(environment: str, **changes) -> dict:
    """A receipt without anything that may be left out."""
    fields = receipt(environment, [], **changes)
    for name in ("originalPurchaseDate", "originalApplicationVersion", "expirationDate", "preorderDate"):
        del fields[name]
    return fields


def subscription(transaction_id: str = "2000000000000042", **changes) -> dict:
    """A purchase in which every field is present."""
    return {
        "quantity": 1,
        "productID": "com.example.lamp.monthly",
        "transactionID": transaction_id,
        "originalTransactionID": "2000000000000007",
        "purchaseDate": PURCHASED_AT,
        "originalPurchaseDate": instant("2026-01-03T04:00:00"),
        "kind": 3,
        "expirationDate": EXPIRES_AT,
        "webOrderLineItemID": 2000000000000099,
        "cancellationDate": instant("2026-02-03T04:04:04"),
        "cancellationReason": 1,
        "isTrialPeriod": False,
        "isInIntroductoryPeriod": True,
        "promotionalOfferID": "com.example.lamp.back",
        "otherAttributes": [],
        **changes,
    }


def consumable(transaction_id: str, quantity: int = 4, **changes) -> dict:
    """A purchase without anything that may be left out."""
    return {
        "quantity": quantity,
        "productID": "com.example.lamp.öl",
        "transactionID": transaction_id,
        "originalTransactionID": transaction_id,
        "purchaseDate": PURCHASED_AT,
        "originalPurchaseDate": PURCHASED_AT,
        "otherAttributes": [],
        **changes,
    }
