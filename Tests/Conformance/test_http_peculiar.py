"""Requests that look strange and are good: they are executed, once, and what follows them is read from the right place."""

import pytest

from support.http_messages import Request, responses, first_by_h11, first_by_llhttp
from support.probe import Probe, received_until_closed

HOST = b"Host: a\r\n"
LAST = b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
POST = b"POST /echo HTTP/1.1\r\n" + HOST

# Each with what it means. llhttp and h11 must read it so as well, but for the marked ones.
ACCEPTED = {
    "body on GET": (b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\n\r\nabc", Request("GET", "/", b"abc")),
    "body on DELETE": (b"DELETE /x HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\n\r\na", Request("DELETE", "/x", b"a")),
    "body that is a request": (POST + b"Content-Length: %d\r\n\r\n" % len(LAST) + LAST, Request("POST", "/echo", LAST)),
    "zeros before a length": (POST + b"Content-Length: 0003\r\n\r\nabc", Request("POST", "/echo", b"abc")),
    "spaces before a length": (POST + b"Content-Length: \t 3\r\n\r\nabc", Request("POST", "/echo", b"abc")),
    "spaces around a value": (b"GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n", Request("GET", "/", b"")),
    "no space behind a colon": (POST + b"Content-Length:3\r\n\r\nabc", Request("POST", "/echo", b"abc")),
    "no body on POST": (POST + b"\r\n", Request("POST", "/echo", b"")),
    "empty value": (b"GET / HTTP/1.1\r\n" + HOST + b"X:\r\n\r\n", Request("GET", "/", b"")),
    "value in Latin-1": (b"GET / HTTP/1.1\r\n" + HOST + b"X: \xe9\xff\r\n\r\n", Request("GET", "/", b"")),
    "name of all marks": (b"GET / HTTP/1.1\r\n" + HOST + b"!#$%&'*+-.^_`|~: x\r\n\r\n", Request("GET", "/", b"")),
    "underscores for hyphens": (POST + b"Content_Length: 9\r\n\r\n", Request("POST", "/echo", b"")),
    "absolute target": (b"GET http://b/x HTTP/1.1\r\n" + HOST + b"\r\n", Request("GET", "http://b/x", b"")),
    "host with a port": (b"GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", Request("GET", "/", b"")),
    "one field less than too many": (
        b"GET / HTTP/1.1\r\n" + HOST + b"X: 1\r\n" * 99 + b"\r\n",
        Request("GET", "/", b""),
    ),
    "an upgrade that is not taken": (
        b"GET / HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        Request("GET", "/", b""),
    ),
    "an upgrade to HTTP/2": (
        b"GET / HTTP/1.1\r\n" + HOST + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n",
        Request("GET", "/", b""),
    ),
    "a later minor version": (b"GET / HTTP/1.2\r\n" + HOST + b"\r\n", Request("GET", "/", b"")),
    "lines before": (b"\r\n\r\nGET / HTTP/1.1\r\n" + HOST + b"\r\n", Request("GET", "/", b"")),
    "a line behind a body": (POST + b"Content-Length: 1\r\n\r\na\r\n", Request("POST", "/echo", b"a")),
}
NOT_READ_BY_LLHTTP = {"a later minor version"}
NOT_READ_BY_H11: set[str] = set()


@pytest.fixture(scope="module")
def probe():
    server = Probe("--record")
    yield server
    assert server.close() == 0, "http-probe cut connections off"


@pytest.mark.parametrize("name", ACCEPTED)
def test_executed_once_and_followed_by_the_next(probe, name):
    request, meaning = ACCEPTED[name]
    expected = [meaning, Request("GET", "/last", b"")]
    answers = responses(probe.exchange(request + LAST))
    assert [answer.executed for answer in answers] == expected
    assert [answer.closes for answer in answers] == [False, True]
    if name not in NOT_READ_BY_LLHTTP:
        assert first_by_llhttp(request + LAST)[0] == meaning
    if name not in NOT_READ_BY_H11:
        assert first_by_h11(request + LAST)[0] == meaning


def test_a_request_of_version_1_0_ends_its_connection(probe):
    (answer,) = responses(probe.exchange(b"GET / HTTP/1.0\r\n\r\n" + LAST))
    assert answer.executed == Request("GET", "/", b"")
    assert answer.closes


def test_a_request_that_asks_for_the_end_is_the_last(probe):
    before = probe.statistics()["executed"]
    (answer,) = responses(probe.exchange(LAST + LAST))
    assert answer.closes
    assert probe.statistics()["executed"] == before + 1


def test_the_host_of_an_absolute_target_outweighs_the_field(probe):
    (answer,) = responses(probe.exchange(LAST.replace(b"/last", b"http://b:8080/last")))
    assert b'"authority":"b:8080"' in answer.body


def test_requests_in_pieces_of_one_byte_are_the_same(probe):
    stream = POST + b"Content-Length: 3\r\n\r\nabc" + LAST
    with probe.connect() as connection:
        for position in range(len(stream)):
            connection.sendall(stream[position : position + 1])
        answers = responses(received_until_closed(connection))
    assert [answer.executed for answer in answers] == [Request("POST", "/echo", b"abc"), Request("GET", "/last", b"")]


EXPECT = POST + b"Expect: 100-continue\r\nConnection: close\r\n"


def test_a_client_that_asks_before_a_body_is_told_to_go_on_once(probe):
    with probe.connect() as connection:
        connection.sendall(EXPECT + b"Content-Length: 3\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"abc")
        (answer,) = responses(received_until_closed(connection))
    assert answer.executed == Request("POST", "/echo", b"abc")


def test_a_client_that_asks_before_chunks_is_told_to_go_on(probe):
    with probe.connect() as connection:
        connection.sendall(EXPECT + b"Transfer-Encoding: chunked\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"3\r\nabc\r\n0\r\n\r\n")
        (answer,) = responses(received_until_closed(connection))
    assert answer.executed == Request("POST", "/echo", b"abc")


def test_a_client_that_asks_and_does_not_wait_is_answered_finally(probe):
    answers = responses(probe.exchange(EXPECT + b"Content-Length: 3\r\n\r\nabc"))
    assert answers[-1].executed == Request("POST", "/echo", b"abc")
    assert all(answer.status == 100 for answer in answers[:-1])


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_client_that_asks_without_a_body_is_answered_at_once(probe, version):
    request = EXPECT.replace(b"1.1", version) + b"Content-Length: 0\r\n\r\n"
    answers = responses(probe.exchange(request))
    assert answers[-1].executed == Request("POST", "/echo", b"")


def test_a_client_of_version_1_0_is_never_told_to_go_on(probe):
    answers = responses(probe.exchange(EXPECT.replace(b"1.1", b"1.0") + b"Content-Length: 3\r\n\r\nabc"))
    assert [answer.executed for answer in answers] == [Request("POST", "/echo", b"abc")]


def test_a_client_that_asks_about_too_much_is_told_so_and_closed(probe):
    before = probe.statistics()["executed"]
    body = LAST + b"x" * 100
    (answer,) = responses(probe.exchange(EXPECT.replace(b"close", b"keep-alive") + b"Content-Length: 99999999\r\n\r\n" + body))
    assert answer.status == 413
    assert answer.closes
    assert probe.statistics()["executed"] == before, "what was sent as a body was executed"
