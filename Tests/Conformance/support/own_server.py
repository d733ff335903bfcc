import json
import os
import subprocess
import threading
from pathlib import Path

import requests

from support.waiting import PATIENCE


class OwnServer:
    """`till backend serve` as a process of its own, at a port that stays the same when it is started again."""

    def __init__(self, program: Path, data: Path, *options: str, listen: str = "127.0.0.1:0"):
        self.program, self.data, self.options, self.listen = program, data, options, listen
        self.start()

    def start(self):
        arguments = [self.program, "backend", "serve", "--data", self.data, "--listen", self.listen]
        self.process = subprocess.Popen(
            [*map(str, arguments), "--log-format", "json", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ),
        )
        self._lines: list[bytes] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        line = self.process.stdout.readline()
        if not line:
            self._reader.join(PATIENCE)
        assert line, f"the server ended without being ready: {self.log_text()}"
        self.ready = json.loads(line)
        self.address = self.ready["url"]
        self.listen = self.address.split("//")[1]

    def _read(self):
        for line in self.process.stderr:
            self._lines.append(line)

    def log_text(self) -> str:
        return b"".join(list(self._lines)).decode()

    def events(self, *wanted: str) -> list[dict]:
        entries = [json.loads(line) for line in list(self._lines)]
        return [entry for entry in entries if not wanted or entry["event"] in wanted]

    def call(self, method: str, path: str, token: str | None = None, **options) -> requests.Response:
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **options.pop("headers", {})}
        return requests.request(method, self.address + path, headers=headers, timeout=PATIENCE, **options)

    def sign_up(self, name: str) -> str:
        answer = self.call("POST", "/v1/users", json={"name": name, "password": "correct horse"})
        assert answer.status_code == 201, answer.text
        return answer.json()["token"]

    def kill(self):
        self.process.kill()
        self._end()

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self._end()

    def _end(self) -> int:
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status
