"""`openssl cms -verify` accepts the store's receipts, and nothing that was changed."""

import pytest
from asn1crypto import cms

from support import openssl, payloads, receipts
from support.counting import counted
from support.instants import SIGNED_AT, YEAR, instant
from support.tampering import flip, spread
from support.tool import Refused

pytestmark = pytest.mark.rows("R4.1", "R4.3")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))


@BOTH_ENVIRONMENTS
def test_a_receipt_verifies_at_its_date(authority, environment, tmp_path):
    chain = authority(environment, "receipt")
    receipt = chain.sign_receipt(receipts.receipt(environment, [receipts.subscription()]))
    payload, said = openssl.verify_cms(receipt, chain.certificates[2], SIGNED_AT, tmp_path)
    assert payload is not None, said
    assert payload == cms.ContentInfo.load(receipt)["content"]["encap_content_info"]["content"].native


@BOTH_ENVIRONMENTS
def test_every_flipped_bit_that_was_signed_is_refused(store, authority, environment, tmp_path):
    """By the store's own verifier too, which has just accepted the receipt that the bit was flipped in."""
    chain = authority(environment, "receipt")
    verifier = store.receipt_verifier(chain.root)
    receipt = chain.sign_receipt(receipts.receipt(environment, [receipts.subscription()]))
    assert openssl.verify_cms(receipt, chain.certificates[2], SIGNED_AT, tmp_path)[0] is not None
    verifier.verify(receipt)
    signed = cms.ContentInfo.load(receipt)["content"]
    payload = signed["encap_content_info"]["content"].contents
    signature = signed["signer_infos"][0]["signature"].contents
    refused = 0
    for part, count in ((payload, 12), (signature, 6)):
        start = receipt.index(part)
        for position in spread(len(part), count):
            damaged = flip(receipt, start + position, bit=position % 8)
            accepted, _ = openssl.verify_cms(damaged, chain.certificates[2], SIGNED_AT, tmp_path)
            assert accepted is None, f"byte {position} of {len(part)}"
            with pytest.raises(Refused) as refusal:
                verifier.verify(damaged)
            assert refusal.value.code == "invalid_signature"
            refused += 1
    assert refused == 18


@BOTH_ENVIRONMENTS
def test_another_root_is_refused(store, authority, environment, tmp_path):
    chain = authority(environment, "receipt")
    other = store.authority(environment, "receipt", issued_at=SIGNED_AT)
    receipt = chain.sign_receipt(receipts.receipt(environment, []))
    payload, said = openssl.verify_cms(receipt, other.certificates[2], SIGNED_AT, tmp_path)
    assert payload is None
    assert "certificate verify error" in said


def test_a_production_receipt_is_refused_at_a_date_after_its_leaf(authority, tmp_path):
    chain = authority("production", "receipt")
    receipt = chain.sign_receipt(receipts.receipt("production", []))
    payload, said = openssl.verify_cms(receipt, chain.certificates[2], SIGNED_AT + 4 * YEAR, tmp_path)
    assert payload is None
    assert "certificate has expired" in said


@pytest.mark.parametrize("date", counted(2, ["2000-01-01T00:00:00", "2100-12-31T23:59:59"]))
def test_a_sandbox_receipt_verifies_at_any_date_its_clock_can_show(authority, date, tmp_path):
    chain = authority("sandbox", "receipt")
    at = instant(date)
    receipt = chain.sign_receipt(receipts.receipt("sandbox", [], creationDate=at))
    payload, said = openssl.verify_cms(receipt, chain.certificates[2], at, tmp_path)
    assert payload is not None, said
