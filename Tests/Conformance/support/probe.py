"""Runs http-probe, the server that foreign clients are let loose on."""

import json
import os
import socket
import subprocess
from pathlib import Path

from support.http_messages import responses
from support.waiting import PATIENCE, eventually

REPOSITORY = Path(__file__).resolve().parents[3]


class Probe:
    # Seconds without a byte from a server: less than the 75 after which it closes an idle connection by itself.
    SILENCE = 60

    def __init__(self, *arguments: str):
        folder = Path(os.environ.get("TILL_BIN_DIR") or REPOSITORY / ".build/debug")
        self.process = subprocess.Popen(
            [folder / "http-probe", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.address = self.process.stdout.readline().strip()

    @property
    def port(self) -> int:
        return int(self.address)

    def url(self, path: str, scheme: str = "http") -> str:
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    def reload(self, certificate: Path, key: Path) -> str:
        self.process.stdin.write(f"{certificate} {key}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def connect(self, receive_buffer: int | None = None) -> socket.socket:
        """A connection that fails a test instead of waiting forever."""
        connection = socket.socket()
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(self.SILENCE)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def exchange(self, request: bytes, ends: bool = False) -> bytes:
        """Sends bytes and answers everything that comes back until the server closes; `ends` says that no more come."""
        with self.connect() as connection:
            try:
                connection.sendall(request)
                if ends:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            return received_until_closed(connection)

    def statistics(self) -> dict[str, int]:
        """What `--record` counts. Asking is not counted as executed, but is a connection and a request."""
        request = b"GET /probe/statistics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        for _ in range(20):
            # A server with short limits has no patience with us either, where the machine has other things to do.
            answers = responses(self.exchange(request))
            if answers and answers[0].status == 200:
                return json.loads(answers[0].body)
        raise AssertionError(f"http-probe answers {answers}")

    def eventually(self, holds) -> bool:
        """Whether the statistics come to be as they should."""
        return eventually(lambda: holds(self.statistics()))

    @property
    def sockets(self) -> int:
        """The sockets it has open. What its runtime opens for itself, such as timers, comes with its first tasks."""
        folder = Path(f"/proc/{self.process.pid}/fd")
        return sum(_target(descriptor).startswith("socket:") for descriptor in folder.iterdir())

    def close(self) -> int:
        self.process.stdin.close()
        status = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        return status


def _target(descriptor: Path) -> str:
    try:
        return os.readlink(descriptor)
    except FileNotFoundError:
        return "closed meanwhile"


def received_until_closed(connection: socket.socket) -> bytes:
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return received
