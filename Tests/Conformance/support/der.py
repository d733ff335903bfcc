"""ASN.1 byte by byte: what DER demands and parsers do not check, and BER that libraries do not write."""


def read(data: bytes, position: int = 0) -> tuple[int, bytes, int]:
    """Tag, content and end of the value at a position; anything but DER is an AssertionError."""
    tag = data[position]
    assert tag & 0x1F != 0x1F, "a tag of several octets"
    first = data[position + 1]
    start = position + 2
    length = first
    if first & 0x80:
        count = first & 0x7F
        assert count > 0, "an open length"
        digits = data[start : start + count]
        assert digits[0] != 0, "a length with leading zeros"
        start += count
        length = int.from_bytes(digits)
        assert length >= 0x80, "a long length that would be short"
    end = start + length
    assert end <= len(data), "a length beyond the end"
    return tag, data[start:end], end


def children(content: bytes) -> list[bytes]:
    """The encodings of the values in a content, one after another."""
    found, position = [], 0
    while position < len(content):
        end = read(content, position)[2]
        found.append(content[position:end])
        position = end
    return found


def require_der(data: bytes) -> int:
    """Checks lengths, integers, booleans and the order of sets all the way down; answers how many values there are."""
    tag, content, end = read(data)
    assert end == len(data), "bytes after the value"
    if tag == 0x02:
        assert content and not (len(content) > 1 and content[0] in (0, 0xFF) and (content[0] ^ content[1]) < 0x80)
    if tag == 0x01:
        assert content in (b"\x00", b"\xff")
    if not tag & 0x20:
        return 1
    parts = children(content)
    if tag == 0x31:
        assert parts == sorted(parts), "a set out of order"
    return 1 + sum(require_der(part) for part in parts)


def value(tag: int, *contents: bytes) -> bytes:
    """A value with a definite length."""
    content = b"".join(contents)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    digits = len(content).to_bytes((len(content).bit_length() + 7) // 8)
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def open_value(tag: int, *contents: bytes) -> bytes:
    """A value with its length left open, closed by end-of-contents octets."""
    assert tag & 0x20, "only constructed values have an open length"
    return bytes([tag, 0x80]) + b"".join(contents) + b"\x00\x00"
