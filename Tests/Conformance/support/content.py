"""Content that the commands make, and what is looked at of it."""

import itertools
import os
import random
import subprocess
from pathlib import Path

from conftest import tool_path
from support.till import run

TILL = tool_path().with_name("till")
NUMBERS = itertools.count(1)


def content(*words, **options) -> subprocess.CompletedProcess:
    return run(TILL, "content", *words, **options)


def made(*words, **options) -> str:
    result = content(*words, **options)
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


def rules(result) -> set[str]:
    assert result.returncode == 65, (result.returncode, result.stderr)
    return {line.split(": ")[1] for line in result.stdout.splitlines() if line.count(": ") > 1}


def make_project(folder: Path, product: str) -> Path:
    """A content with text, pictures, an empty file and a link, made by the commands."""
    made("new", folder, "--product", product)
    sources = folder.with_name("sources")
    (sources / "images").mkdir(parents=True)
    (sources / "1.html").write_text("<p>Call me Ishmael.</p>\n" * 500)
    (sources / "images" / "größe & höhe.png").write_bytes(random.Random(1).randbytes(70_000))
    (sources / "images" / "empty").touch()
    (sources / "images" / "first").symlink_to("empty")
    made("add", folder, sources / "1.html", sources / "images")
    return folder


def tree(folder) -> dict[str, bytes]:
    """Every file below a folder with its bytes, and every link with where it points."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = b"-> " + os.readlink(path).encode()
        elif path.is_file():
            found[name] = path.read_bytes()
    return found
