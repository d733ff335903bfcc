"""Snapshots of the sandbox: saved while it runs, put back whole or not at all, and gone on from elsewhere."""

import json
import random
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from conftest import tool_path
from support.till import Till, run

TILL = tool_path().with_name("till")
REPOSITORY = Path(__file__).parents[2]
COINS = "com.example.weather.coins"


def till(data: Path, *words):
    return run(TILL, *words, "--data", data)


def answer(data: Path, *words):
    found = till(data, *words, "--json")
    assert found.returncode == 0, found
    return json.loads(found.stdout)


def bought(data: Path) -> list[str]:
    return [item["transactionId"] for item in answer(data, "transactions", "list")["items"]]


def epoch(data: Path) -> str:
    with sqlite3.connect(data / "databases/sandbox.sqlite") as database:
        return database.execute("SELECT content FROM store_property WHERE name = 'epoch'").fetchone()[0]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A store that is stopped, in which one purchase is in the snapshot and one is not."""
    data = tmp_path_factory.mktemp("snapshots") / "store"
    store = Till(TILL, data)
    try:
        answer(data, "catalogue", "import", REPOSITORY / "Scenarios/Weather.json")
        answer(data, "testers", "add", "ada@example.com")
        answer(data, "buy", COINS)
        before = bought(data)
        assert answer(data, "snapshot", "save", "one")["name"] == "one"
        answer(data, "buy", COINS)
        assert len(bought(data)) == 2
        # What cannot be is refused while it runs, too.
        for words, status, reason in (
            (("save", "one"), 73, "already"), (("save", "../one"), 65, "name of a snapshot"), (("save", ".one"), 65, "name"),
            (("save", "x" * 65), 65, "name"), (("restore", "one"), 75, "stop it"),
            (("restore", "one", "--json"), 75, "while it runs: till snapshot fork one FOLDER"),
            (("save", "two", "--environment", "production"), 64, "production has no snapshots"),
        ):
            found = till(data, "snapshot", *words)
            assert found.returncode == status and reason in found.stderr, (words, found)
    finally:
        store.stop()
    assert till(data, "snapshot", "restore", "none").returncode == 66
    return data, before


@pytest.mark.rows("X8")
def test_a_restore_is_one_change_and_devices_ask_anew(kept, tmp_path):
    data = tmp_path / "store"
    shutil.copytree(kept[0], data, ignore=shutil.ignore_patterns("*.sock"))
    former = epoch(data)
    assert answer(data, "snapshot", "restore", "one")["restored"] == "one"
    assert bought(data) == kept[1]
    assert epoch(data) != former, "cursors of devices are void"
    assert answer(data, "ledger", "check")["isInOrder"] is True, "the processor went back too"
    audit = [item["action"] for item in answer(data, "audit")["items"] if "snapshot" in item["action"]]
    assert len(audit) == 1 and audit[0].startswith("snapshot one of ")
    # It goes on from there, with numbers that were never given.
    again = answer(data, "buy", COINS)["transactionId"]
    assert again not in kept[1] and len(bought(data)) == 2


@pytest.mark.rows("X8")
def test_of_two_that_save_at_once_one_does_and_what_a_killed_one_left_goes(kept, tmp_path):
    data = tmp_path / "store"
    shutil.copytree(kept[0], data, ignore=shutil.ignore_patterns("*.sock"))
    (data / "snapshots/.gone.partial").mkdir()
    words = [str(TILL), "snapshot", "save", "both", "--data", str(data)]
    both = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = sorted((process.communicate()[1], process.returncode) for process in both)
    assert ends[0] == ("", 0) and ends[1][1] in (73, 74), ends
    assert "already" in ends[1][0] or "being made at this moment" in ends[1][0], ends
    assert {item["name"] for item in answer(data, "snapshot", "list")["items"]} == {"one", "both"}
    assert not (data / "snapshots/.gone.partial").exists()


@pytest.mark.rows("X8")
def test_a_damaged_snapshot_changes_nothing(kept, tmp_path):
    data = tmp_path / "store"
    shutil.copytree(kept[0], data, ignore=shutil.ignore_patterns("*.sock"))
    copy = data / "snapshots/one/sandbox.sqlite"
    content = bytearray(copy.read_bytes())
    content[len(content) // 2] ^= 1
    copy.write_bytes(content)
    found = till(data, "snapshot", "restore", "one")
    assert found.returncode == 65 and "not as it was made" in found.stderr, found
    assert len(bought(data)) == 2


@pytest.mark.rows("X8")
def test_a_restore_that_is_killed_leaves_the_one_or_the_other(kept, tmp_path):
    """Fails if database and log are moved before all of it is made ready."""
    generator, seen = random.Random(7), set()
    for round in range(6):
        data = tmp_path / f"store{round}"
        shutil.copytree(kept[0], data, ignore=shutil.ignore_patterns("*.sock"))
        process = subprocess.Popen(
            [str(TILL), "snapshot", "restore", "one", "--data", str(data)], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        time.sleep(generator.uniform(0.01, 0.3))
        process.kill()
        process.wait()
        found = len(bought(data))
        assert found in (1, 2)
        seen.add(found)
        assert answer(data, "ledger", "check")["isInOrder"] is True
        noted = [item for item in answer(data, "audit")["items"] if "snapshot" in item["action"]]
        assert len(noted) == (1 if found == 1 else 0)
        shutil.rmtree(data)


@pytest.mark.rows("X8")
def test_a_fork_goes_on_by_itself(kept, tmp_path):
    data, fork = kept[0], tmp_path / "fork"
    assert answer(data, "snapshot", "fork", "one", fork)["dataDirectory"] == str(fork)
    assert till(data, "snapshot", "fork", "one", fork).returncode == 73
    assert not (fork / "keys/production").exists(), "it cannot sign for production"
    store = Till(TILL, fork)
    try:
        assert bought(fork) == kept[1]
        answer(fork, "buy", COINS)
        assert answer(fork, "ledger", "check")["isInOrder"] is True
    finally:
        store.stop()
    assert len(bought(data)) == 2


@pytest.mark.rows("X8")
def test_a_full_disk_leaves_no_snapshot(kept, tmp_path):
    data = tmp_path / "store"
    shutil.copytree(kept[0], data, ignore=shutil.ignore_patterns("*.sock"))
    # No file may be longer than half of the database.
    limit = (data / "databases/sandbox.sqlite").stat().st_size // 2 // 1024
    found = subprocess.run(
        ["bash", "-c", f"trap '' XFSZ; ulimit -f {limit}; exec \"$0\" snapshot save two --data \"$1\"", str(TILL), str(data)],
        capture_output=True, text=True)
    assert found.returncode == 74, found
    assert [entry["name"] for entry in answer(data, "snapshot", "list")["items"]] == ["one"]
    assert not list((data / "snapshots").glob(".two*"))


@pytest.mark.rows("X8")
def test_postgresql_says_that_it_cannot_yet(kept):
    found = run(TILL, "snapshot", "save", "two", "--data", kept[0], "--database", "postgresql://nobody@127.0.0.1:1/none")
    assert found.returncode == 65 and "PostgreSQL cannot make snapshots yet" in found.stderr, found
