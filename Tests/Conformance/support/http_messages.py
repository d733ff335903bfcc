"""Responses taken apart, and what foreign readers see in the bytes of requests."""

import base64
import json
import re
from dataclasses import dataclass

import h11
import httptools


@dataclass(frozen=True)
class Response:
    status: int
    fields: dict[str, str]
    body: bytes

    @property
    def closes(self) -> bool:
        return self.fields.get("connection", "").lower() == "close"

    @property
    def executed(self) -> "Request | None":
        """The request that `http-probe --record` tells it has executed."""
        if self.status != 200 or self.fields.get("content-type") != "application/json":
            return None
        told = json.loads(self.body)
        return Request(told["method"], told["target"], base64.b64decode(told["body"]))


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    body: bytes


def without_repetition(received: bytes) -> bytes:
    """The library sends the head of some of its own refusals twice, and closes behind them."""
    return re.sub(rb"(HTTP/1\.1 4\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)\1(<html>.*</html>)$", rb"\1\2", received)


def responses(received: bytes, to_head: bool = False) -> list[Response]:
    """The complete responses in what a server sent; fails on anything else between them."""
    found = []
    while received:
        head, end, received = received.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 ") and end, head
        first, *lines = head.decode("latin1").split("\r\n")
        fields = {}
        for line in lines:
            name, value = line.split(":", 1)
            fields[name.lower()] = value.strip()
        status = int(first.split(" ")[1])
        has_body = status >= 200 and status not in (204, 304) and not to_head
        length = int(fields["content-length"]) if has_body else 0
        found.append(Response(status, fields, received[:length]))
        received = received[length:]
    return found


def first_by_llhttp(data: bytes) -> tuple[Request, int] | None:
    """The request that llhttp reads first, and where it ends; None if it reads none."""
    read: list[Request] = []

    class Reader:
        target, body = b"", b""

        def on_url(self, piece):
            self.target += piece

        def on_body(self, piece):
            self.body += piece

        def on_message_complete(self):
            read.append(Request(parser.get_method().decode(), self.target.decode("latin1"), self.body))

    reader = Reader()
    parser = httptools.HttpRequestParser(reader)
    for position in range(len(data)):
        try:
            parser.feed_data(data[position : position + 1])
        except httptools.HttpParserUpgrade:
            pass
        except httptools.HttpParserError:
            return None
        if read:
            return read[0], position + 1
    return None


def first_by_h11(data: bytes) -> tuple[Request, int] | None:
    """The request that h11 reads first, and where it ends; None if it reads none."""
    # It takes no empty lines, which RFC 9112 §2.2 wants to be ignored.
    rest = data.lstrip(b"\r\n")
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(rest)
    method, target, body = "", "", b""
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                method, target = event.method.decode(), event.target.decode("latin1")
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                return Request(method, target, body), len(data) - len(connection.trailing_data[0])
            else:
                return None
    except h11.RemoteProtocolError:
        return None


def readings(data: bytes, count: int) -> list[list[Request]]:
    """All ways in which so many requests can be read one after the other, each by one of the two readers."""
    if count == 0:
        return [[]]
    found: list[list[Request]] = []
    for first in {first_by_llhttp(data), first_by_h11(data)} - {None}:
        found += [[first[0], *rest] for rest in readings(data[first[1] :], count - 1)]
    return found
