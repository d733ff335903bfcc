"""Verifies and decodes signed transactions with Apple's own library."""

import base64

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from benchmark_loop import serve


def prepare(given):
    verifier = SignedDataVerifier(
        [base64.b64decode(given["root"])], False, Environment.SANDBOX, given["bundleID"], None)
    transactions = given["transactions"]
    first = verifier.verify_and_decode_signed_transaction(transactions[0])
    assert first.bundleId == given["bundleID"] and first.transactionId

    def operation(index):
        verifier.verify_and_decode_signed_transaction(transactions[index % len(transactions)])

    return operation


serve(prepare, all_cores=True)
