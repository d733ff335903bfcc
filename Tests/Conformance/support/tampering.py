"""Damages signed things in exactly one place."""

import base64
import json


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def flip(data: bytes, position: int, bit: int = 0) -> bytes:
    damaged = bytearray(data)
    damaged[position] ^= 1 << bit
    return bytes(damaged)


def spread(length: int, count: int) -> list[int]:
    """So many positions from the first to the last."""
    assert 2 <= count <= length
    return [index * (length - 1) // (count - 1) for index in range(count)]


def with_flipped(jws: str, segment: int, position: int, bit: int = 0) -> str:
    """The JWS with one bit of one decoded segment turned over; 0 is the header, 1 the payload, 2 the signature."""
    segments = jws.split(".")
    segments[segment] = to_base64url(flip(from_base64url(segments[segment]), position, bit))
    return ".".join(segments)


def header_of(jws: str) -> dict:
    return json.loads(from_base64url(jws.split(".")[0]))


def with_header(jws: str, header: dict) -> str:
    """The JWS with another header and the signature it had."""
    rest = jws.split(".", 1)[1]
    return f"{to_base64url(json.dumps(header, separators=(',', ':')).encode())}.{rest}"
