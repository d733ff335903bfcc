"""Requests that servers and proxies are known to read in different ways are refused, and their connections closed.

Behind each stands a request that must never be executed. The server has its usual time limits, so that a connection that
is closed within those of the test was closed because of what it was sent.
"""

import pytest

from support.http_messages import Request, responses
from support.probe import Probe

HOST = b"Host: a\r\n"
GET = b"GET / HTTP/1.1\r\n"
POST = b"POST /echo HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
BEHIND = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
NOTHING = b"0\r\n\r\n"

LENGTHS = {
    "CL.TE": (400, POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "TE.CL": (400, POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + NOTHING),
    "CL.TE with nothing": (400, POST + b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "equal lengths": (400, POST + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd"),
    "unequal lengths": (400, POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde"),
    "lengths of two cases": (400, POST + b"Content-Length: 4\r\ncontent-length: 0\r\n\r\nabcd"),
    "list of lengths": (400, POST + b"Content-Length: 4, 4\r\n\r\nabcd"),
    "length with a comma": (400, POST + b"Content-Length: 4,\r\n\r\nabcd"),
    "signed length": (400, POST + b"Content-Length: +4\r\n\r\nabcd"),
    "negative length": (400, POST + b"Content-Length: -4\r\n\r\nabcd"),
    "negative nothing": (400, POST + b"Content-Length: -0\r\n\r\n"),
    "hexadecimal length": (400, POST + b"Content-Length: 0x4\r\n\r\nabcd"),
    "fraction": (400, POST + b"Content-Length: 4.0\r\n\r\nabcd"),
    "exponent": (400, POST + b"Content-Length: 4e0\r\n\r\nabcd"),
    "length with an underscore": (400, POST + b"Content-Length: 1_0\r\n\r\n0123456789"),
    "length with a space in it": (400, POST + b"Content-Length: 0 4\r\n\r\nabcd"),
    "length with a letter behind": (400, POST + b"Content-Length: 4a\r\n\r\nabcd"),
    "length behind a vertical tab": (400, POST + b"Content-Length: \x0b4\r\n\r\nabcd"),
    "length before a space": (400, POST + b"Content-Length: 4 \r\n\r\nabcd"),
    "length in quotes": (400, POST + b'Content-Length: "4"\r\n\r\nabcd'),
    "digits that are not ASCII": (400, POST + "Content-Length: ٤\r\n\r\nabcd".encode()),
    "empty length": (400, POST + b"Content-Length: \r\n\r\n"),
    "length beyond 64 bits": (413, POST + b"Content-Length: 18446744073709551620\r\n\r\nabcd"),
    "length of 2^63": (400, POST + b"Content-Length: 9223372036854775808\r\n\r\nabcd"),
    "length behind a space": (400, POST + b"Content-Length : 4\r\n\r\nabcd"),
    "length behind a tab": (400, POST + b"Content-Length\t: 4\r\n\r\nabcd"),
    "length folded": (400, POST + b"Content-Length:\r\n 4\r\n\r\nabcd"),
    "length in a fold": (400, POST + b"X: a\r\n Content-Length: 4\r\n\r\nabcd"),
}

CODINGS = {
    "unknown coding": (501, POST + b"Transfer-Encoding: xchunked\r\n\r\n" + NOTHING),
    "identity": (501, POST + b"Transfer-Encoding: identity\r\n\r\n"),
    "empty coding": (501, POST + b"Transfer-Encoding:\r\n\r\n" + NOTHING),
    "two codings": (501, POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + NOTHING),
    "chunked and identity": (501, POST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + NOTHING),
    "chunked twice in one": (501, POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + NOTHING),
    "chunked with a parameter": (501, POST + b"Transfer-Encoding: chunked;a=b\r\n\r\n" + NOTHING),
    "coding twice": (400, POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "TE.TE": (501, POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n" + NOTHING),
    "TE.TE the other way": (501, POST + b"Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "TE.TE by case": (400, POST + b"Transfer-Encoding: chunked\r\ntransfer-encoding: CHUNKED\r\n\r\n" + NOTHING),
    "coding behind a vertical tab": (400, POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + NOTHING),
    "coding before a vertical tab": (400, POST + b"Transfer-Encoding: chunked\x0b\r\n\r\n" + NOTHING),
    "coding behind a form feed": (400, POST + b"Transfer-Encoding: \x0cchunked\r\n\r\n" + NOTHING),
    "coding with a tab": (501, POST + b"Transfer-Encoding: chunked\t\r\n\r\n" + NOTHING),
    "coding with a comma": (501, POST + b"Transfer-Encoding: ,chunked\r\n\r\n" + NOTHING),
    "coding with a comma behind": (501, POST + b"Transfer-Encoding: chunked,\r\n\r\n" + NOTHING),
    "coding in quotes": (501, POST + b'Transfer-Encoding: "chunked"\r\n\r\n' + NOTHING),
    "coding before the colon": (400, POST + b"Transfer-Encoding : chunked\r\n\r\n" + NOTHING),
    "coding behind a return": (400, POST + b"Transfer-Encoding: \rchunked\r\n\r\n" + NOTHING),
    "coding before two returns": (400, POST + b"Transfer-Encoding: chunked\r\r\n\r\n" + NOTHING),
    "coding folded": (400, POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + NOTHING),
    "coding folded behind": (400, POST + b"Transfer-Encoding: chunked\r\n , identity\r\n\r\n" + NOTHING),
    "coding in a fold": (400, POST + b"X: a\r\n Transfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "coding behind a bare return": (400, POST + b"X: a\rTransfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "coding behind a bare feed": (400, POST + b"X: a\nTransfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "coding behind NUL": (400, POST + b"X: a\0Transfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "coding in HTTP/1.0": (400, b"POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + NOTHING),
    "coding and host in HTTP/1.0": (400, b"POST / HTTP/1.0\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + NOTHING),
}

FIELDS = {
    "space first": (400, GET + b" X: a\r\n" + HOST + b"\r\n"),
    "folded with a tab": (400, GET + HOST + b"X: a\r\n\tb\r\n\r\n"),
    "last line folded": (400, GET + HOST + b"X: a\r\n \r\n\r\n"),
    "NUL in a value": (400, GET + HOST + b"X: a\0b\r\n\r\n"),
    "NUL in a name": (400, GET + HOST + b"X\0: a\r\n\r\n"),
    "NUL in a line's place": (400, GET + HOST + b"\0\r\n\r\n"),
    "escape in a value": (400, GET + HOST + b"X: \x1b[2J\r\n\r\n"),
    "delete in a value": (400, GET + HOST + b"X: \x7f\r\n\r\n"),
    "bare return in a value": (400, GET + HOST + b"X: a\rb\r\n\r\n"),
    "bare return before the colon": (400, GET + HOST + b"X\r: b\r\n\r\n"),
    "bare feeds": (400, b"GET / HTTP/1.1\nHost: a\n\n"),
    "bare feed at the end": (400, GET + b"Host: a\r\n\n"),
    "return, return, feed": (400, GET + b"Host: a\r\r\n\r\n"),
    "no host": (400, GET + b"\r\n"),
    "two hosts": (400, GET + HOST + HOST + b"\r\n"),
    "two hosts, one of them absolute": (400, b"GET http://a/ HTTP/1.1\r\n" + HOST + b"Host: b\r\n\r\n"),
    "absolute and no host": (400, b"GET http://a/ HTTP/1.1\r\n\r\n"),
    "host with a user": (400, GET + b"Host: a@b\r\n\r\n"),
    "host with a comma": (400, GET + b"Host: a, b\r\n\r\n"),
    "host with a path": (400, GET + b"Host: a/b\r\n\r\n"),
    "empty host": (400, GET + b"Host:\r\n\r\n"),
    "colon alone": (400, GET + HOST + b": x\r\n\r\n"),
    "no colon": (400, GET + HOST + b"X\r\n\r\n"),
    "name with a bracket": (400, GET + HOST + b"X(: x\r\n\r\n"),
    "name with a space in it": (400, GET + HOST + b"X Y: x\r\n\r\n"),
    "high byte in a name": (400, GET + HOST + b"X\xff: x\r\n\r\n"),
    "many fields": (431, GET + HOST + b"X: 1\r\n" * 100 + b"\r\n"),
    "many bytes of fields": (431, GET + HOST + b"X: " + b"a" * 17_000 + b"\r\n\r\n"),
    "a long name": (431, GET + HOST + b"a" * 17_000 + b": b\r\n\r\n"),
    "unknown expectation": (417, POST + b"Content-Length: 1\r\nExpect: tea\r\n\r\na"),
    "two expectations": (417, POST + b"Content-Length: 1\r\nExpect: 100-continue, tea\r\n\r\na"),
}

LINES = {
    "no version": (400, b"GET /\r\n" + HOST + b"\r\n"),
    "HTTP/0.9": (505, b"GET / HTTP/0.9\r\n" + HOST + b"\r\n"),
    "HTTP/2.0": (505, b"GET / HTTP/2.0\r\n" + HOST + b"\r\n"),
    "the preface of HTTP/2": (505, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "version with a space": (400, b"GET / HTTP/1.1 \r\n" + HOST + b"\r\n"),
    "version in small letters": (400, b"GET / http/1.1\r\n" + HOST + b"\r\n"),
    "version with two digits": (400, b"GET / HTTP/1.10\r\n" + HOST + b"\r\n"),
    "another protocol": (400, b"GET / ICE/1.1\r\n" + HOST + b"\r\n"),
    "two spaces": (400, b"GET  / HTTP/1.1\r\n" + HOST + b"\r\n"),
    "two spaces before the version": (400, b"GET /  HTTP/1.1\r\n" + HOST + b"\r\n"),
    "space in the target": (400, b"GET /a b HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a request in the target": (400, b"GET /a HTTP/1.1\rX: b HTTP/1.1\r\n" + HOST + b"\r\n"),
    "NUL in the target": (400, b"GET /a\0b HTTP/1.1\r\n" + HOST + b"\r\n"),
    "encoded NUL": (400, b"GET /a%00b HTTP/1.1\r\n" + HOST + b"\r\n"),
    "dot segments": (400, b"GET /items/../.. HTTP/1.1\r\n" + HOST + b"\r\n"),
    "high byte in the target": (400, b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n"),
    "asterisk": (400, b"GET * HTTP/1.1\r\n" + HOST + b"\r\n"),
    "no slash": (400, b"GET a HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a host and a port": (400, b"CONNECT a:80 HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a user in the target": (400, b"GET http://a@b/ HTTP/1.1\r\n" + HOST + b"\r\n"),
    "method with a bracket": (400, b"G(T / HTTP/1.1\r\n" + HOST + b"\r\n"),
    "method with a colon": (400, b"GET: / HTTP/1.1\r\n" + HOST + b"\r\n"),
    "method with a high byte": (400, b"G\xc3\x89T / HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a long target": (414, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n"),
}

CHUNKS = {
    "prefix": b"0x1\r\na\r\n",
    "minus": b"-1\r\na\r\n",
    "plus": b"+1\r\na\r\n",
    "space before": b" 1\r\na\r\n",
    "space behind": b"1 \r\na\r\n",
    "tab behind": b"1\t\r\na\r\n",
    "underscore": b"1_0\r\n0123456789abcdef\r\n",
    "no digit": b"g\r\na\r\n",
    "size beyond 64 bits": b"fffffffffffffffff\r\na\r\n",
    "size of 2^64": b"10000000000000001\r\na\r\n",
    "longer than told": b"1\r\nab\r\n",
    "nothing told": b"\r\na\r\n",
    "bare return behind the size": b"1\ra\r\n",
    "bytes in the place of a line's end": b"1\r\naXX",
    "trailer without a colon": b"1\r\na\r\n0\r\nX y\r\n\r\n",
}

REFUSED = {
    f"{kind}: {name}": case
    for kind, cases in {"length": LENGTHS, "coding": CODINGS, "field": FIELDS, "line": LINES}.items()
    for name, case in cases.items()
}


@pytest.fixture(scope="module")
def probe():
    server = Probe("--record")
    yield server
    assert server.close() == 0, "http-probe cut connections off"


@pytest.mark.parametrize("name", REFUSED)
def test_refused_and_closed(probe, name):
    status, request = REFUSED[name]
    before = probe.statistics()["executed"]
    received = probe.exchange(request + BEHIND)
    assert received.startswith(b"HTTP/1.1 %d " % status), received
    assert b"Connection: close\r\n" in received.split(b"\r\n\r\n")[0], received
    assert probe.statistics()["executed"] == before, "a refused or a hidden request was executed"


@pytest.mark.parametrize("name", CHUNKS)
def test_a_bad_chunk_is_refused_and_its_connection_closed(probe, name):
    before = probe.statistics()["executed"]
    received = probe.exchange(CHUNKED + CHUNKS[name] + NOTHING + BEHIND)
    # A size beyond what a number can be is too large.
    assert received.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 ")), received
    assert b"Connection: close\r\n" in received
    assert probe.statistics()["executed"] == before


@pytest.mark.parametrize(
    "line",
    [b"GET\t/\tHTTP/1.1", b" GET / HTTP/1.1", b"\x16\x03\x01\x02\x00", b"\x80\x2e\x01\x00\x02", b"GET", b"\0"]
    + [b"\xff" * 20_000, b"A" * 20_000],
)
def test_noise_is_closed(probe, line):
    before = probe.statistics()["executed"]
    assert b"HTTP/1.1 200" not in probe.exchange(line + b"\r\n" + HOST + b"\r\n" + BEHIND)
    assert probe.statistics()["executed"] == before


# The library reads these leniently. What it reads as the body is one request; nothing behind it is another.
@pytest.mark.parametrize(
    "body",
    [
        b"1;a=b\r\nx\r\n0\r\n\r\n",
        b'1;a="b\\"c"\r\nx\r\n0\r\n\r\n',
        b"1;a=b\nx\r\n0\r\n\r\n",
        b"1;a=b\rc\r\nx\r\n0\r\n\r\n",
        b"1;\r\nx\r\n0\r\n\r\n",
        b"1\nx\r\n0\r\n\r\n",
        b"1\r\nx\n0\r\n\r\n",
        b"1\r\nx\r\n0\n\n",
        b"1\r\nx\r\n0\r\nX: y\r\n\r\n",
        b"1\r\nx\r\n0\r\nContent-Length: 40\r\nTransfer-Encoding: gzip\r\nHost: b\r\n\r\n",
        b"01\r\nx\r\n000\r\n\r\n",
        b"0000000000000001\r\nx\r\n0\r\n\r\n",
    ],
)
def test_nothing_behind_a_chunked_body_is_executed(probe, body):
    before = probe.statistics()["executed"]
    (response,) = responses(probe.exchange(CHUNKED + body + BEHIND))
    assert response.executed == Request("POST", "/echo", b"x")
    assert response.closes
    assert probe.statistics()["executed"] == before + 1


def test_the_trailer_of_a_body_changes_nothing_of_the_head(probe):
    body = b"1\r\nx\r\n0\r\nHost: evil\r\nAuthorization: Bearer x\r\nX: y\r\n\r\n"
    (response,) = responses(probe.exchange(CHUNKED + body))
    assert response.executed == Request("POST", "/echo", b"x")
    assert b"evil" not in response.body and b"Bearer" not in response.body


def test_a_chunk_extension_has_a_limit(probe):
    before = probe.statistics()["executed"]
    received = probe.exchange(CHUNKED + b"1;" + b"a" * 200_000 + b"\r\nx\r\n0\r\n\r\n" + BEHIND)
    assert not received.startswith(b"HTTP/1.1 200 ")
    assert probe.statistics()["executed"] == before
