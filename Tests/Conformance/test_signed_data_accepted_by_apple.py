"""Apple's verifier reads what the store signs, down to every field, with its production checks on."""

import base64

import pytest
from appstoreserverlibrary.signed_data_verifier import VerificationStatus

from support import apple, payloads
from support.counting import counted
from support.instants import DAY, ISSUED_AT, SIGNED_AT, instant
from support.tampering import header_of

pytestmark = pytest.mark.rows("X3", "P3", "P37")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))
EVERY_KIND = pytest.mark.parametrize("kind", counted(5, list(apple.KINDS)))


@BOTH_ENVIRONMENTS
def test_a_signed_transaction_arrives_field_by_field(authority, environment):
    chain = authority(environment, "jws")
    payload = payloads.transaction(environment)
    decoded = apple.verifier(chain.root, environment).verify_and_decode_signed_transaction(
        chain.sign_json(payloads.as_bytes(payload), at=SIGNED_AT)
    )
    fields = {name: getattr(decoded, name) for name in payload}
    assert len(fields) == 21
    assert {name: getattr(value, "value", value) for name, value in fields.items()} == payload


@BOTH_ENVIRONMENTS
def test_signed_renewal_info_arrives_field_by_field(authority, environment):
    chain = authority(environment, "jws")
    payload = payloads.renewal_info(environment)
    decoded = apple.verifier(chain.root, environment).verify_and_decode_renewal_info(
        chain.sign_json(payloads.as_bytes(payload), at=SIGNED_AT)
    )
    fields = {name: getattr(decoded, name) for name in payload}
    assert len(fields) == 11
    assert {name: getattr(value, "value", value) for name, value in fields.items()} == payload


@BOTH_ENVIRONMENTS
def test_a_signed_app_transaction_arrives_field_by_field(authority, environment):
    chain = authority(environment, "jws")
    payload = payloads.app_transaction(environment)
    decoded = apple.verifier(chain.root, environment).verify_and_decode_app_transaction(
        chain.sign_json(payloads.as_bytes(payload), at=SIGNED_AT)
    )
    fields = {name: getattr(decoded, name) for name in payload}
    assert len(fields) == 12
    assert {name: getattr(value, "value", value) for name, value in fields.items()} == payload


@BOTH_ENVIRONMENTS
def test_a_notification_carries_a_transaction_that_verifies_on_its_own(authority, environment):
    chain = authority(environment, "jws")
    inner = chain.sign_json(payloads.as_bytes(payloads.transaction(environment)), at=SIGNED_AT)
    outer = payloads.notification(environment, data_changes={"signedTransactionInfo": inner})
    verifier = apple.verifier(chain.root, environment)
    decoded = verifier.verify_and_decode_notification(chain.sign_json(payloads.as_bytes(outer), at=SIGNED_AT))
    assert decoded.notificationType.value == "SUBSCRIBED"
    assert decoded.subtype.value == "INITIAL_BUY"
    assert decoded.notificationUUID == outer["notificationUUID"]
    assert decoded.data.bundleId == payloads.BUNDLE_ID
    within = verifier.verify_and_decode_signed_transaction(decoded.data.signedTransactionInfo)
    assert within.transactionId == "2000000000000042"


@BOTH_ENVIRONMENTS
def test_a_type_of_tills_own_is_read_as_one_that_is_not_known(authority, environment):
    """R6.4"""
    chain = authority(environment, "jws")
    content = {"productId": "com.example.lamp.chapter", "contentVersion": "1.2", "contentLength": 4096}
    outer = payloads.notification(
        environment, notificationType="TILL_CONTENT_VERSION", data_changes={"hostedContent": content})
    del outer["subtype"], outer["data"]["status"]
    jws = chain.sign_json(payloads.as_bytes(outer), at=SIGNED_AT)
    decoded = apple.verifier(chain.root, environment).verify_and_decode_notification(jws)
    assert decoded.notificationType is None
    assert decoded.rawNotificationType == "TILL_CONTENT_VERSION"
    assert decoded.data.bundleId == payloads.BUNDLE_ID


@BOTH_ENVIRONMENTS
def test_the_header_names_es256_and_three_certificates_in_standard_base64(authority, environment):
    chain = authority(environment, "jws")
    header = header_of(chain.sign_json(payloads.as_bytes(payloads.transaction(environment)), at=SIGNED_AT))
    assert set(header) == {"alg", "x5c"}
    assert header["alg"] == "ES256"
    ders = [base64.b64decode(text, validate=True) for text in header["x5c"]]
    assert ders == [chain.leaf, chain.intermediate, chain.root]


@BOTH_ENVIRONMENTS
def test_one_verifier_trusts_the_roots_of_several_stores(store, authority, environment):
    other = store.authority(environment, "jws", issued_at=ISSUED_AT)
    verifier = apple.verifier(authority(environment, "jws").root, environment)
    verifier._chain_verifier.root_certificates.append(other.root)
    jws = other.sign_json(payloads.as_bytes(payloads.transaction(environment)), at=SIGNED_AT)
    assert apple.status_of("transaction", verifier, jws) == VerificationStatus.OK


@EVERY_KIND
@pytest.mark.parametrize("date", counted(3, ["2000-01-01T00:00:00", "2050-06-07T08:09:10", "2100-12-31T23:59:59"]))
def test_the_sandbox_signs_at_any_date_its_clock_can_show(authority, kind, date):
    chain = authority("sandbox", "jws")
    at = instant(date)
    name = "receiptCreationDate" if kind == "app transaction" else "signedDate"
    jws = chain.sign_json(payloads.as_bytes(apple.KINDS[kind][1]("sandbox", **{name: at})), at=at)
    assert apple.status_of(kind, apple.verifier(chain.root, "sandbox"), jws) == VerificationStatus.OK


@EVERY_KIND
def test_production_signs_from_a_day_before_the_chain_was_issued(authority, kind):
    chain = authority("production", "jws")
    at = ISSUED_AT - DAY
    name = "receiptCreationDate" if kind == "app transaction" else "signedDate"
    jws = chain.sign_json(payloads.as_bytes(apple.KINDS[kind][1]("production", **{name: at})), at=at)
    assert apple.status_of(kind, apple.verifier(chain.root, "production"), jws) == VerificationStatus.OK
