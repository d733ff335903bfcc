"""The payload of an app receipt has every attribute of a genuine one, each in its encoding."""

import base64
import hashlib

import pytest
from asn1crypto import cms

from support import attributes, der, payloads, receipts
from support.counting import counted

pytestmark = pytest.mark.rows("R4.1", "R2.9", "P39")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))

EMPTY_TEXT = attributes.utf8("")
EMPTY_DATE = attributes.ia5("")
# What genuine receipts carry without saying why; 6 and 7 are random bytes.
RESERVED = {
    8: EMPTY_DATE,
    9: attributes.integer(0),
    11: attributes.integer(0),
    13: attributes.integer(0),
    14: attributes.integer(0),
    20: EMPTY_TEXT,
    25: attributes.integer(3),
}
RESERVED_IN_PURCHASES = {
    1709: EMPTY_TEXT,
    1710: attributes.integer(0),
    1714: EMPTY_TEXT,
    1715: EMPTY_TEXT,
    1716: EMPTY_TEXT,
    1717: EMPTY_TEXT,
    1718: EMPTY_TEXT,
    1722: attributes.integer(0),
}


def payload_of(receipt: bytes) -> bytes:
    return cms.ContentInfo.load(receipt)["content"]["encap_content_info"]["content"].native


def sign_and_read(authority, environment: str, fields: dict) -> list[tuple[int, int, bytes]]:
    return attributes.read(payload_of(authority(environment, "receipt").sign_receipt(fields)))


@BOTH_ENVIRONMENTS
def test_a_full_receipt_has_every_attribute_in_its_encoding(authority, environment):
    fields = receipts.receipt(environment, [receipts.subscription(), receipts.consumable("2000000000000043")])
    found = sign_and_read(authority, environment, fields)
    assert len(found) == 25
    values = {number: value for number, _, value in found if number not in (6, 7, 17)}
    named = {number: value for number, _, value in attributes.named(fields, attributes.APP_FIELDS)}
    assert len(named) == 14
    assert values == {**named, **RESERVED}
    assert {number: len(value) for number, _, value in found if number in (6, 7)} == {6: 64, 7: 56}
    assert [number for number, _, _ in found].count(17) == 2


@BOTH_ENVIRONMENTS
def test_only_the_opaque_value_has_version_2(authority, environment):
    found = sign_and_read(authority, environment, receipts.receipt(environment, [receipts.subscription()]))
    assert len(found) == 24
    assert {number: version for number, version, _ in found} == {
        number: 2 if number == 4 else 1 for number, _, _ in found
    }
    (purchase,) = [value for number, _, value in found if number == 17]
    assert {version for _, version, _ in attributes.read(purchase)} == {1}


@BOTH_ENVIRONMENTS
def test_dates_that_are_missing_are_empty_or_left_out(authority, environment):
    found = sign_and_read(authority, environment, receipts.bare_receipt(environment))
    values = {number: value for number, _, value in found}
    assert values[21] == EMPTY_DATE
    assert not {17, 18, 19, 32} & set(values)


def purchase_attributes(authority, environment: str, purchase: dict) -> list[tuple[int, int, bytes]]:
    found = sign_and_read(authority, environment, receipts.receipt(environment, [purchase]))
    (value,) = [value for number, _, value in found if number == 17]
    return attributes.read(value)


@BOTH_ENVIRONMENTS
def test_a_subscription_has_every_attribute_in_its_encoding(authority, environment):
    purchase = receipts.subscription()
    found = purchase_attributes(authority, environment, purchase)
    named = {number: value for number, _, value in attributes.named(purchase, attributes.PURCHASE_FIELDS)}
    assert len(named) == 14
    assert len(found) == 22
    assert {number: value for number, _, value in found} == {**named, **RESERVED_IN_PURCHASES}


@BOTH_ENVIRONMENTS
def test_a_consumable_has_its_quantity_and_empty_dates(authority, environment):
    purchase = receipts.consumable("2000000000000043", quantity=10)
    values = {number: value for number, _, value in purchase_attributes(authority, environment, purchase)}
    assert values[1701] == attributes.integer(10)
    assert values[1702] == attributes.utf8("com.example.lamp.öl")
    assert values[1708] == values[1712] == EMPTY_DATE
    assert values[1711] == attributes.integer(0)
    assert not {1707, 1713, 1719, 1720, 1721} & set(values)


@BOTH_ENVIRONMENTS
def test_the_transaction_comes_before_its_original(authority, environment):
    numbers = [number for number, _, _ in purchase_attributes(authority, environment, receipts.subscription())]
    assert numbers.index(1703) < numbers.index(1705)


@BOTH_ENVIRONMENTS
def test_the_attributes_are_a_set_in_the_order_of_der(authority, environment):
    many = [receipts.consumable(str(2000000000000100 + index)) for index in range(20)]
    receipt = authority(environment, "receipt").sign_receipt(receipts.receipt(environment, many))
    payload = payload_of(receipt)
    tag, content, end = der.read(payload)
    assert (tag, end) == (0x31, len(payload))
    parts = der.children(content)
    assert len(parts) == 23 + 20
    assert parts == sorted(parts)
    assert attributes.Attributes.load(payload).dump(force=True) == payload


@BOTH_ENVIRONMENTS
def test_attributes_without_a_name_are_kept(store, authority, environment):
    chain = authority(environment, "receipt")
    unknown = {"type": 4711, "version": 7, "value": base64.b64encode(b"\x00\x01any bytes\xff").decode()}
    purchase = receipts.subscription(otherAttributes=[{**unknown, "type": 1799}])
    fields = receipts.receipt(environment, [purchase], otherAttributes=[unknown])
    receipt = chain.sign_receipt(fields)
    assert (4711, 7, b"\x00\x01any bytes\xff") in attributes.read(payload_of(receipt))
    assert store.receipt_verifier(chain.root).verify(receipt) == fields


@pytest.mark.rows("R4.3")
@pytest.mark.parametrize("device", counted(2, [receipts.DEVICE, bytes.fromhex("02005e005301")]), ids=["vendor", "mac"])
def test_the_device_hash_is_the_one_that_apps_compute(store, device):
    expected = receipts.device_hash(device, receipts.OPAQUE_VALUE, payloads.BUNDLE_ID)
    assert store.device_hash(device, receipts.OPAQUE_VALUE, payloads.BUNDLE_ID) == expected
    fields = receipts.receipt("sandbox", [], deviceHash=base64.b64encode(expected).decode())
    assert store.belongs(fields, device)
    assert not store.belongs(fields, bytes([device[0] ^ 1]) + device[1:])
    assert not store.belongs({**fields, "bundleID": "com.example.torch"}, device)
    assert not store.belongs({**fields, "opaqueValue": base64.b64encode(bytes(16)).decode()}, device)


@pytest.mark.rows("R4.3")
@BOTH_ENVIRONMENTS
def test_an_app_finds_its_device_hash_from_the_raw_attributes(authority, environment):
    """As apps do it: the octets of attribute 2 as they stand, with tag and length."""
    found = sign_and_read(authority, environment, receipts.receipt(environment, []))
    values = {number: value for number, _, value in found}
    assert hashlib.sha1(receipts.DEVICE + values[4] + values[2]).digest() == values[5]
