"""Runs http-probe, the server that foreign clients are let loose on."""

import os
import socket
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


class Probe:
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

    def exchange(self, request: bytes) -> bytes:
        """Sends bytes and answers everything that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            received = b""
            try:
                connection.sendall(request)
            except OSError:
                pass
            try:
                while piece := connection.recv(65536):
                    received += piece
            except ConnectionResetError:
                pass
            return received

    def close(self) -> int:
        self.process.stdin.close()
        status = self.process.wait(timeout=20)
        self.process.stdout.close()
        return status
