"""Other libraries read the store's certificates and find in them what the strictest verifiers insist on."""

import base64
from datetime import datetime, timezone

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from OpenSSL import crypto

from support import payloads
from support.counting import counted
from support.foreign_chain import ForeignChain, Plans
from support.instants import DAY, ISSUED_AT, SIGNED_AT, instant, moment
from support.refusal import refused
from support.store import INTERMEDIATE_MARKER, LEAF_MARKER

pytestmark = pytest.mark.rows("X3", "X11", "P3")

PURPOSES = ("jws", "receipt")
ROLES = ("leaf", "intermediate", "root")
EVERY_CHAIN = pytest.mark.parametrize(
    "environment, purpose", counted(4, [(each, purpose) for each in payloads.ENVIRONMENTS for purpose in PURPOSES])
)
EVERY_CERTIFICATE = pytest.mark.parametrize(
    "environment, purpose, role",
    counted(12, [(each, use, role) for each in payloads.ENVIRONMENTS for use in PURPOSES for role in ROLES]),
)


@pytest.fixture
def chain(authority, environment, purpose):
    return authority(environment, purpose)


@pytest.fixture
def certificate(chain, role) -> x509.Certificate:
    return chain.certificates[ROLES.index(role)]


def extension(certificate: x509.Certificate, kind):
    return certificate.extensions.get_extension_for_class(kind)


@EVERY_CHAIN
def test_names_lead_from_leaf_to_root(chain, environment):
    leaf, intermediate, root = chain.certificates
    assert leaf.issuer == intermediate.subject
    assert intermediate.issuer == root.subject == root.issuer
    subjects = {each.subject for each in chain.certificates}
    assert len(subjects) == 3
    for subject in subjects:
        (name,) = subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        (organization,) = subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
        assert organization.value == "Conformance"
        # Whoever looks at a certificate can tell test money from real money.
        assert ("Sandbox" in name.value) == (environment == "sandbox")


@EVERY_CHAIN
def test_each_certificate_is_signed_by_the_next(chain):
    leaf, intermediate, root = chain.certificates
    leaf.verify_directly_issued_by(intermediate)
    intermediate.verify_directly_issued_by(root)
    root.verify_directly_issued_by(root)


@EVERY_CERTIFICATE
def test_keys_are_of_the_kind_that_the_purpose_demands(certificate, purpose):
    key = certificate.public_key()
    if purpose == "jws":
        assert isinstance(key.curve, ec.SECP256R1)
    else:
        assert isinstance(key, rsa.RSAPublicKey)
        assert (key.key_size, key.public_numbers().e) == (2048, 65537)
    assert isinstance(certificate.signature_hash_algorithm, hashes.SHA256)
    assert certificate.version == x509.Version.v3


@EVERY_CERTIFICATE
def test_serial_numbers_are_long_and_random(certificate):
    assert certificate.serial_number.bit_length() == 127


def test_no_two_certificates_share_a_serial_number(authority):
    numbers = {
        each.serial_number
        for environment in payloads.ENVIRONMENTS
        for purpose in PURPOSES
        for each in authority(environment, purpose).certificates
    }
    assert len(numbers) == 12


@EVERY_CERTIFICATE
def test_basic_constraints_say_who_may_issue(certificate, role):
    found = extension(certificate, x509.BasicConstraints)
    assert found.critical
    expected = {"leaf": (False, None), "intermediate": (True, 0), "root": (True, None)}
    assert (found.value.ca, found.value.path_length) == expected[role]


@EVERY_CERTIFICATE
def test_key_usage_is_signing_data_or_signing_certificates(certificate, role):
    found = extension(certificate, x509.KeyUsage)
    assert found.critical
    usage = found.value
    allowed = {
        name
        for name in (
            "digital_signature content_commitment key_encipherment data_encipherment key_agreement key_cert_sign"
            " crl_sign"
        ).split()
        if getattr(usage, name)
    }
    assert allowed == ({"digital_signature"} if role == "leaf" else {"key_cert_sign", "crl_sign"})


@EVERY_CERTIFICATE
def test_key_identifiers_lead_from_leaf_to_root(chain, certificate, role):
    own = extension(certificate, x509.SubjectKeyIdentifier)
    assert not own.critical
    assert own.value == x509.SubjectKeyIdentifier.from_public_key(certificate.public_key())
    if role != "root":
        issuer = chain.certificates[ROLES.index(role) + 1]
        above = extension(certificate, x509.AuthorityKeyIdentifier)
        assert not above.critical
        assert above.value.key_identifier == extension(issuer, x509.SubjectKeyIdentifier).value.digest


@EVERY_CERTIFICATE
def test_markers_are_null_and_not_critical(certificate, role):
    markers = {"leaf": LEAF_MARKER, "intermediate": INTERMEDIATE_MARKER}
    found = {
        each.oid.dotted_string: (each.critical, each.value.value)
        for each in certificate.extensions
        if isinstance(each.value, x509.UnrecognizedExtension)
    }
    assert found == ({markers[role]: (False, b"\x05\x00")} if role in markers else {})


