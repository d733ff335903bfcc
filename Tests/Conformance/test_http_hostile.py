"""Requests that servers and proxies are known to read in different ways are refused, and their connections closed."""

import pytest

from support.probe import Probe

HOST = b"Host: a\r\n"
GET = b"GET / HTTP/1.1\r\n"
POST = b"POST /echo HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
BEHIND = b"GET /later HTTP/1.1\r\nHost: a\r\n\r\n"

REFUSED = {
    "length and coding": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "coding and length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "equal lengths": POST + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
    "unequal lengths": POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    "list of lengths": POST + b"Content-Length: 4, 4\r\n\r\nabcd",
    "signed length": POST + b"Content-Length: +4\r\n\r\nabcd",
    "negative length": POST + b"Content-Length: -4\r\n\r\nabcd",
    "hexadecimal length": POST + b"Content-Length: 0x4\r\n\r\nabcd",
    "length with an underscore": POST + b"Content-Length: 1_0\r\n\r\n0123456789",
    "empty length": POST + b"Content-Length: \r\n\r\n",
    "huge length": POST + b"Content-Length: 18446744073709551620\r\n\r\nabcd",
    "length behind a space": POST + b"Content-Length : 4\r\n\r\nabcd",
    "unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "identity": POST + b"Transfer-Encoding: identity\r\n\r\n",
    "two codings": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked and identity": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "coding twice": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "coding behind a vertical tab": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "coding with a tab": POST + b"Transfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n",
    "coding with a comma": POST + b"Transfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n",
    "coding in quotes": POST + b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n',
    "coding before the colon": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "coding folded": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "coding in a fold": POST + b"X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "coding behind a bare return": POST + b"X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "coding behind a bare feed": POST + b"X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "coding in HTTP/1.0": b"POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "space first": GET + b" X: a\r\n" + HOST + b"\r\n",
    "NUL in a value": GET + HOST + b"X: a\0b\r\n\r\n",
    "NUL in a name": GET + HOST + b"X\0: a\r\n\r\n",
    "NUL in a line's place": GET + HOST + b"\0\r\n\r\n",
    "no host": GET + b"\r\n",
    "two hosts": GET + HOST + HOST + b"\r\n",
    "host with a user": GET + b"Host: a@b\r\n\r\n",
    "host with a comma": GET + b"Host: a, b\r\n\r\n",
    "colon alone": GET + HOST + b": x\r\n\r\n",
    "name with a bracket": GET + HOST + b"X(: x\r\n\r\n",
    "high byte in a name": GET + HOST + b"X\xff: x\r\n\r\n",
    "delete in a value": GET + HOST + b"X: \x7f\r\n\r\n",
    "no version": b"GET /\r\n" + HOST + b"\r\n",
    "version 0.9": b"GET / HTTP/0.9\r\n" + HOST + b"\r\n",
    "version 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "version with a space": b"GET / HTTP/1.1 \r\n" + HOST + b"\r\n",
    "version in small letters": b"GET / http/1.1\r\n" + HOST + b"\r\n",
    "version with two digits": b"GET / HTTP/1.10\r\n" + HOST + b"\r\n",
    "encoded NUL": b"GET /segments/a%00b HTTP/1.1\r\n" + HOST + b"\r\n",
    "dot segments": b"GET /items/../.. HTTP/1.1\r\n" + HOST + b"\r\n",
    "high byte in the target": b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n",
    "asterisk": b"GET * HTTP/1.1\r\n" + HOST + b"\r\n",
    "no slash": b"GET a HTTP/1.1\r\n" + HOST + b"\r\n",
    "chunk with a prefix": CHUNKED + b"0x1\r\na\r\n0\r\n\r\n",
    "chunk with a sign": CHUNKED + b"-1\r\na\r\n0\r\n\r\n",
    "chunk beyond all numbers": CHUNKED + b"fffffffffffffffff\r\na\r\n0\r\n\r\n",
    "chunk longer than told": CHUNKED + b"1\r\nab\r\n0\r\n\r\n",
    "chunk without a size": CHUNKED + b"\r\na\r\n0\r\n\r\n",
    "trailer without a colon": CHUNKED + b"1\r\na\r\n0\r\nX y\r\n\r\n",
}


@pytest.fixture(scope="module")
def probe():
    server = Probe("--quick")
    yield server
    assert server.close() == 0, "http-probe cut connections off"


@pytest.mark.parametrize("name", REFUSED)
def test_refused_and_closed(probe, name):
    received = probe.exchange(REFUSED[name] + BEHIND)
    assert received.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5")), received
    assert b"Connection: close\r\n" in received
    assert b"HTTP/1.1 200" not in received, "a hidden request was served"


@pytest.mark.parametrize("line", [b"GET\t/\tHTTP/1.1", b"\x16\x03\x01\x02\x00", b"\x80\x2e\x01\x00\x02"])
def test_noise_is_closed(probe, line):
    assert b"HTTP/1.1 200" not in probe.exchange(line + b"\r\n" + HOST + b"\r\n" + BEHIND)


@pytest.mark.parametrize(
    "body", [b"1;a=b\r\nx\r\n0\r\n\r\n", b"1\nx\r\n0\r\n\r\n", b"1\r\nx\r\n0\r\nX: y\r\n\r\n", b"01\r\nx\r\n000\r\n\r\n"]
)
def test_nothing_behind_a_chunked_body_is_served(probe, body):
    received = probe.exchange(CHUNKED + body + BEHIND)
    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.count(b"HTTP/1.1 200 ") == 1
    assert b"Connection: close\r\n" in received
