"""Drives `till-conformance`: one JSON request per line, one JSON answer per line."""

import base64
import json
import subprocess
from pathlib import Path

from support.waiting import PATIENCE


class Refused(Exception):
    """What the tool answers instead of a result: the code and message of a SigningError."""

    def __init__(self, code: str, message: str):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class ToolStopped(Exception):
    """The tool ended although it should have answered: whatever it was fed, that is a defect."""


class Tool:
    def __init__(self, path: Path):
        self._process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, operation: str, **fields):
        request = json.dumps({"operation": operation, **fields}, default=_as_base64)
        try:
            self._process.stdin.write(request.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ToolStopped(f"till-conformance was gone before it was asked for {operation}") from None
        line = self._process.stdout.readline()
        if not line:
            raise ToolStopped(f"till-conformance ended with {self._process.wait()} while asked for {operation}")
        answer = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"]["code"], answer["error"]["message"])
        return answer["ok"]

    def close(self) -> int:
        self._process.stdin.close()
        code = self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()
        return code


def _as_base64(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value)} has no form in a request")
