"""`till database`, judged by Python's own SQLite and by PostgreSQL."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys

import pytest

from conftest import tool_path
from support.till import Till, run

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X9", "X11")

NAMES = ["catalogue", "production", "sandbox"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A data directory with keys and databases; tests work on copies of it."""
    folder = tmp_path_factory.mktemp("made") / "data"
    assert Till(TILL, folder).stop() == 0
    return folder


@pytest.fixture
def data(made, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(made, folder, ignore=shutil.ignore_patterns("*.sock"))
    return folder


def database(data, name="production"):
    return data / "databases" / f"{name}.sqlite"


def epoch(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        (content,) = connection.execute("SELECT content FROM store_property WHERE name = 'epoch'").fetchone()
    connection.close()
    return content


# Writes pairs of rows that belong together, as fast as it can, until it is ended.
LOAD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
connection.execute("CREATE TABLE IF NOT EXISTS pair (number INTEGER PRIMARY KEY, half INTEGER NOT NULL, filler BLOB)")
number = 0
while True:
    connection.execute("BEGIN IMMEDIATE")
    for half in (0, 1):
        connection.execute("INSERT INTO pair (half, filler) VALUES (?, zeroblob(3000))", (number * 2 + half,))
    connection.execute("COMMIT")
    number += 1
    if number == 300:
        print("busy", flush=True)
"""


@pytest.fixture
def load(data):
    process = subprocess.Popen([sys.executable, "-c", LOAD, database(data)], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"busy\n"
    yield process
    process.kill()
    process.communicate()


class TestCheck:
    @pytest.mark.parametrize("running", [True, False])
    def test_databases_in_order(self, data, running):
        till = Till(TILL, data) if running else None
        checked = run(TILL, "database", "check", "--data", data, "--json")
        assert checked.returncode == 0, checked.stderr
        reports = json.loads(checked.stdout)["databases"]
        assert [report["name"] for report in reports] == NAMES
        assert all(report["exists"] and report["problems"] == [] for report in reports)
        assert not till or till.stop() == 0

    def test_there_is_no_store(self, tmp_path):
        checked = run(TILL, "database", "check", "--data", tmp_path / "none")
        assert checked.returncode == 66
        assert not (tmp_path / "none").exists()

    def test_databases_that_were_not_made_yet(self, tmp_path):
        assert run(TILL, "keys", "init", "--data", tmp_path / "new").returncode == 0
        checked = run(TILL, "database", "check", "--data", tmp_path / "new")
        assert checked.returncode == 1
        assert "catalogue: it has not been made yet" in checked.stdout
        assert not (tmp_path / "new" / "databases").exists()

    @pytest.mark.parametrize("running", [True, False])
    def test_a_damaged_database(self, data, running):
        connection = sqlite3.connect(database(data))
        connection.execute("CREATE TABLE filler (number INTEGER PRIMARY KEY, content BLOB)")
        connection.executemany("INSERT INTO filler (content) VALUES (zeroblob(900))", [()] * 2000)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        till = Till(TILL, data) if running else None
        with open(database(data), "r+b") as file:
            file.seek(300 * 4096)
            file.write(b"\xa5" * 8192)
        checked = run(TILL, "database", "check", "--data", data)
        assert checked.returncode == 1
        assert "production: not in order" in checked.stderr
        assert "sandbox: in order" in checked.stdout
        assert not till or till.stop() == 0


class TestMigrate:
    def test_it_makes_the_databases(self, tmp_path):
        migrated = run(TILL, "database", "migrate", "--data", tmp_path / "new")
        assert migrated.returncode == 0, migrated.stderr
        assert "production: 28 migrations, 28 new" in migrated.stdout
        again = run(TILL, "database", "migrate", "--data", tmp_path / "new")
        assert "production: 28 migrations, nothing to do" in again.stdout
        assert run(TILL, "database", "check", "--data", tmp_path / "new").returncode == 0

    def test_it_leaves_a_running_store_alone(self, data):
        till = Till(TILL, data)
        refused = run(TILL, "database", "migrate", "--data", data)
        assert refused.returncode == 75 and f"process {till.process.pid}" in refused.stderr
        assert till.stop() == 0

    def test_a_newer_database_is_not_touched(self, data):
        connection = sqlite3.connect(database(data))
        connection.execute("INSERT INTO store_migration VALUES (99, 'the future', 'production', 'SELECT 1')")
        connection.commit()
        connection.close()
        refused = run(TILL, "database", "migrate", "--data", data)
        assert refused.returncode == 78
        assert "the future" in refused.stderr and "newer program" in refused.stderr


class TestBackup:
    @pytest.mark.parametrize("running", [True, False])
    def test_a_backup_under_load_is_one_state_and_comes_back(self, data, tmp_path, load, running):
        till = Till(TILL, data) if running else None
        backup = tmp_path / "backup"
        made = run(TILL, "database", "backup", backup, "--data", data)
        assert made.returncode == 0, made.stderr
        assert load.poll() is None
        assert not till or till.stop() == 0
        copied = sqlite3.connect(f"file:{database(backup)}?mode=ro&immutable=1", uri=True)
        assert copied.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        halves = [half for (half,) in copied.execute("SELECT half FROM pair ORDER BY number")]
        copied.close()
        assert len(halves) >= 600 and halves == list(range(len(halves))) and len(halves) % 2 == 0
        restored = run(TILL, "database", "restore", backup, "--data", tmp_path / "restored")
        assert restored.returncode == 0, restored.stderr
        again = Till(TILL, tmp_path / "restored")
        assert again.get("/readyz").status_code == 200
        assert again.stop() == 0
        connection = sqlite3.connect(database(tmp_path / "restored"))
        assert connection.execute("SELECT count(*) FROM pair").fetchone() == (len(halves),)
        connection.close()

    def test_a_backup_can_be_put_back_from_where_nothing_can_be_written(self, data, tmp_path):
        backup = tmp_path / "backup"
        assert run(TILL, "database", "backup", backup, "--data", data).returncode == 0
        before = sorted(path.relative_to(backup) for path in backup.rglob("*"))
        assert run(TILL, "database", "restore", backup, "--data", tmp_path / "restored").returncode == 0
        assert sorted(path.relative_to(backup) for path in backup.rglob("*")) == before

    def test_keys_come_along_and_nobody_else_can_read_them(self, data, tmp_path):
        backup = tmp_path / "backup"
        assert run(TILL, "database", "backup", backup, "--data", data).returncode == 0
        for path in [backup, *backup.rglob("*")]:
            assert path.stat().st_mode & 0o077 == 0, path
        restored = run(TILL, "database", "restore", backup, "--data", tmp_path / "restored")
        assert "with its keys" in restored.stdout
        shown = [run(TILL, "keys", "show", "--json", "--data", folder).stdout for folder in (data, tmp_path / "restored")]
        assert shown[0].replace(str(data), "") == shown[1].replace(str(tmp_path / "restored"), "")

    def test_keys_can_be_left_out(self, data, tmp_path):
        backup = tmp_path / "backup"
        assert run(TILL, "database", "backup", backup, "--without-keys", "--data", data).returncode == 0
        assert not (backup / "keys").exists()

    def test_what_is_there_already_is_not_touched(self, data, tmp_path):
        (tmp_path / "backup").mkdir()
        refused = run(TILL, "database", "backup", tmp_path / "backup", "--data", data)
        assert refused.returncode == 73
        assert list((tmp_path / "backup").iterdir()) == []

    def test_a_folder_that_cannot_be_made_is_named(self, data, tmp_path):
        refused = run(TILL, "database", "backup", tmp_path / "none" / "backup", "--data", data)
        assert refused.returncode == 74
        assert "none/backup" in refused.stderr

    def test_a_backup_that_is_killed_leaves_none(self, data, tmp_path):
        """At every moment: either there is no folder of that name, or a whole backup."""
        connection = sqlite3.connect(database(data))
        connection.execute("CREATE TABLE filler (number INTEGER PRIMARY KEY, content BLOB)")
        connection.executemany("INSERT INTO filler (content) VALUES (randomblob(4000))", [()] * 3000)
        connection.commit()
        connection.close()
        whole = broken = 0
        delay = 0.0
        while (whole < 2 or broken < 2) and delay < 20:
            backup = tmp_path / f"backup-{delay:.3f}"
            process = subprocess.Popen([TILL, "database", "backup", backup, "--data", data], stdout=subprocess.DEVNULL)
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            if backup.exists():
                whole += 1
                target = tmp_path / f"restored-{delay:.3f}"
                assert run(TILL, "database", "restore", backup, "--data", target).returncode == 0
            else:
                broken += 1
            delay = delay * 1.3 + 0.01
        assert whole >= 2 and broken >= 2


class TestRestore:
    @pytest.fixture
    def backup(self, data, tmp_path):
        folder = tmp_path / "backup"
        assert run(TILL, "database", "backup", folder, "--data", data).returncode == 0
        return folder

    def test_another_life_begins(self, data, backup, tmp_path):
        assert run(TILL, "database", "restore", backup, "--data", tmp_path / "restored").returncode == 0
        for name in NAMES:
            assert epoch(database(tmp_path / "restored", name)) != epoch(database(data, name))

    def test_databases_that_are_there_stay_unless_they_shall_go(self, data, backup):
        before = database(data).read_bytes()
        refused = run(TILL, "database", "restore", backup, "--data", data)
        assert refused.returncode == 73
        assert database(data).read_bytes() == before
        replaced = run(TILL, "database", "restore", backup, "--data", data, "--replace")
        assert replaced.returncode == 0 and "the keys that were there stayed" in replaced.stdout
        (kept,) = data.glob("databases.before-*")
        assert (kept / "production.sqlite").read_bytes() == before

    def test_it_leaves_a_running_store_alone(self, data, backup):
        till = Till(TILL, data)
        refused = run(TILL, "database", "restore", backup, "--data", data, "--replace")
        assert refused.returncode == 75
        assert till.get("/readyz").status_code == 200
        assert till.stop() == 0

    @pytest.mark.parametrize("damage", ["flip", "cut", "missing", "manifest", "outside", "newer", "engine", "none"])
    def test_a_backup_that_is_not_as_it_was_made_changes_nothing(self, backup, tmp_path, damage):
        manifest = backup / "manifest.json"
        content = json.loads(manifest.read_text())
        victim = database(backup)
        if damage == "flip":
            bytes_ = bytearray(victim.read_bytes())
            bytes_[5000] ^= 1
            victim.write_bytes(bytes_)
        elif damage == "cut":
            victim.write_bytes(victim.read_bytes()[:-1])
        elif damage == "missing":
            victim.unlink()
        elif damage == "manifest":
            manifest.write_text("{")
        elif damage == "outside":
            content["files"].append({"path": "../../etc/passwd", "bytes": 1, "sha256": "00"})
        elif damage == "newer":
            content["migrations"]["production"] = 1000
        elif damage == "engine":
            content["engine"] = "postgres"
        elif damage == "none":
            manifest.unlink()
        if damage in ("outside", "newer", "engine"):
            manifest.write_text(json.dumps(content))
        refused = run(TILL, "database", "restore", backup, "--data", tmp_path / "restored")
        assert refused.returncode == (66 if damage == "none" else 65), refused.stderr
        assert not (tmp_path / "restored" / "databases").exists()
        assert not (tmp_path / "restored" / "keys").exists()


class TestBegin:
    def test_a_lost_database_is_not_begun_anew_in_silence(self, data, tmp_path):
        backup = tmp_path / "backup"
        assert run(TILL, "database", "backup", backup, "--data", data).returncode == 0
        database(data, "sandbox").unlink()
        for words in (["serve", "--listen", "127.0.0.1:0"], ["database", "migrate"], ["customers", "list"]):
            refused = run(TILL, *words, "--data", data)
            assert refused.returncode == 78, (words, refused.stderr)
            assert "this store had the sandbox database" in refused.stderr
            assert "till database restore FOLDER --replace" in refused.stderr and "till database begin" in refused.stderr
        assert not database(data, "sandbox").exists()
        lives = epoch(database(data))
        begun = run(TILL, "database", "begin", "--data", data, "--json")
        assert json.loads(begun.stdout) == {"begun": ["sandbox"]}
        assert epoch(database(data)) == lives
        # What is left of a database is none.
        database(data, "sandbox").write_bytes(b"")
        doctor = run(TILL, "doctor", "--data", data).stdout
        assert run(TILL, "serve", "--listen", "127.0.0.1:0", "--data", data).returncode == 78
        assert "till database begin" in doctor
        shutil.rmtree(data / "databases")
        assert run(TILL, "database", "migrate", "--data", data).returncode == 78
        assert run(TILL, "database", "restore", backup, "--data", data).returncode == 0
        assert "No database is missing" in run(TILL, "database", "begin", "--data", data).stdout

    def test_keys_that_nothing_was_sold_with_do_not_keep_a_store_from_beginning(self, tmp_path):
        assert run(TILL, "keys", "init", "--data", tmp_path / "new").returncode == 0
        assert run(TILL, "database", "migrate", "--data", tmp_path / "new").returncode == 0


def test_progress_is_shown_to_a_person_only(data, tmp_path):
    quiet = run(TILL, "database", "backup", tmp_path / "quiet", "--data", data)
    assert quiet.stderr == ""
    assert quiet.stdout.startswith("Made the backup ")


class TestPostgreSQL:
    def test_the_store_lives_in_a_server(self, cluster, tmp_path):
        address = cluster.create("lives")
        till = Till(TILL, tmp_path / "data", "--database", address)
        assert till.get("/readyz").json()["ready"] is True
        assert 'database="PostgreSQL"' in till.get("/metrics").text
        checked = run(TILL, "database", "check", "--data", tmp_path / "data", "--database", address)
        assert checked.returncode == 0, checked.stderr
        assert not (tmp_path / "data" / "databases").exists()
        assert till.stop() == 0
        schemas = "SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_|^info|public'"
        assert cluster.psql("lives", schemas) == "catalogue production sandbox"
        assert address not in till.log_text()
    def test_a_backup_under_load_is_one_state_and_comes_back(self, cluster, tmp_path):
        address = cluster.create("copied")
        data = tmp_path / "data"
        assert run(TILL, "database", "migrate", "--data", data, "--database", address).returncode == 0
        assert run(TILL, "keys", "init", "--data", data).returncode == 0
        cluster.psql("copied", "CREATE TABLE production.pair (number serial PRIMARY KEY, half int, filler text)")
        pairs = "INSERT INTO production.pair (half, filler) SELECT half, repeat('x', 3000) FROM generate_series(0, 1) half"
        command = ["psql", "-h", cluster.folder, "-U", "postgres", "-d", "copied", "-Xqf", "-"]
        load = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        load.stdin.write(f"{pairs};\n" * 3000)
        load.stdin.flush()
        till = Till(TILL, data, "--database", address)
        made = run(TILL, "database", "backup", tmp_path / "backup", "--data", data, "--database", address)
        assert made.returncode == 0, made.stderr
        assert till.stop() == 0
        load.kill()
        load.communicate()
        elsewhere = cluster.create("restored")
        options = ("--data", tmp_path / "restored", "--database", elsewhere)
        restored = run(TILL, "database", "restore", tmp_path / "backup", *options)
        assert restored.returncode == 0, restored.stderr
        counts = cluster.psql("restored", "SELECT count(*) % 2, count(*) = 2 * sum(half) FROM production.pair")
        assert counts == "0|t"
        life = "SELECT content FROM production.store_property WHERE name = 'epoch'"
        assert cluster.psql("restored", life) != cluster.psql("copied", life)
        refused = run(TILL, "database", "restore", tmp_path / "backup", *options)
        assert refused.returncode == 73
        replaced = run(TILL, "database", "restore", tmp_path / "backup", "--replace", *options)
        assert replaced.returncode == 0, replaced.stderr
        checked = run(TILL, "database", "check", *options)
        assert checked.returncode == 0, checked.stdout

    def test_a_backup_without_the_programs_of_postgresql_says_what_is_missing(self, cluster, tmp_path):
        options = ("--data", tmp_path / "data", "--database", cluster.create("alone"))
        assert run(TILL, "database", "migrate", *options).returncode == 0
        made = run(TILL, "database", "backup", tmp_path / "backup", *options, environment={"PATH": str(tmp_path)})
        assert made.returncode != 0
        assert "pg_dump is not installed; it comes with PostgreSQL's client programs" in made.stderr
        assert not (tmp_path / "backup").exists()

    def test_a_server_that_does_not_answer_is_named_without_its_password(self, tmp_path):
        address = "postgresql://till:hunter2@127.0.0.1:1/till"
        refused = run(TILL, "serve", "--data", tmp_path / "data", "--database", address)
        assert refused.returncode == 69
        assert "hunter2" not in refused.stderr and "127.0.0.1" in refused.stderr
