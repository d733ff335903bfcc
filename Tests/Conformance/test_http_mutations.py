"""Damaged requests, judged by two foreign readers: what our server executes, one of them has read as well."""

import pytest

from support.http_damage import damaged
from support.http_messages import Request, first_by_h11, first_by_llhttp, readings, responses, without_repetition
from support.probe import Probe
from support.randomness import cases, generator

HOST = b"Host: a.example\r\n"
ORIGINALS = [
    b"GET /one?a=1 HTTP/1.1\r\n" + HOST + b"Accept: */*\r\nAccept-Language: x\r\n\r\n",
    b"POST /two HTTP/1.1\r\n" + HOST + b"Content-Length: 12\r\nX-One: 1\r\n\r\nabcdefghijkl",
    b"POST /three HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n",
    b"PUT /four HTTP/1.1\r\n" + HOST + b"Content-Length: 0\r\nConnection: keep-alive\r\n\r\n",
    b"POST /five HTTP/1.0\r\n" + HOST + b"Content-Length: 3\r\n\r\nabc",
    b"POST /six HTTP/1.1\r\nContent-Length: 42\r\nContent-Type: text/plain\r\n"
    + HOST
    + b"\r\nGET /hidden HTTP/1.1\r\nHost: a.example\r\n\r\n",
    b"DELETE http://a.example/seven HTTP/1.1\r\n" + HOST + b"Cookie: a=b; c=d\r\n\r\n",
]
NEXT = b"GET /next HTTP/1.1\r\n" + HOST + b"\r\n"


@pytest.fixture(scope="module")
def probe():
    server = Probe("--record")
    yield server
    assert server.close() == 0, "http-probe cut connections off"


def fault(data: bytes, executed: list[Request], closed: bool) -> str | None:
    """What is wrong with having executed these requests; None if foreign readers can have read the same."""
    # Of NUL before a line's end in a head, of a line of NUL before it, and of a colon with a line feed in the place of the empty
    # line, the library leaves no trace.
    plain = data.replace(b"\0\r\n\n", b"\r\n\r\n").replace(b"\0\r\n", b"\r\n").replace(b"\0\n", b"\r\n")
    variants = {variant for one in (data, plain) for variant in (one, one.replace(b"\n:\n", b"\n\r\n"))}
    ways = [
        way
        for variant in variants
        for count in range(len(executed), len(executed) + 3)
        for way in readings(variant, count)
    ]
    if any(is_within(executed, way) for way in ways):
        return None
    # The library reads the lines between chunks leniently. It may then see the end of a body where others see an
    # error, but nothing behind it is executed.
    *before, last = executed
    is_lenient = closed and last.body and b"chunked" in data.lower()
    if is_lenient and not any(len(way) > len(before) for way in ways) and fault(data, before, closed) is None:
        return None
    return f"executed {executed}, where others read {ways}"


def is_within(executed: list[Request], way: list[Request]) -> bool:
    """Whether a way has these requests in this order; those that were refused tell nothing of themselves."""
    rest = iter(way)
    return all(any(request == other for other in rest) for request in executed)


def executed_and_closed(probe, data: bytes) -> tuple[list[Request], bool]:
    answers = responses(without_repetition(probe.exchange(data, ends=True)))
    return [answer.executed for answer in answers if answer.executed], bool(answers) and answers[-1].closes


def test_the_originals_mean_the_same_to_all(probe):
    for original in ORIGINALS:
        executed, _ = executed_and_closed(probe, original + NEXT)
        assert executed[0] == first_by_llhttp(original + NEXT)[0] == first_by_h11(original + NEXT)[0], original


def test_nothing_is_executed_that_no_other_reader_reads(probe):
    draw = generator("damaged requests")
    count, alive = 0, 0
    for _ in range(cases(1500)):
        data = damaged(draw.choice(ORIGINALS), draw) + (damaged(NEXT, draw) if draw.random() < 0.2 else NEXT)
        executed, closed = executed_and_closed(probe, data)
        assert (reason := fault(data, executed, closed)) is None, f"{data!r}: {reason}"
        count += len(executed)
        alive += bool(executed)
    assert alive > cases(300), "hardly any damage left a request that was executed"
    assert probe.statistics()["executed"] >= count
