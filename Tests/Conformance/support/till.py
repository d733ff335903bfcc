import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import requests


class Till:
    """`till serve` as a process of its own, from its first line to its last."""

    PATIENCE = 180

    def __init__(self, program: Path, data: Path, *options: str, environment: dict[str, str] | None = None):
        self.data = data
        arguments = [program, "serve", "--data", data, "--log-format", "json"]
        if "--listen" not in options:
            arguments += ["--listen", "127.0.0.1:0"]
        if "--sandbox-listen" not in options:
            arguments += ["--sandbox-listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(
            [*map(str, arguments), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        # Whatever it logs is taken in all the time, so that it never waits for us.
        self._errors: list[bytes] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        line = self.process.stdout.readline()
        assert line, f"till ended without being ready: {self.log_text()}"
        self.ready = json.loads(line)
        self.first_line = line

    def _read(self):
        for line in self.process.stderr:
            self._errors.append(line)

    def log_text(self) -> str:
        if self.process.poll() is not None:
            self._reader.join(self.PATIENCE)
        return b"".join(list(self._errors)).decode()

    def log(self, event: str | None = None) -> list[dict]:
        entries = [json.loads(line) for line in list(self._errors)]
        return [entry for entry in entries if event in (None, entry["event"])]

    def wait_for(self, event: str, count: int = 1) -> dict:
        end = time.monotonic() + self.PATIENCE
        while len(found := self.log(event)) < count:
            assert time.monotonic() < end and self.process.poll() is None, f"no {event}: {self.log_text()}"
            time.sleep(0.01)
        return found[-1]

    def get(self, path: str, environment: str = "production", **options) -> requests.Response:
        return requests.get(self.ready[environment] + path, timeout=self.PATIENCE, **options)

    def send(self, number: signal.Signals):
        self.process.send_signal(number)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.send(signal.SIGTERM)
        status = self.process.wait(self.PATIENCE)
        self._reader.join(self.PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


def run(program: Path, *words, environment: dict[str, str] | None = None, **options) -> subprocess.CompletedProcess:
    """A command of till from its beginning to its end."""
    return subprocess.run(
        [str(program), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=Till.PATIENCE,
        env={**os.environ, **(environment or {})},
        **options,
    )
