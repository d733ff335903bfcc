"""The tokens by which a developer's server enters the server APIs: Apple's client makes them, the store reads them."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import jwt
import pytest
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment

from support.counting import counted
from support.instants import SIGNED_AT
from support.keys import BUNDLE_ID, ISSUER_ID, KEY_ID, DeveloperKey
from support.refusal import refused
from support.tampering import from_base64url, spread, to_base64url, with_flipped

pytestmark = pytest.mark.rows("X3")

MINUTE = 60 * 1000
NOW = SIGNED_AT // 1000


@pytest.fixture(scope="module")
def key() -> DeveloperKey:
    return DeveloperKey()


def verify(store, key: DeveloperKey, token: str, at: int = SIGNED_AT, minutes: int = 60) -> dict:
    return store.tool.ask("bearer-token.verify", token=token, at=at, lifetimeMinutes=minutes, keys=key.known)


def claims(**changes) -> dict:
    all_of_them = {
        "iss": ISSUER_ID,
        "iat": NOW,
        "exp": NOW + 5 * 60,
        "aud": "appstoreconnect-v1",
        "bid": BUNDLE_ID,
        **changes,
    }
    return {name: value for name, value in all_of_them.items() if value is not None}


def sign(key: DeveloperKey, claims: dict, **headers) -> str:
    return jwt.api_jws.encode(
        json.dumps(claims).encode(), key.private, algorithm="ES256", headers={"kid": KEY_ID, **headers}
    )


class Recorder(BaseHTTPRequestHandler):
    """Answers a request for a test notification and keeps its Authorization."""

    def do_POST(self):
        self.server.authorizations.append(self.headers["Authorization"])
        body = b'{"testNotificationToken":"any"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def recorder():
    with HTTPServer(("127.0.0.1", 0), Recorder) as server:
        server.authorizations = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_what_apples_client_sends_is_accepted(store, key, recorder):
    client = AppStoreServerAPIClient(key.private_pem, KEY_ID, ISSUER_ID, BUNDLE_ID, Environment.SANDBOX)
    client._base_url = f"http://127.0.0.1:{recorder.server_port}"
    assert client.request_test_notification().testNotificationToken == "any"
    (authorization,) = recorder.authorizations
    scheme, token = authorization.split(" ")
    assert scheme == "Bearer"
    expires = jwt.decode(token, options={"verify_signature": False})["exp"] * 1000
    # The client asks the clock for the date at which its token expires, five minutes on; it sends no date of issue.
    verified = verify(store, key, token, at=expires - 5 * MINUTE)
    assert verified == {
        "keyID": KEY_ID,
        "claims": {
            "issuerID": ISSUER_ID,
            "expiresAt": expires,
            "audience": "appstoreconnect-v1",
            "bundleID": BUNDLE_ID,
        },
    }
    with refused("expired"):
        verify(store, key, token, at=expires + MINUTE)


def test_what_the_store_makes_is_read_elsewhere(store, key):
    made = store.tool.ask(
        "bearer-token.make",
        claims={
            "issuerID": ISSUER_ID,
            "issuedAt": SIGNED_AT,
            "expiresAt": SIGNED_AT + 5 * MINUTE,
            "audience": "appstoreconnect-v1",
            "bundleID": BUNDLE_ID,
        },
        keyID=KEY_ID,
        privateKey=key.private_pem.decode(),
    )
    assert jwt.get_unverified_header(made["token"]) == {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"}
    options = {"verify_exp": False, "verify_iat": False}
    decoded = jwt.decode(
        made["token"], key.public_pem, algorithms=["ES256"], audience="appstoreconnect-v1", options=options
    )
    assert decoded == claims()


ACCEPTED = counted(
    6,
    [
        ("all claims", {}),
        ("no date of issue", {"iat": None}),
        ("no bundle, as for App Store Connect", {"bid": None}),
        ("a nonce, as in early versions", {"nonce": "48ccfa42-7431-4f22-9908-7e88983e105a"}),
        ("dates with a fraction", {"iat": NOW - 0.25, "exp": NOW + 60.5}),
        ("an individual key", {"iss": None, "sub": "user", "bid": None, "scope": ["GET /v1/apps"]}),
    ],
)


@pytest.mark.parametrize("changes", [case[1] for case in ACCEPTED], ids=[case[0] for case in ACCEPTED])
def test_a_foreign_token_is_read_claim_by_claim(store, key, changes):
    expected = claims(**changes)
    read = verify(store, key, sign(key, expected))["claims"]
    names = {
        "iss": "issuerID",
        "iat": "issuedAt",
        "exp": "expiresAt",
        "aud": "audience",
        "bid": "bundleID",
        "sub": "subject",
        "scope": "scope",
    }
    dates = {"iat", "exp"}
    assert read == {
        names[name]: value * 1000 if name in dates else value for name, value in expected.items() if name in names
    }


REFUSED = counted(
    15,
    [
        ("expired", {"exp": NOW - 60}, "expired"),
        ("issued in the future", {"iat": NOW + 61}, "expired"),
        ("living too long", {"exp": NOW + 61 * 60 + 1}, "expired"),
        ("living too long without date of issue", {"iat": None, "exp": NOW + 61 * 60 + 1}, "expired"),
        ("an end beyond all dates", {"exp": 10**15}, "expired"),
        ("an end of infinite size", {"exp": float("inf")}, "malformed"),
        ("a beginning before all dates", {"iat": -(10**15)}, "expired"),
        ("no end", {"exp": None}, "malformed"),
        ("an end in text", {"exp": str(NOW + 60)}, "malformed"),
        ("another audience", {"aud": "promotional-offer"}, "unexpected_content"),
        ("no audience", {"aud": None}, "malformed"),
        ("another issuer", {"iss": "00000000-0000-0000-0000-000000000000"}, "unexpected_content"),
        ("no issuer", {"iss": None}, "unexpected_content"),
        ("no issuer and another subject", {"iss": None, "sub": "admin"}, "unexpected_content"),
        ("another issuer and a subject", {"iss": "00000000", "sub": "user"}, "unexpected_content"),
    ],
)


@pytest.mark.parametrize("changes, code", [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_one_wrong_claim_is_refused(store, key, changes, code):
    with refused(code):
        verify(store, key, sign(key, claims(**changes)))


def test_a_token_lives_as_long_as_the_api_allows(store, key):
    for minutes in (20, 60):
        longest = sign(key, claims(exp=NOW + minutes * 60))
        assert verify(store, key, longest, minutes=minutes)
        with refused("expired"):
            verify(store, key, sign(key, claims(exp=NOW + minutes * 60 + 61)), minutes=minutes)


def test_the_key_must_be_the_one_that_the_token_names(store, key):
    with refused("unknown_key"):
        verify(store, key, sign(key, claims(), kid="UNKNOWN000"))
    with refused("invalid_signature"):
        verify(store, key, sign(key, claims(), kid="OTHERKEY00"))
    with refused("malformed"):
        verify(store, key, jwt.encode(claims(), key.private, algorithm="ES256"))


def test_other_algorithms_are_refused(store, key):
    payload = to_base64url(json.dumps(claims()).encode())
    for algorithm in ("none", "HS256", "RS256", "ES384"):
        header = to_base64url(json.dumps({"alg": algorithm, "kid": KEY_ID}).encode())
        for signature in ("", to_base64url(bytes(32)), to_base64url(bytes(64))):
            with refused("algorithm_not_allowed"):
                verify(store, key, f"{header}.{payload}.{signature}")


def test_one_flipped_bit_is_refused(store, key):
    token = sign(key, claims())
    assert verify(store, key, token)
    for segment in (1, 2):
        length = len(from_base64url(token.split(".")[segment]))
        for position in spread(length, 64):
            with refused("invalid_signature"):
                verify(store, key, with_flipped(token, segment, position, bit=position % 8))


def test_a_token_above_the_limit_is_refused(store, key):
    with refused("too_large"):
        verify(store, key, sign(key, claims(nonce="x" * 8 * 1024)))
