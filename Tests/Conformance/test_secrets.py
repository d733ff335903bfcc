"""Passwords and sealed bytes: hashlib and cryptography derive, seal and open the same as the store."""

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from support.counting import counted
from support.refusal import refused
from support.tampering import flip

pytestmark = pytest.mark.rows("R4.4")

# Password, salt, length, binary logarithm of the cost, block size, parallelism.
DERIVATIONS = counted(
    9,
    [
        (b"", b"", 64, 4, 1, 1),  # the vectors of RFC 7914
        (b"password", b"NaCl", 64, 10, 8, 16),
        (b"pleaseletmein", b"SodiumChloride", 64, 14, 8, 1),
        (b"", b"salt", 32, 10, 8, 1),
        (b"password", b"", 32, 10, 8, 1),
        (b"\x00", b"\x00", 32, 10, 8, 1),
        ("pässwörd 🔑".encode(), bytes(range(16)), 32, 15, 8, 1),
        (b"x" * 1024, b"y" * 64, 16, 11, 1, 3),
        (b"one", b"byte", 1, 1, 1, 1),
    ],
)


@pytest.mark.parametrize("password, salt, count, cost, block, parallelism", DERIVATIONS)
def test_scrypt_derives_what_hashlib_derives(store, password, salt, count, cost, block, parallelism):
    answer = store.tool.ask(
        "scrypt.derive",
        password=password,
        salt=salt,
        count=count,
        logarithmicCost=cost,
        blockSize=block,
        parallelism=parallelism,
    )
    expected = hashlib.scrypt(
        password, salt=salt, n=1 << cost, r=block, p=parallelism, maxmem=256 * 1024 * 1024, dklen=count
    )
    assert base64.b64decode(answer["bytes"]) == expected


def test_scrypt_refuses_to_take_more_memory_than_it_may(store):
    fields = {"password": b"p", "salt": b"s", "count": 32, "parallelism": 1}
    with refused("too_large"):
        store.tool.ask("scrypt.derive", logarithmicCost=24, blockSize=8, **fields)
    for cost in (0, 25, 64, -1):
        with refused("malformed"):
            store.tool.ask("scrypt.derive", logarithmicCost=cost, blockSize=8, **fields)


def unpadded(data: bytes) -> str:
    return base64.b64encode(data).rstrip(b"=").decode()


def padded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)


def test_a_password_hash_holds_what_hashlib_needs_to_check_it(store):
    text = store.tool.ask("password.hash", password="corréct horse")["text"]
    empty, name, parameters, salt, key = text.split("$")
    assert (empty, name, parameters) == ("", "scrypt", "ln=15,r=8,p=1")
    assert len(padded(salt)) == 16
    derived = hashlib.scrypt(
        "corréct horse".encode(), salt=padded(salt), n=1 << 15, r=8, p=1, maxmem=64 * 1024 * 1024, dklen=32
    )
    assert padded(key) == derived
    assert store.tool.ask("password.hash", password="corréct horse")["text"] != text, "the salt must be new each time"


def test_a_password_hash_from_elsewhere_is_checked(store):
    salt = bytes(range(12))
    key = hashlib.scrypt(b"hunter2", salt=salt, n=1 << 12, r=4, p=2, dklen=24)
    text = f"$scrypt$ln=12,r=4,p=2${unpadded(salt)}${unpadded(key)}"
    for password, matches in (("hunter2", True), ("hunter3", False), ("", False), ("Hunter2", False)):
        answer = store.tool.ask("password.matches", text=text, password=password)
        assert answer == {"matches": matches, "isOutdated": True}


BROKEN_HASHES = counted(
    9,
    [
        "",
        "hunter2",
        "$scrypt$ln=12,r=4,p=2$AAECAwQFBgcICQoL",
        "$scrypt$ln=12,r=4$AAECAwQFBgcICQoL$AAECAwQFBgcICQoLDA0ODw",
        "$scrypt$ln=twelve,r=4,p=2$AAECAwQFBgcICQoL$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$ln=12,r=4,p=2$AAECAwQFBgcICQoL$AAECAwQFBgcICQoLDA0ODw",
        "$scrypt$ln=12,r=4,p=2$$AAECAwQFBgcICQoLDA0ODw",
        "$scrypt$ln=12,r=4,p=2$AAECAwQFBgcICQoL$",
        "$scrypt$ln=12,r=4,p=2$AAECAwQFBgcICQoL$AAECAwQFBgcICQoLDA0ODw$more",
    ],
)


@pytest.mark.parametrize("text", BROKEN_HASHES)
def test_a_broken_password_hash_is_refused(store, text):
    with refused("malformed"):
        store.tool.ask("password.matches", text=text, password="hunter2")


KEY = bytes(range(32))
CONTENTS = counted(5, [b"", b"x", b"sixteen bytes!!!", bytes(1000), "pürchase 🔑".encode()])
CONTEXTS = counted(3, [b"", b"transactions", bytes(300)])


@pytest.mark.parametrize("context", CONTEXTS, ids=len)
@pytest.mark.parametrize("content", CONTENTS, ids=len)
def test_what_the_store_seals_opens_elsewhere(store, content, context):
    answer = store.tool.ask("sealed.seal", key=KEY, bytes=content, context=context)
    sealed = base64.b64decode(answer["bytes"])
    assert len(sealed) == 12 + len(content) + 16
    assert AESGCM(KEY).decrypt(sealed[:12], sealed[12:], context) == content


@pytest.mark.parametrize("context", CONTEXTS, ids=len)
@pytest.mark.parametrize("content", CONTENTS, ids=len)
def test_what_others_seal_opens_in_the_store(store, content, context):
    nonce = bytes(range(12))
    sealed = nonce + AESGCM(KEY).encrypt(nonce, content, context)
    answer = store.tool.ask("sealed.open", key=KEY, bytes=sealed, context=context)
    assert base64.b64decode(answer["bytes"]) == content


def test_nonces_do_not_repeat(store):
    nonces = {
        base64.b64decode(store.tool.ask("sealed.seal", key=KEY, bytes=b"", context=b"")["bytes"])[:12]
        for _ in range(200)
    }
    assert len(nonces) == 200


def test_every_flipped_bit_is_noticed(store):
    nonce = bytes(range(12))
    sealed = nonce + AESGCM(KEY).encrypt(nonce, b"what was bought", b"customer 7")
    store.tool.ask("sealed.open", key=KEY, bytes=sealed, context=b"customer 7")
    damaged = [flip(sealed, position, bit) for position in range(len(sealed)) for bit in range(8)]
    assert len(damaged) == 8 * (12 + 15 + 16)
    for bytes_ in damaged:
        with refused("invalid_signature"):
            store.tool.ask("sealed.open", key=KEY, bytes=bytes_, context=b"customer 7")


def test_another_key_or_context_does_not_open(store):
    nonce = bytes(range(12))
    sealed = nonce + AESGCM(KEY).encrypt(nonce, b"what was bought", b"customer 7")
    for key, context in ((flip(KEY, 31), b"customer 7"), (KEY, b"customer 8"), (KEY, b"")):
        with refused("invalid_signature"):
            store.tool.ask("sealed.open", key=key, bytes=sealed, context=context)
    for length in (0, 1, 12, 27):
        with refused("malformed"):
            store.tool.ask("sealed.open", key=KEY, bytes=sealed[:length], context=b"customer 7")
    for key in (b"", KEY[:16], KEY + b"\x00"):
        with refused("cryptography"):
            store.tool.ask("sealed.open", key=key, bytes=sealed, context=b"customer 7")
