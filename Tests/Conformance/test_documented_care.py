"""What the pages for operators say to type is typed, and does what they say."""

import os
import re
import subprocess

import pytest

from conftest import REPOSITORY, tool_path
from support.shop import Shop
from support.till import Till, run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")
BUNDLE = Shop.BUNDLE

pytestmark = pytest.mark.rows("X11")


def commands(page: str, word: str) -> list[str]:
    """The lines to be typed of the first block of a page with this word in it."""
    text = (REPOSITORY / "Documentation" / page).read_text()
    block = next(block for block in re.findall("```console\\n(.*?)```", text, re.DOTALL) if word in block)
    return [line[2:].replace("  ", " ") for line in block.splitlines() if line.startswith("$ ")]


def shell(folder, lines: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)],
        cwd=folder,
        env={**os.environ, "PATH": f"{TILL.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_the_passphrase_of_both_environments_is_changed(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for file in (old, new):
        file.write_text(f"the {file.name} one\n")
        file.chmod(0o600)
    data = tmp_path / "till_data"
    assert run(TILL, "keys", "init", "--data", data, "--passphrase-file", old).returncode == 0
    lines = [line.replace("OLD", str(old)).replace("NEW", str(new)) for line in commands("Keys.md", "openssl pkcs8")]
    for _ in range(2):
        # The second time everything is done already, and left as it is.
        count = len(list(data.glob("keys/*/*.key")))
        shell(tmp_path, lines)
        assert count >= 14
        assert [file.suffix for file in data.glob("keys/*/*.key*")] == [".key"] * count
        till = Till(TILL, data, "--passphrase-file", str(new))
        assert till.stop() == 0
    for environment in ("production", "sandbox"):
        rotate = ["keys", "rotate", "--environment", environment, "--data", data, "--passphrase-file"]
        assert run(TILL, *rotate, old).returncode == 77
        assert run(TILL, *rotate, new).returncode == 0


def test_a_restored_store_agrees_with_the_processor_whose_log_was_copied(tmp_path):
    data = tmp_path / "till_data"
    shop = Shop(TILL, data)
    tester = shop.add_tester()
    shop.till("buy", f"{BUNDLE}.credits5", "--app", BUNDLE, "--customer", tester["email"])
    assert shop.stop() == 0
    lines = [line.replace("/backups", str(tmp_path)) for line in commands("Operating.md", "cp -a till_data/processor")]
    done = shell(tmp_path, lines)
    assert done.returncode == 0, done.stderr
    assert "1 entry, held against 1 movement of" in done.stdout and "In order." in done.stdout
    without = [line.replace("./restored", "./alone") for line in lines if "cp -a" not in line and "backup /" not in line]
    done = shell(tmp_path, without)
    assert done.returncode == 1 and "processor_missing" in done.stdout