@EVERY_CERTIFICATE
def test_there_are_no_further_extensions(certificate, role):
    assert len(certificate.extensions) == {"leaf": 5, "intermediate": 5, "root": 3}[role]


@pytest.mark.parametrize("role", counted(3, list(ROLES)))
@pytest.mark.parametrize("purpose", counted(2, list(PURPOSES)))
def test_sandbox_certificates_are_valid_at_every_date_its_clock_can_show(authority, purpose, role):
    certificate = authority("sandbox", purpose).certificates[ROLES.index(role)]
    assert certificate.not_valid_before_utc == datetime(2000, 1, 1, tzinfo=timezone.utc)
    assert certificate.not_valid_after_utc == datetime(2101, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize("role, years", counted(3, [("leaf", 3), ("intermediate", 15), ("root", 30)]))
@pytest.mark.parametrize("purpose", counted(2, list(PURPOSES)))
def test_production_certificates_start_a_day_early_and_end_in_time(authority, purpose, role, years):
    certificate = authority("production", purpose).certificates[ROLES.index(role)]
    assert certificate.not_valid_before_utc == moment(ISSUED_AT - DAY)
    assert certificate.not_valid_after_utc == datetime(2026 + years, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize("purpose", counted(2, list(PURPOSES)))
def test_no_certificate_outlives_its_issuer(store, purpose):
    """Issued on the last day of February, so that the years do not come out even."""
    chain = store.authority("production", purpose, issued_at=instant("2028-02-29T12:00:00"))
    leaf, intermediate, root = chain.certificates
    assert leaf.not_valid_after_utc <= intermediate.not_valid_after_utc <= root.not_valid_after_utc
    assert leaf.not_valid_after_utc == datetime(2031, 2, 28, 12, tzinfo=timezone.utc)


def strict_store(root: bytes, at: int) -> crypto.X509Store:
    trusted = crypto.X509Store()
    trusted.add_cert(crypto.load_certificate(crypto.FILETYPE_ASN1, root))
    trusted.set_flags(crypto.X509StoreFlags.X509_STRICT | crypto.X509StoreFlags.CHECK_SS_SIGNATURE)
    trusted.set_time(moment(at))
    return trusted


@EVERY_CHAIN
def test_the_chain_verifies_in_the_strict_mode_of_openssl(chain):
    leaf, intermediate, root = (crypto.X509.from_cryptography(each) for each in chain.certificates)
    context = crypto.X509StoreContext(strict_store(chain.root, SIGNED_AT), leaf, [intermediate])
    assert len(context.get_verified_chain()) == 3
    # The same store, without the certificate in the middle, must not find a way around it.
    with pytest.raises(crypto.X509StoreContextError):
        crypto.X509StoreContext(strict_store(chain.root, SIGNED_AT), leaf, []).verify_certificate()


@EVERY_CERTIFICATE
def test_the_store_reads_its_certificates_as_other_libraries_do(store, certificate, purpose, role):
    read = store.read_certificate(certificate.public_bytes(serialization.Encoding.DER))
    assert_same(read, certificate)
    assert read["keyAlgorithm"] == {"jws": "p256", "receipt": "rsa"}[purpose]
    assert read["isAuthority"] == (role != "leaf")
    assert (read["carriesLeafMarker"], read["carriesIntermediateMarker"]) == (role == "leaf", role == "intermediate")


@pytest.mark.parametrize("role", counted(3, list(ROLES)))
@pytest.mark.parametrize("plans", counted(2, [Plans.jws, Plans.receipt]), ids=PURPOSES)
def test_the_store_reads_foreign_certificates_as_other_libraries_do(store, plans, role):
    certificate = ForeignChain.make(plans()).certificates[ROLES.index(role)]
    assert_same(store.read_certificate(certificate.public_bytes(serialization.Encoding.DER)), certificate)


def assert_same(read: dict, certificate: x509.Certificate):
    assert int(read["serialNumber"], 16) == certificate.serial_number
    assert moment(read["notBefore"]) == certificate.not_valid_before_utc
    assert moment(read["notAfter"]) == certificate.not_valid_after_utc
    assert base64.b64decode(read["fingerprint"]) == certificate.fingerprint(hashes.SHA256())
    assert x509.load_pem_x509_certificate(read["pem"].encode()) == certificate
    (name,) = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    assert f"CN={name.value}" in read["subject"].replace(" = ", "=")


NOT_CERTIFICATES = counted(
    4, [("nothing", b""), ("text", b"none"), ("an empty sequence", b"\x30\x00"), ("zeros", bytes(99))]
)


@pytest.mark.parametrize("data", [case[1] for case in NOT_CERTIFICATES], ids=[case[0] for case in NOT_CERTIFICATES])
def test_what_is_no_certificate_is_refused(store, data):
    with refused("malformed"):
        store.read_certificate(data)


def test_a_certificate_with_bytes_after_it_or_cut_off_is_refused(store, authority):
    der = authority("sandbox", "jws").leaf
    for data in (der + b"\x00", der + der, der[:-1]):
        with refused("malformed"):
            store.read_certificate(data)
    with refused("too_large"):
        store.read_certificate(bytes(16 * 1024 + 1))
