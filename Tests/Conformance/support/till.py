import atexit
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

import requests

from support.waiting import PATIENCE


_lent: list[Path] = []


def lend_keys(program: Path, data: Path):
    """Gives a new store keys that were made before, as a copy: making them takes longer than all the rest of its start."""
    if not _lent:
        _lent.append(Path(tempfile.mkdtemp(prefix="till-keys-")))
        atexit.register(shutil.rmtree, _lent[0], ignore_errors=True)
        made = run(program, "keys", "init", "--data", _lent[0] / "store")
        assert made.returncode == 0, made
    shutil.copytree(_lent[0] / "store", data)


class Till:
    """`till serve` as a process of its own, from its first line to its last."""

    def __init__(self, program: Path, data: Path, *options: str, environment: dict[str, str] | None = None):
        self.data = data
        if not Path(data).exists() and "--passphrase-file" not in options:
            lend_keys(program, Path(data))
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
        self._is_over = False
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        line = self.process.stdout.readline()
        assert line, f"till ended without being ready: {self.log_text()}"
        self.ready = json.loads(line)
        self.first_line = line

    def _read(self):
        for line in self.process.stderr:
            with self._changed:
                self._errors.append(line)
                self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def log_text(self) -> str:
        if self.process.poll() is not None:
            self._reader.join(PATIENCE)
        return b"".join(list(self._errors)).decode()

    def log(self, event: str | None = None) -> list[dict]:
        entries = [json.loads(line) for line in list(self._errors)]
        return [entry for entry in entries if event in (None, entry["event"])]

    def wait_for(self, event: str, count: int = 1) -> dict:
        with self._changed:
            self._changed.wait_for(lambda: len(self.log(event)) >= count or self._is_over, PATIENCE)
        found = self.log(event)
        assert len(found) >= count, f"no {event}: {self.log_text()}"
        return found[-1]

    def get(self, path: str, environment: str = "production", **options) -> requests.Response:
        return requests.get(self.ready[environment] + path, timeout=PATIENCE, **options)

    def send(self, number: signal.Signals):
        self.process.send_signal(number)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.send(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


def run(program: Path, *words, environment: dict[str, str] | None = None, **options) -> subprocess.CompletedProcess:
    """A command of till from its beginning to its end."""
    return subprocess.run(
        [str(program), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **(environment or {})},
        **options,
    )
