"""The payload of an app receipt, read and written with asn1crypto."""

import base64

from asn1crypto import core

from .instants import rfc3339


class Attribute(core.Sequence):
    _fields = [("type", core.Integer), ("version", core.Integer), ("value", core.OctetString)]


class Attributes(core.SetOf):
    _child_spec = Attribute


def read(payload: bytes) -> list[tuple[int, int, bytes]]:
    """Type, version and value of every attribute, in their order."""
    return [
        (attribute["type"].native, attribute["version"].native, attribute["value"].native)
        for attribute in Attributes.load(payload, strict=True)
    ]


def write(attributes: list[tuple[int, int, bytes]]) -> bytes:
    return Attributes([Attribute({"type": t, "version": v, "value": value}) for t, v, value in attributes]).dump()


def integer(number: int) -> bytes:
    return core.Integer(number).dump()


def utf8(text: str) -> bytes:
    return core.UTF8String(text).dump()


def ia5(text: str) -> bytes:
    return core.IA5String(text).dump()


def date(milliseconds: int | None) -> bytes:
    return ia5("" if milliseconds is None else rfc3339(milliseconds))


# By attribute: the name of the field and how its value is written.
APP_FIELDS = {
    0: ("type", utf8),
    1: ("appID", integer),
    2: ("bundleID", utf8),
    3: ("applicationVersion", utf8),
    4: ("opaqueValue", base64.b64decode),
    5: ("deviceHash", base64.b64decode),
    10: ("ageRating", ia5),
    12: ("creationDate", date),
    15: ("downloadID", integer),
    16: ("versionExternalIdentifier", integer),
    18: ("originalPurchaseDate", date),
    19: ("originalApplicationVersion", utf8),
    21: ("expirationDate", date),
    32: ("preorderDate", date),
}
PURCHASE_FIELDS = {
    1701: ("quantity", integer),
    1702: ("productID", utf8),
    1703: ("transactionID", utf8),
    1704: ("purchaseDate", date),
    1705: ("originalTransactionID", utf8),
    1706: ("originalPurchaseDate", date),
    1707: ("kind", integer),
    1708: ("expirationDate", date),
    1711: ("webOrderLineItemID", integer),
    1712: ("cancellationDate", date),
    1713: ("isTrialPeriod", lambda flag: integer(int(flag))),
    1719: ("isInIntroductoryPeriod", lambda flag: integer(int(flag))),
    1720: ("cancellationReason", integer),
    1721: ("promotionalOfferID", utf8),
}


def named(fields: dict, table: dict) -> list[tuple[int, int, bytes]]:
    """The attributes of those fields that are present; attribute 4 is the one with version 2."""
    return [
        (number, 2 if number == 4 else 1, encode(fields[name]))
        for number, (name, encode) in table.items()
        if fields.get(name) is not None
    ]


def payload(fields: dict) -> bytes:
    """A payload with the named attributes of a receipt, made without any code of the store."""
    purchases = [(17, 1, write(named(purchase, PURCHASE_FIELDS))) for purchase in fields["purchases"]]
    return write(named(fields, APP_FIELDS) + purchases)
