"""Apple's own verifier, offline, trusting one root of the store."""

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException, VerificationStatus

from .payloads import APP_ID, BUNDLE_ID, WIRE_NAMES
from .payloads import app_transaction, notification, realtime_request, renewal_info, transaction

# The kinds of signed data: how Apple's verifier is asked, and what is signed.
KINDS = {
    "transaction": ("verify_and_decode_signed_transaction", transaction),
    "renewal info": ("verify_and_decode_renewal_info", renewal_info),
    "app transaction": ("verify_and_decode_app_transaction", app_transaction),
    "notification": ("verify_and_decode_notification", notification),
    "realtime request": ("verify_and_decode_realtime_request", realtime_request),
}


def verifier(root: bytes, environment: str, bundle_id: str = BUNDLE_ID, app_id: int = APP_ID) -> SignedDataVerifier:
    return SignedDataVerifier([root], False, Environment(WIRE_NAMES[environment]), bundle_id, app_id)


def verify(kind: str, verifier: SignedDataVerifier, jws: str):
    return getattr(verifier, KINDS[kind][0])(jws)


def status_of(kind: str, verifier: SignedDataVerifier, jws: str) -> VerificationStatus:
    """What Apple's verifier says, `OK` if it accepts."""
    try:
        verify(kind, verifier, jws)
    except VerificationException as refusal:
        return refusal.status
    return VerificationStatus.OK
