"""Online checks: Apple's library with all checks on, and `openssl ocsp`, ask a running store about its certificates."""

import base64
import json
import subprocess
import urllib.parse

import pytest
import requests
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException, VerificationStatus
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509 import ocsp

from conftest import tool_path
from support.device import Device
from support.openssl import write_pem
from support.shop import free_port
from support.till import Till, run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X3", "X5")

BUNDLE = "com.example.monkeycredits"
REQUEST = {"Content-Type": "application/ocsp-request"}


class Checked:
    """A store and what it signs, judged by others."""

    def __init__(self, data, *options: str):
        self.data = data
        self.till = Till(TILL, data, "--demo", *options)

    def root(self, environment: str = "sandbox") -> bytes:
        path = self.data.parent / f"{environment}-root.der"
        assert run(TILL, "keys", "root", "--environment", environment, "--der", "--output", path, "--data", self.data)
        return path.read_bytes()

    def transaction(self) -> str:
        """A transaction that a device has just bought."""
        profile = run(TILL, "provision", BUNDLE, "--sandbox", "--data", self.data).stdout.strip()
        device = Device(self.till.ready["sandbox"], profile, BUNDLE)
        device.register()
        device.sign_in("tester@example.com", "monkeycredits")
        return device.buy(f"{BUNDLE}.credits5")["signedTransaction"]

    def profile(self, environment: str) -> str:
        """Something else that is signed by the same chain, without a sale."""
        made = run(TILL, "provision", BUNDLE, f"--{environment}", "--data", self.data)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def status(self, signed: str) -> VerificationStatus:
        """What a verifier says that has never seen anything, with every check on."""
        verifier = SignedDataVerifier([self.root()], True, Environment.SANDBOX, BUNDLE)
        try:
            verifier.verify_and_decode_signed_transaction(signed)
        except VerificationException as refusal:
            return refusal.status
        return VerificationStatus.OK

    def rotate(self, *options: str):
        rotated = run(TILL, "keys", "rotate", "--environment", "sandbox", *options, "--data", self.data)
        assert rotated.returncode == 0, rotated.stderr


def chain(signed: str) -> list[x509.Certificate]:
    header = signed.split(".")[0]
    named = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    return [x509.load_der_x509_certificate(base64.b64decode(each)) for each in named["x5c"]]


def address(certificate: x509.Certificate) -> str:
    (place,) = certificate.extensions.get_extension_for_class(x509.AuthorityInformationAccess).value
    assert place.access_method == x509.oid.AuthorityInformationAccessOID.OCSP
    return place.access_location.value


