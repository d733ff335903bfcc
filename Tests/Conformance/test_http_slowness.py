"""Clients that are slow, that leave, or that never read: each is ended in its time, and nothing of them is left behind."""

import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.http_messages import responses
from support.probe import Probe, received_until_closed
from support.waiting import PATIENCE, eventually

HOST = b"Host: a\r\n"
POST = b"POST /x HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def probe():
    server = Probe("--record", "--quick")
    yield server
    assert server.close() == 0, "http-probe cut connections off"


@pytest.fixture
def unchanged(probe):
    """Nothing may be left of the clients of a test: no connection, no request, no socket."""
    assert probe.eventually(lambda now: now["connections"] == 1 and now["suspended"] == 0)
    before = probe.sockets
    yield
    assert probe.eventually(lambda now: now["connections"] == 1 and now["suspended"] == 0), probe.statistics()
    # The connection of the last question may still be closing.
    assert eventually(lambda: probe.sockets <= before + 1), (before, probe.sockets)


def drip(connection: socket.socket, start: bytes, byte: bytes) -> bytes:
    """Sends a start, then a byte at a time, each well within any limit between two, until the server has enough."""
    received = b""
    try:
        connection.sendall(start)
        connection.settimeout(0.02)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if not (piece := connection.recv(65536)):
                    return received
                received += piece
            except TimeoutError:
                connection.sendall(byte)
    except (ConnectionResetError, BrokenPipeError):
        return received
    raise AssertionError("the server was patient without end")


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    "start",
    [b"", b"GE", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\n" + HOST],
    ids=["nothing", "method", "first line", "value", "field"],
)
def test_a_head_that_drips_is_ended(probe, start):
    before = probe.statistics()
    with probe.connect() as connection:
        received = drip(connection, start, b"x")
    assert received.startswith(b"HTTP/1.1 408 "), received
    assert probe.eventually(lambda now: now["timeouts"] > before["timeouts"])
    assert probe.statistics()["executed"] == before["executed"]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("start", "byte"),
    [
        (POST + b"Content-Length: 100000\r\n\r\n", b"x"),
        (POST + b"Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n", b"x"),
        (CHUNKED + b"ffff\r\n", b"x"),
        (CHUNKED, b"1\r\nx\r\n"),
        (CHUNKED + b"1;", b"x"),
        (CHUNKED + b"0\r\n", b"X: y\r\n"),
        (b"POST /probe/stream HTTP/1.1\r\n" + HOST + b"Content-Length: 100000\r\n\r\n", b"x"),
    ],
    ids=["length", "expected", "chunk", "chunks", "extension", "trailer", "stream"],
)
def test_a_body_that_drips_is_ended(probe, start, byte):
    before = probe.statistics()
    with probe.connect() as connection:
        received = drip(connection, start, byte)
    assert b"HTTP/1.1 408 " in received or received in (b"", b"HTTP/1.1 100 Continue\r\n\r\n"), received
    assert b"HTTP/1.1 200 " not in received
    assert probe.eventually(lambda now: now["timeouts"] > before["timeouts"])


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("path", [b"/probe/large", b"/probe/endless"])
def test_a_client_that_never_reads_is_ended(probe, path):
    before = probe.statistics()
    with probe.connect(receive_buffer=4096) as connection:
        connection.sendall(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")
        assert probe.eventually(lambda now: now["timeouts"] > before["timeouts"] and now["connections"] == 1)


@pytest.mark.usefixtures("unchanged")
def test_a_client_that_never_reads_its_many_answers_is_ended(probe):
    before = probe.statistics()
    with probe.connect(receive_buffer=4096) as connection:
        connection.settimeout(1)
        try:
            for _ in range(10_000):
                connection.sendall(b"GET /unread HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 5000 + b"\r\n\r\n")
        except (TimeoutError, OSError):
            pass
        assert probe.eventually(lambda now: now["timeouts"] > before["timeouts"] and now["connections"] == 1)


def test_slow_clients_hold_up_nobody():
    server = Probe("--record")
    slow = [server.connect() for _ in range(200)]
    try:
        for number, connection in enumerate(slow):
            connection.sendall([b"GET / HT", POST + b"Content-Length: 10\r\n\r\n"][number % 2])
        for _ in range(20):
            assert responses(server.exchange(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))[0].status == 200
    finally:
        for connection in slow:
            connection.close()
        assert server.close() == 0


PHASES = {
    "nothing": b"",
    "first line": b"GET / HT",
    "field": b"GET / HTTP/1.1\r\nHost: a\r\nX: ",
    "end of the head": b"GET / HTTP/1.1\r\nHost: a\r\n\r",
    "body": POST + b"Content-Length: 10\r\n\r\nabc",
    "chunk size": CHUNKED + b"1",
    "chunk": CHUNKED + b"a\r\nabc",
    "trailer": CHUNKED + b"1\r\na\r\n0\r\nX: y",
    "expectation": POST + b"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n",
    "stream": b"POST /probe/stream HTTP/1.1\r\n" + HOST + b"Content-Length: 10000000\r\n\r\n" + b"x" * 100_000,
    "handler": b"GET /probe/wait HTTP/1.1\r\n" + HOST + b"\r\n",
    "large answer": b"GET /probe/large HTTP/1.1\r\n" + HOST + b"\r\n",
    "stream of an answer": b"GET /probe/endless HTTP/1.1\r\n" + HOST + b"\r\n",
    "next request": b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /probe/large HTTP/1.1\r\n" + HOST + b"\r\nGET",
}


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("leave", ["close", "reset", "half"])
@pytest.mark.parametrize("phase", PHASES)
def test_nothing_is_left_of_clients_that_leave(probe, phase, leave):
    for _ in range(10):
        connection = probe.connect(receive_buffer=4096)
        connection.sendall(PHASES[phase])
        if leave == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if leave == "half":
            connection.shutdown(socket.SHUT_WR)
        connection.close()


@pytest.mark.usefixtures("unchanged")
def test_nothing_is_left_of_many_that_leave_at_once(probe):
    def leave(number: int) -> None:
        connection = probe.connect()
        connection.sendall(list(PHASES.values())[number % len(PHASES)])
        connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(leave, range(400)))


def test_a_client_that_says_that_it_is_done_is_answered_and_closed():
    # With the usual limits an idle connection would be kept for much longer than the test waits.
    server = Probe("--record")
    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    try:
        for count in [1, 2, 5] * 20:
            assert len(responses(server.exchange(request * count, ends=True))) == count
        for start in [b"\r\n", b"GET / HT", POST + b"Content-Length: 10\r\n\r\nabc", CHUNKED + b"1\r\na"]:
            with server.connect() as connection:
                connection.sendall(start)
                connection.shutdown(socket.SHUT_WR)
                assert b"HTTP/1.1 200" not in received_until_closed(connection)
    finally:
        assert server.close() == 0
