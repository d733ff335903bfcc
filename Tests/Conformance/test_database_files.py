"""The files of SQLite that the store leaves behind when it is killed, read by Python's own SQLite."""

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PARTS = 3


def acknowledged_by(path: Path, count: int) -> list[tuple[int, ...]]:
    """Lets the writer write to a database and kills it after so many acknowledgements; gives all there were."""
    folder = Path(os.environ.get("TILL_BIN_DIR") or REPOSITORY / ".build/debug")
    with subprocess.Popen([folder / "storage-writer", "sqlite", path], stdout=subprocess.PIPE) as writer:
        lines = [writer.stdout.readline() for _ in range(count)]
        writer.send_signal(signal.SIGKILL)
        lines += writer.stdout.read().splitlines(keepends=True)
    # The kill may have cut the last line.
    return [tuple(map(int, line.split())) for line in lines if line.endswith(b"\n")]


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A database whose writer was killed in the middle of its work, and what it had acknowledged by then."""
    path = tmp_path_factory.mktemp("database") / "sample.sqlite"
    acknowledged = acknowledged_by(path, 300)
    assert len(acknowledged) >= 300
    return path, acknowledged


@pytest.fixture()
def connection(killed, tmp_path):
    """A copy is opened: opening recovers the log, and every test shall find it as the kill has left it."""
    path, _ = killed
    for name in (path.name, f"{path.name}-wal"):
        shutil.copy(path.parent / name, tmp_path / name)
    with closing(sqlite3.connect(tmp_path / path.name)) as connection:
        yield connection


def test_the_file_is_whole(connection):
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_everything_acknowledged_is_there(connection, killed):
    there = set(connection.execute("SELECT DISTINCT writer, number FROM part"))
    assert set(killed[1]) <= there


def test_nothing_is_half(connection):
    rows = connection.execute("SELECT count(*), sum(part) FROM part GROUP BY writer, number").fetchall()
    assert set(rows) == {(PARTS, PARTS * (PARTS + 1) // 2)}
    tallies = connection.execute("SELECT writer, count FROM tally ORDER BY writer").fetchall()
    numbers = connection.execute("SELECT writer, max(number) FROM part GROUP BY writer ORDER BY writer").fetchall()
    assert tallies == numbers


def test_texts_and_bytes_are_what_was_written(connection):
    for writer, number, part, content in connection.execute("SELECT writer, number, part, content FROM part"):
        assert content == bytes([part]) * (number * 37 % 2000)
    names = connection.execute("SELECT schema_name, name FROM store_migration ORDER BY number").fetchall()
    assert names == [("crash", "tallies"), ("crash", "parts")]


def test_nobody_else_may_read_the_files(killed):
    path, _ = killed
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_what_another_program_writes_is_a_database_of_ours_still(killed, tmp_path):
    path, acknowledged = killed
    for name in (path.name, f"{path.name}-wal"):
        shutil.copy(path.parent / name, tmp_path / name)
    copy = tmp_path / path.name
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("INSERT INTO tally (writer, count) VALUES (99, 0)")
    first = acknowledged_by(copy, 50)
    assert len(first) >= 50
    highest = dict(sorted(acknowledged))
    assert all(number > highest.get(who, 0) for who, number in first)