def openssl(certificate, issuer, root, folder, *options: str) -> subprocess.CompletedProcess:
    command = ["openssl", "ocsp", "-issuer", write_pem(folder / "issuer.pem", issuer), *options]
    command += ["-cert", write_pem(folder / "asked.pem", certificate), "-CAfile", write_pem(folder / "root.pem", root)]
    return subprocess.run(
        [*map(str, command), "-url", address(certificate)], capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    checked = Checked(tmp_path_factory.mktemp("checked") / "data")
    yield checked
    assert checked.till.stop() == 0


@pytest.fixture
def begin():
    """Starts stores that end with the test, however it ends."""
    begun = []

    def make(data, *options: str) -> Checked:
        begun.append(Checked(data, *options))
        return begun[-1]

    yield make
    assert [each.till.stop() for each in begun] == [0] * len(begun)


def test_apples_library_accepts_a_transaction_with_every_check_on_until_its_key_is_revoked(checked):
    signed = checked.transaction()
    leaf, intermediate, _ = chain(signed)
    place = f"{checked.till.ready['sandbox']}/ocsp/sandbox"
    assert address(leaf) == address(intermediate) == place
    assert checked.status(signed) == VerificationStatus.OK
    # Replaced without a revocation it goes on being good.
    checked.rotate()
    assert checked.status(signed) == VerificationStatus.OK
    second = checked.transaction()
    assert chain(second)[0] != leaf and checked.status(second) == VerificationStatus.OK
    checked.rotate("--revoke")
    assert checked.status(second) == VerificationStatus.VERIFICATION_FAILURE
    assert checked.status(signed) == VerificationStatus.OK
    checked.rotate("--from", "intermediate", "--revoke")
    assert checked.status(signed) == VerificationStatus.VERIFICATION_FAILURE
    assert checked.status(checked.transaction()) == VerificationStatus.OK
    # Offline, nobody but the store itself knows.
    offline = SignedDataVerifier([checked.root()], False, Environment.SANDBOX, BUNDLE)
    assert offline.verify_and_decode_signed_transaction(signed).bundleId == BUNDLE


@pytest.mark.parametrize("environment", ["sandbox", "production"])
def test_openssl_asks_about_leaf_and_intermediate(checked, environment, tmp_path):
    leaf, intermediate, root = chain(checked.profile(environment))
    for certificate, issuer in [(leaf, intermediate), (intermediate, root)]:
        # By SHA-1 and with a nonce, as openssl asks if nothing else is said; and by SHA-256 without one.
        for options in ((), ("-sha256", "-no_nonce")):
            asked = openssl(certificate, issuer, root, tmp_path, *options)
            assert asked.returncode == 0 and "asked.pem: good" in asked.stdout, asked
            assert "Response verify OK" in asked.stderr and "WARNING" not in asked.stderr, asked.stderr
            assert "Next Update" in asked.stdout


def test_a_request_may_come_in_an_address_too(checked):
    leaf, intermediate, _ = chain(checked.profile("sandbox"))
    asked = ocsp.OCSPRequestBuilder().add_certificate(leaf, intermediate, hashes.SHA1()).build()
    encoded = base64.b64encode(asked.public_bytes(serialization.Encoding.DER)).decode()
    answer = requests.get(f"{address(leaf)}/{urllib.parse.quote(encoded, safe='')}", timeout=PATIENCE)
    assert answer.headers["Content-Type"] == "application/ocsp-response"
    response = ocsp.load_der_ocsp_response(answer.content)
    assert response.certificate_status == ocsp.OCSPCertStatus.GOOD
    assert response.next_update_utc > response.this_update_utc
    assert response.responder_key_hash and not response.responder_name


def test_what_cannot_be_answered_is_said_in_the_words_of_the_protocol(checked):
    leaf, intermediate, _ = chain(checked.profile("sandbox"))
    foreign = chain(checked.profile("production"))[0]

    def status(content: bytes) -> ocsp.OCSPResponseStatus:
        answer = requests.post(address(leaf), content, headers=REQUEST, timeout=PATIENCE)
        assert answer.status_code == 200
        return ocsp.load_der_ocsp_response(answer.content).response_status

    assert status(b"") == status(b"no request") == ocsp.OCSPResponseStatus.MALFORMED_REQUEST
    assert status(b"\x30" * 100_000) == ocsp.OCSPResponseStatus.MALFORMED_REQUEST
    elsewhere = ocsp.OCSPRequestBuilder().add_certificate(foreign, foreign, hashes.SHA256()).build()
    assert status(elsewhere.public_bytes(serialization.Encoding.DER)) == ocsp.OCSPResponseStatus.UNAUTHORIZED
    known = ocsp.OCSPRequestBuilder().add_certificate(leaf, intermediate, hashes.SHA256()).build()
    issuer = (known.issuer_name_hash, known.issuer_key_hash)
    never = ocsp.OCSPRequestBuilder().add_certificate_by_hash(*issuer, leaf.serial_number - 1, hashes.SHA256())
    unknown = never.build()
    answer = requests.post(
        address(leaf), unknown.public_bytes(serialization.Encoding.DER), headers=REQUEST, timeout=PATIENCE)
    assert ocsp.load_der_ocsp_response(answer.content).certificate_status == ocsp.OCSPCertStatus.UNKNOWN


def test_another_address_is_followed_in_the_sandbox_and_named_for_production(begin, tmp_path):
    data = tmp_path / "data"
    first = begin(data)
    signed, owned = first.transaction(), first.profile("production")
    assert first.till.stop() == 0
    second = begin(data)
    warned = second.till.wait_for("keys.address")
    assert warned["environment"] == "production" and "till keys rotate --environment production" in warned["message"]
    assert second.till.wait_for("keys.moved")["address"] == f"{second.till.ready['sandbox']}/ocsp/sandbox"
    assert second.status(second.transaction()) == VerificationStatus.OK
    # The root is the same, so that what was signed before goes on verifying, though nobody answers at its address.
    offline = SignedDataVerifier([second.root()], False, Environment.SANDBOX, BUNDLE)
    assert offline.verify_and_decode_signed_transaction(signed).bundleId == BUNDLE
    assert second.status(signed) == VerificationStatus.RETRYABLE_VERIFICATION_FAILURE

    examined = json.loads(run(TILL, "doctor", "--data", data, "--json").stdout)
    found = {each["part"]: each for each in examined["findings"]}
    assert found["sandbox online checks"]["level"] == "ok"
    assert found["production online checks"]["level"] == "warning"
    assert "--from intermediate" in found["production online checks"]["remedy"]
    mended = run(TILL, "keys", "rotate", "--environment", "production", "--data", data)
    assert mended.returncode == 0, mended.stderr
    leaf, intermediate, root = chain(second.profile("production"))
    assert root == chain(owned)[2] and intermediate != chain(owned)[1]
    assert address(leaf) == address(intermediate) == f"{second.till.ready['production']}/ocsp/production"
    asked = openssl(leaf, intermediate, root, tmp_path)
    assert "asked.pem: good" in asked.stdout, asked


def test_a_store_that_speaks_tls_answers_on_a_port_of_its_own(begin, tmp_path):
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9"]
    command += ["-subj", "/CN=localhost", "-keyout", tmp_path / "key.pem", "-out", tmp_path / "chain.pem"]
    subprocess.run(command, check=True, capture_output=True)
    port = free_port()
    tls = ("--tls-cert", str(tmp_path / "chain.pem"), "--tls-key", str(tmp_path / "key.pem"))
    checked = begin(tmp_path / "data", *tls, "--ocsp-listen", f"127.0.0.1:{port}")
    for environment in ("sandbox", "production"):
        leaf, intermediate, root = chain(checked.profile(environment))
        assert address(leaf) == f"http://127.0.0.1:{port}/ocsp/{environment}"
        assert "asked.pem: good" in openssl(leaf, intermediate, root, tmp_path).stdout
    assert requests.get(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE).status_code == 404
