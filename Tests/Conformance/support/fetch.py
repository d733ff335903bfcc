"""Drives till-fetch, the HTTP client of the store, from outside."""

import os
from pathlib import Path

from .tool import Tool

REPOSITORY = Path(__file__).resolve().parents[3]


def fetch_path() -> Path:
    return Path(os.environ.get("TILL_BIN_DIR") or REPOSITORY / ".build/debug") / "till-fetch"


class Fetch(Tool):
    """One request after the other, in one process."""

    def __init__(self):
        super().__init__(fetch_path())
