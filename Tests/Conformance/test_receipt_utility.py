"""Apple's `ReceiptUtility` finds the transaction in the store's receipts."""

import base64

import pytest
from appstoreserverlibrary.receipt_utility import ReceiptUtility

from support import payloads, receipts
from support.counting import counted

pytestmark = pytest.mark.rows("R4.1", "X3", "P39")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))


def transaction_in(receipt: bytes) -> str | None:
    return ReceiptUtility().extract_transaction_id_from_app_receipt(base64.b64encode(receipt).decode())


@BOTH_ENVIRONMENTS
def test_the_transaction_of_the_only_purchase_is_found(authority, environment):
    fields = receipts.receipt(environment, [receipts.subscription("2000000000000042")])
    assert transaction_in(authority(environment, "receipt").sign_receipt(fields)) == "2000000000000042"


@pytest.mark.parametrize("count", counted(3, [2, 50, 400]))
@BOTH_ENVIRONMENTS
def test_the_transaction_of_one_of_many_purchases_is_found(authority, environment, count):
    identifiers = [str(2000000000000100 + index) for index in range(count)]
    fields = receipts.receipt(environment, [receipts.consumable(each) for each in identifiers])
    assert transaction_in(authority(environment, "receipt").sign_receipt(fields)) in identifiers


@BOTH_ENVIRONMENTS
def test_without_purchases_there_is_no_transaction(authority, environment):
    chain = authority(environment, "receipt")
    assert transaction_in(chain.sign_receipt(receipts.receipt(environment, []))) is None
    assert transaction_in(chain.sign_receipt(receipts.bare_receipt(environment))) is None
