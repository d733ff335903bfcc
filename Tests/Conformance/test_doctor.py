"""`till doctor` before, while and after a store runs."""

import fcntl
import json
import signal
import socket
import subprocess

import pytest

from conftest import tool_path
from support.till import Till, run

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X6", "X9")


def findings(data, *options, status=None):
    examined = run(TILL, "doctor", "--data", data, "--json", *options)
    report = json.loads(examined.stdout)
    problems = [finding for finding in report["findings"] if finding["level"] == "problem"]
    assert examined.returncode == (1 if problems else 0), examined.stderr
    return report


def part(report, name):
    return [finding for finding in report["findings"] if finding["part"] == name]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examined") / "data"
    assert Till(TILL, folder).stop() == 0
    return folder


FREE = ("--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0")


def test_a_store_that_was_never_started(tmp_path):
    report = findings(tmp_path / "none", *FREE)
    (finding,) = part(report, "data directory")
    assert finding["level"] == "problem"
    assert "till serve --data" in finding["remedy"]


def test_a_store_that_is_stopped_and_in_order(data):
    report = findings(data, *FREE)
    assert report["running"] is False
    assert [finding for finding in report["findings"] if finding["level"] == "problem"] == []
    assert {finding["part"] for finding in report["findings"]} >= {
        "data directory", "permissions", "disk", "production keys", "sandbox keys", "clock", "time zones",
        "catalogue database", "production database", "sandbox database", "production listener", "sandbox listener",
    }  # fmt: skip


def test_a_store_that_runs(data):
    till = Till(TILL, data)
    report = findings(data)
    assert report["running"] is True
    assert part(report, "sandbox database")[0]["level"] == "ok"
    assert part(report, "production listener") == []
    assert till.stop() == 0


def test_an_address_that_is_taken(data):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        report = findings(data, "--listen", address, "--sandbox-listen", "127.0.0.1:0")
    (finding,) = part(report, "production listener")
    assert finding["level"] == "problem" and address in finding["message"]


def test_files_that_others_can_read(data):
    (data / "databases").chmod(0o755)
    (finding,) = part(findings(data, *FREE), "permissions")
    (data / "databases").chmod(0o700)
    assert finding["level"] == "problem"
    assert f"chmod -R go-rwx {data}" in finding["remedy"]


def test_a_damaged_database(tmp_path):
    folder = tmp_path / "data"
    assert Till(TILL, folder).stop() == 0
    (folder / "databases" / "production.sqlite").write_bytes(b"this is no database" * 1000)
    report = findings(folder, *FREE)
    assert part(report, "production database")[0]["level"] == "problem"
    assert part(report, "sandbox database")[0]["level"] == "ok"


def test_a_certificate_that_ends_soon(data, tmp_path):
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3",
        "-subj", "/CN=localhost", "-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "chain.pem"),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    files = ("--tls-cert", str(tmp_path / "chain.pem"), "--tls-key", str(tmp_path / "key.pem"))
    report = findings(data, *FREE, *files)
    assert part(report, "TLS certificate")[0]["level"] == "warning"
    assert "certificate is good" in part(report, "production listener")[0]["message"]
    (tmp_path / "key.pem").write_text("no key")
    report = findings(data, *FREE, *files)
    assert part(report, "production listener")[0]["level"] == "problem"


def test_a_person_reads_what_is_wrong_and_how_to_mend_it(tmp_path):
    examined = run(TILL, "doctor", "--data", tmp_path / "none", *FREE)
    assert examined.returncode == 1
    lines = examined.stdout.splitlines()
    assert lines[0].startswith("PROBLEM  data directory")
    assert lines[1].strip().startswith("-> start the store once with: till serve")
    assert examined.stderr == "till: 1 problem found\n"


def test_a_store_that_hangs_is_not_waited_for(data):
    till = Till(TILL, data)
    till.send(signal.SIGSTOP)
    examined = run(TILL, "doctor", "--data", data)
    checked = run(TILL, "database", "check", "--data", data)
    till.send(signal.SIGCONT)
    assert examined.returncode == 1
    assert f"process {till.process.pid}" in examined.stdout and "does not answer" in examined.stdout
    assert checked.returncode == 69
    assert till.stop() == 0


def test_another_command_that_has_the_store_open_is_named(data):
    with open(data / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("process 42, till database restore\n")
        lock.flush()
        checked = run(TILL, "database", "check", "--data", data)
    assert checked.returncode == 69
    assert "process 42, till database restore" in checked.stderr
