"""Damages requests the way that makes two readers disagree."""

import random

SPECIAL = [b"\r", b"\n", b"\r\n", b"\0", b"\t", b" ", b":", b",", b";", b'"', b"\x0b", b"\x0c", b"\x7f", b"\x80", b"\xff"]
SPECIAL += [b"+", b"-", b"_", b"0", b"0x", b"f", b"1", b"/", b"?", b"#", b"%00", b"\\", b"\x85", b"\xa0"]
LINES = [
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: identity",
    b"Transfer-Encoding : chunked",
    b" Transfer-Encoding: chunked",
    b"Content-Length: 0",
    b"Content-Length: 3",
    b"Content-Length: 30",
    b"Content-Length:",
    b"Connection: close",
    b"Connection: keep-alive",
    b"Expect: 100-continue",
    b"Host: b",
    b" folded",
    b"",
    b"GET /inserted HTTP/1.1",
    b"0",
]


def damaged(data: bytes, draw: random.Random) -> bytes:
    """The bytes with one to three damages."""
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        data = draw.choice([_byte, _insert, _delete, _line_end, _line, _lines, _number, _case])(data, draw)
    return data


def _byte(data: bytes, draw: random.Random) -> bytes:
    position = draw.randrange(len(data))
    byte = bytes([data[position] ^ 1 << draw.randrange(8)]) if draw.random() < 0.5 else draw.choice(SPECIAL)
    return data[:position] + byte + data[position + 1 :]


def _insert(data: bytes, draw: random.Random) -> bytes:
    position = draw.randrange(len(data) + 1)
    return data[:position] + draw.choice(SPECIAL) + data[position:]


def _delete(data: bytes, draw: random.Random) -> bytes:
    position = draw.randrange(len(data))
    return data[:position] + data[position + draw.choice([1, 1, 2, 3, 8]) :] or b"\n"


def _line_end(data: bytes, draw: random.Random) -> bytes:
    """Another end for one line."""
    lines = data.split(b"\r\n")
    if len(lines) < 2:
        return data
    position = draw.randrange(len(lines) - 1)
    end = draw.choice([b"\n", b"\r", b"\r\r\n", b"\n\r", b"\r\n\r\n", b" \r\n", b"\r\n ", b"", b"\0\r\n"])
    return b"\r\n".join(lines[: position + 1]) + end + b"\r\n".join(lines[position + 1 :])


def _line(data: bytes, draw: random.Random) -> bytes:
    """One more line."""
    lines = data.split(b"\r\n")
    lines.insert(draw.randrange(len(lines) + 1), draw.choice(LINES))
    return b"\r\n".join(lines)


def _lines(data: bytes, draw: random.Random) -> bytes:
    """A line twice, one less, or two exchanged."""
    lines = data.split(b"\r\n")
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(3):
        case 0:
            lines.insert(other, lines[one])
        case 1 if len(lines) > 2:
            del lines[one]
        case _:
            lines[one], lines[other] = lines[other], lines[one]
    return b"\r\n".join(lines)


def _number(data: bytes, draw: random.Random) -> bytes:
    """Another digit, or another number in its place."""
    digits = [position for position, byte in enumerate(data) if 0x30 <= byte <= 0x39]
    if not digits:
        return data
    position = draw.choice(digits)
    other = draw.choice([b"0", b"1", b"9", b"10", b"0x1", b"+1", b"-1", b" 1", b"1 ", b"99999999999999999999", b"1e1", b""])
    return data[:position] + other + data[position + 1 :]


def _case(data: bytes, draw: random.Random) -> bytes:
    letters = [position for position, byte in enumerate(data) if bytes([byte]).isalpha()]
    if not letters:
        return data
    position = draw.choice(letters)
    return data[:position] + data[position : position + 1].swapcase() + data[position + 1 :]
