"""Private key files: the store's open in other tools, and those of other tools open in the store."""

import base64
import subprocess

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

from support.counting import counted
from support.refusal import refused

pytestmark = pytest.mark.rows("X11")

PASSPHRASE = "correct hörse".encode()
MESSAGE = b"a message"
PURPOSES = pytest.mark.parametrize("purpose", counted(2, ["jws", "receipt"]))
FORMATS = {"pkcs8": serialization.PrivateFormat.PKCS8, "older": serialization.PrivateFormat.TraditionalOpenSSL}


def make(purpose: str):
    return ec.generate_private_key(ec.SECP256R1()) if purpose == "jws" else rsa.generate_private_key(65537, 2048)


def require_same(store, pem: str, key, passphrase: bytes | None = None):
    """The store signs with the file; the public half of the expected key must accept the signature."""
    signed = store.tool.ask("key.sign", pem=pem, passphrase=passphrase, message=MESSAGE)
    signature = base64.b64decode(signed["signature"])
    if signed["algorithm"] == "rsa":
        key.public_key().verify(signature, MESSAGE, padding.PKCS1v15(), hashes.SHA256())
    else:
        assert signed["algorithm"] == "p256"
        key.public_key().verify(signature, MESSAGE, ec.ECDSA(hashes.SHA256()))


@PURPOSES
def test_a_plain_key_of_the_store_opens_elsewhere(store, purpose):
    pem = store.tool.ask("key.make", purpose=purpose)["pem"]
    assert pem.startswith("-----BEGIN PRIVATE KEY-----")
    require_same(store, pem, serialization.load_pem_private_key(pem.encode(), None))


@PURPOSES
def test_a_protected_key_of_the_store_opens_elsewhere(store, purpose):
    plain = store.tool.ask("key.make", purpose=purpose)["pem"]
    pem = store.tool.ask("key.protect", pem=plain, passphrase=PASSPHRASE)["pem"]
    assert pem.startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----")
    key = serialization.load_pem_private_key(pem.encode(), PASSPHRASE)
    assert key.private_numbers() == serialization.load_pem_private_key(plain.encode(), None).private_numbers()
    with pytest.raises(ValueError):
        serialization.load_pem_private_key(pem.encode(), b"another")


@PURPOSES
def test_a_protected_key_of_the_store_opens_with_openssl(store, purpose, tmp_path):
    plain = store.tool.ask("key.make", purpose=purpose)["pem"]
    pem = store.tool.ask("key.protect", pem=plain, passphrase=PASSPHRASE)["pem"]
    (tmp_path / "passphrase").write_bytes(PASSPHRASE)
    command = ["openssl", "pkey", "-passin", f"file:{tmp_path / 'passphrase'}"]
    assert subprocess.run(command, input=pem.encode(), capture_output=True, check=True).stdout == plain.encode()


@PURPOSES
@pytest.mark.parametrize("passphrase", counted(2, [None, PASSPHRASE]), ids=["plain", "protected"])
@pytest.mark.parametrize("form", counted(2, list(FORMATS)))
def test_a_foreign_key_opens_in_the_store(store, purpose, form, passphrase):
    key = make(purpose)
    protection = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, FORMATS[form], protection).decode()
    require_same(store, pem, key, passphrase)
    if passphrase:
        with refused("wrong_passphrase"):
            require_same(store, pem, key)
        with refused("wrong_passphrase"):
            require_same(store, pem, key, b"another")


OPENSSL_PROTECTIONS = counted(4, [["-v2", "aes256"], ["-v2", "aes128"], ["-v2", "des3"], ["-scrypt"]])


@pytest.mark.parametrize("options", OPENSSL_PROTECTIONS, ids=" ".join)
def test_a_key_that_openssl_protected_opens_in_the_store(store, options, tmp_path):
    key = make("jws")
    plain = key.private_bytes(serialization.Encoding.PEM, FORMATS["pkcs8"], serialization.NoEncryption())
    (tmp_path / "passphrase").write_bytes(PASSPHRASE)
    command = ["openssl", "pkcs8", "-topk8", "-passout", f"file:{tmp_path / 'passphrase'}", *options]
    pem = subprocess.run(command, input=plain, capture_output=True, check=True).stdout.decode()
    require_same(store, pem, key, PASSPHRASE)


def test_other_kinds_of_keys_are_refused(store):
    for key in (ec.generate_private_key(ec.SECP521R1()), ed25519.Ed25519PrivateKey.generate()):
        pem = key.private_bytes(serialization.Encoding.PEM, FORMATS["pkcs8"], serialization.NoEncryption()).decode()
        with refused("algorithm_not_allowed"):
            store.tool.ask("key.sign", pem=pem, passphrase=None, message=MESSAGE)


def test_what_is_no_key_is_refused(store):
    pem = store.tool.ask("key.make", purpose="jws")["pem"]
    lines = pem.splitlines()
    damaged = ["", "none", lines[0], "\n".join([lines[0], lines[-1]]), "\n".join(lines[:2] + lines[3:]), pem[1:]]
    for text in damaged:
        with refused("malformed"):
            store.tool.ask("key.sign", pem=text, passphrase=None, message=MESSAGE)
    with refused("too_large"):
        store.tool.ask("key.sign", pem=pem + " " * 64 * 1024, passphrase=None, message=MESSAGE)
