"""Transaction receipts of the iOS 6 form, read and written without any code of the store."""

import base64
import re

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from .instants import EXPIRES_AT, PURCHASED_AT, instant, moment
from .payloads import APP_ID, BUNDLE_ID

LINE = re.compile(r'\t"([^"]+)" = "([^"]*)";')


def read(text: bytes) -> dict[str, str]:
    """The entries of a property list as the App Store writes it; anything else is an AssertionError."""
    first, *lines, last = text.decode().split("\n")
    assert (first, last) == ("{", "}")
    matches = [LINE.fullmatch(line) for line in lines]
    assert all(matches), lines
    entries = dict(match.groups() for match in matches)
    assert len(entries) == len(lines)
    return entries


def write(entries: dict[str, str]) -> bytes:
    return ("{\n" + "".join(f'\t"{key}" = "{value}";\n' for key, value in entries.items()) + "}").encode()


def signature_parts(entries: dict[str, str]) -> tuple[int, bytes, x509.Certificate]:
    """Version, signature and certificate of a receipt whose key has 2048 bits."""
    blob = base64.b64decode(entries["signature"], validate=True)
    length = int.from_bytes(blob[257:261])
    assert len(blob) == 261 + length
    return blob[0], blob[1:257], x509.load_der_x509_certificate(blob[261:])


def make(purchase_info: bytes, key, certificate: x509.Certificate, version: int = 3, **entries: str) -> bytes:
    signature = key.sign(bytes([version]) + purchase_info, padding.PKCS1v15(), hashes.SHA1())
    der = certificate.public_bytes(serialization.Encoding.DER)
    blob = bytes([version]) + signature + len(der).to_bytes(4) + der
    return write(
        {
            "signature": base64.b64encode(blob).decode(),
            "purchase-info": base64.b64encode(purchase_info).decode(),
            **entries,
            "pod": "100",
            "signing-status": "0",
        }
    )


def receipt(environment: str, **changes) -> dict:
    """A receipt of a subscription in which every field is present, as the tool speaks of it."""
    production = {"appItemID": str(APP_ID), "versionExternalIdentifier": "880000001"}
    return {
        "quantity": 1,
        "productID": "com.example.lamp.monthly",
        "transactionID": "2000000000000042",
        "originalTransactionID": "2000000000000007",
        "purchaseDate": PURCHASED_AT,
        "originalPurchaseDate": instant("2026-01-03T04:00:00"),
        "itemID": "990000001",
        "bundleID": BUNDLE_ID,
        "applicationVersion": "42",
        "uniqueIdentifier": "0123456789abcdef0123456789abcdef01234567",
        "uniqueVendorIdentifier": "7D3F2C1A-0B4E-4F6A-9C8D-1E2F3A4B5C6D",
        "expirationDate": EXPIRES_AT,
        "webOrderLineItemID": "2000000000000099",
        "isTrialPeriod": False,
        "otherEntries": {},
        **(production if environment == "production" else {}),
        **changes,
    }


def purchase(environment: str, **changes) -> dict:
    """A receipt of a consumable, without anything that only subscriptions have."""
    fields = receipt(environment, **changes)
    for name in ("expirationDate", "webOrderLineItemID", "isTrialPeriod"):
        del fields[name]
    return fields


def gmt(milliseconds: int) -> str:
    return moment(milliseconds).strftime("%Y-%m-%d %H:%M:%S Etc/GMT")


def entries(fields: dict, pacific) -> dict[str, str]:
    """What `purchase-info` must hold; `pacific` writes an instant in the time of Los Angeles."""
    found = {
        "quantity": str(fields["quantity"]),
        "product-id": fields["productID"],
        "transaction-id": fields["transactionID"],
        "original-transaction-id": fields["originalTransactionID"],
        "item-id": fields["itemID"],
        "bid": fields["bundleID"],
        "bvrs": fields["applicationVersion"],
        "unique-identifier": fields["uniqueIdentifier"],
        "unique-vendor-identifier": fields["uniqueVendorIdentifier"],
        "app-item-id": fields.get("appItemID"),
        "version-external-identifier": fields.get("versionExternalIdentifier"),
        "web-order-line-item-id": fields.get("webOrderLineItemID"),
    }
    for name, field in (("purchase-date", "purchaseDate"), ("original-purchase-date", "originalPurchaseDate")):
        at = fields[field]
        found |= {name: gmt(at), f"{name}-ms": str(at), f"{name}-pst": pacific(at)}
    if "expirationDate" in fields:
        at = fields["expirationDate"]
        found |= {"expires-date": str(at), "expires-date-formatted": gmt(at), "expires-date-formatted-pst": pacific(at)}
        found["is-trial-period"] = "true" if fields["isTrialPeriod"] else "false"
    return {name: value for name, value in found.items() if value is not None} | fields["otherEntries"]
