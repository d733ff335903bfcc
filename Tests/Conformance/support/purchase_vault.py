"""Reads the vaults of apps as their page describes them, with Python's cryptography."""

import base64
import hashlib
import struct
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

FIXED = struct.Struct(">BB16sQI32sH")


@dataclass
class VaultContents:
    unlocks: set[str] = field(default_factory=set)
    deliveries: set[str] = field(default_factory=set)
    balances: dict[str, tuple[int, bool]] = field(default_factory=dict)


def key_of(line: str) -> tuple[bytes, bytes]:
    """Identity and key in the line that the file and the Secret Service keep."""
    said, digest = line.strip().rsplit(" ", 1)
    assert hashlib.sha256(said.encode()).digest()[:8].hex() == digest
    word, identity, key = said.split(" ")
    assert word == "till-vault-key-1"
    return bytes.fromhex(identity), base64.b64decode(key)


def opened(key: bytes, sealed: bytes, context: bytes) -> bytes:
    return AESGCM(key).decrypt(sealed[:12], sealed[12:], context)


def header_of(record: bytes) -> tuple[bytes, bytes]:
    """The header of a record, and the frame in which it is."""
    assert record[:4] == b"TVh1"
    (length,) = struct.unpack_from(">I", record, 4)
    return record[8 : 8 + length - 28], record[: 8 + length]


def recovered_key(record: bytes, passphrase: str) -> bytes:
    """The key of a record, by its recovery passphrase."""
    header = header_of(record)[0]
    identity, recovery = header[2:18], header[FIXED.size :]
    salt, (cost, block, parallel), sealed = recovery[:16], recovery[16:19], recovery[19:]
    derived = Scrypt(salt=salt, length=32, n=1 << cost, r=block, p=parallel).derive(passphrase.encode())
    return opened(derived, sealed, identity)


def read_vault(record: bytes, key: bytes) -> VaultContents:
    header, frame = header_of(record)
    opened(key, frame[-28:], header)
    version, _, identity, generation, count, _, length = FIXED.unpack_from(header)
    assert (version, len(header) - FIXED.size) == (1, length)
    contents, position = VaultContents(), len(frame)
    for index in range(count):
        mark, number, size = struct.unpack_from(">4sII", record, position)
        assert (mark, number) == (b"TVe1", index)
        position += 12
        context = struct.pack(">16sQII", identity, generation, count, index)
        take(opened(key, record[position : position + size], context), contents)
        position += size
    assert record[position:] == frame
    return contents


def take(entry: bytes, contents: VaultContents):
    kind, rest = entry[0], entry[1:]
    if kind == 1:
        contents.unlocks.add(rest.decode())
    elif kind == 2:
        contents.deliveries.add(rest.decode())
    else:
        assert kind in (3, 4)
        contents.balances[rest[8:].decode()] = (struct.unpack(">q", rest[:8])[0], kind == 4)


def vault_of(file: Path) -> VaultContents:
    """What a vault has whose key is in the file beside it."""
    identity, key = key_of(file.with_suffix(".key").read_text())
    record = file.read_bytes()
    assert header_of(record)[0][2:18] == identity
    return read_vault(record, key)
