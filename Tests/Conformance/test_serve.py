"""`till serve` as its operators and their scripts see it."""

import json
import os
import signal
import socket
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from conftest import tool_path
from support.shop import Shop
from support.till import Till, run
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X9", "X6")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data directory whose keys are made already: making them takes the longest."""
    folder = tmp_path_factory.mktemp("store") / "data"
    assert run(TILL, "keys", "init", "--data", folder).returncode == 0
    return folder


@pytest.fixture
def till(data):
    process = Till(TILL, data)
    yield process
    assert process.stop() == 0, process.log_text()


def test_the_first_line_says_where_it_is(till):
    assert list(till.ready) == ["event", "production", "sandbox", "pid"]
    assert till.ready["event"] == "ready"
    assert till.ready["pid"] == till.process.pid
    assert till.ready["production"].startswith("http://127.0.0.1:")
    assert till.ready["production"] != till.ready["sandbox"]


@pytest.mark.parametrize("environment", ["production", "sandbox"])
def test_both_listeners_answer_operators(till, environment):
    assert till.get("/healthz", environment).text == "ok\n"
    ready = till.get("/readyz", environment)
    assert ready.status_code == 200
    assert ready.json() == {
        "ready": True,
        "checks": [
            {"name": "catalogue database", "ready": True},
            {"name": f"{environment} database", "ready": True},
            {"name": "disk", "ready": True},
            {"name": f"{environment} keys", "ready": True},
        ],
    }


def test_a_collector_reads_the_figures(till):
    till.get("/healthz", "sandbox")
    # A request is counted once its answer is sent, which another connection may be told a moment before.
    def read():
        response = till.get("/metrics")
        assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return {family.name: family for family in text_string_to_metric_families(response.text)}

    def is_counted() -> bool:
        return any(sample.labels["route"] == "/healthz" for sample in read()["till_http_request_seconds"].samples)

    wait_until(is_counted)
    families = read()
    assert families["till_uptime_seconds"].samples[0].value > 0
    assert families["till_listener_requests"].type == "counter"
    listeners = {sample.labels["listener"] for sample in families["till_listener_requests"].samples}
    assert listeners == {"production", "sandbox"}
    counts = {
        (sample.labels["route"], sample.labels["status"]): sample.value
        for sample in families["till_http_request_seconds"].samples
        if sample.name.endswith("_count")
    }
    assert counts["/healthz", "200"] >= 1


def test_a_log_that_nobody_takes_does_not_end_the_store(data):
    with open("/dev/full", "wb") as full:
        words = [TILL, "serve", "--data", data, "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0"]
        process = subprocess.Popen([*words, "--log-format", "json"], stdout=subprocess.PIPE, stderr=full)
    with process:
        ready = json.loads(process.stdout.readline())
        families = text_string_to_metric_families(requests.get(ready["production"] + "/metrics", timeout=PATIENCE).text)
        (lost,) = [family for family in families if family.name == "till_log_lines_lost"]
        assert lost.samples[0].value > 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


def test_the_interface_describes_itself(till):
    document = till.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert {"/healthz", "/readyz", "/metrics"} <= set(document["paths"])


def test_a_second_store_in_the_same_directory_is_refused(till):
    second = run(TILL, "serve", "--data", till.data)
    assert second.returncode == 75
    assert f"process {till.process.pid}" in second.stderr
    assert till.ready["production"] in second.stderr
    assert till.get("/healthz").status_code == 200


def test_it_stops_at_sigterm_and_gives_everything_back(data):
    till = Till(TILL, data)
    assert till.stop() == 0
    events = [entry["event"] for entry in till.log()]
    # The test processor may become ready at any time.
    assert [event for event in events if event.startswith("store.")] == ["store.stopping", "store.stopped"]
    assert events[-1] == "store.stopped"
    assert not (data / "admin.sock").exists()
    again = Till(TILL, data)
    assert again.stop() == 0


def test_a_killed_store_starts_again(data):
    till = Till(TILL, data)
    till.send(signal.SIGKILL)
    assert till.stop() == -signal.SIGKILL
    again = Till(TILL, data)
    assert again.get("/readyz").status_code == 200
    assert again.stop() == 0


def test_a_request_under_way_is_answered_before_it_stops(data):
    till = Till(TILL, data)
    port = int(till.ready["production"].rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        # The other listener answers, so this one has been reached too before the signal is sent.
        till.get("/healthz")
        till.send(signal.SIGTERM)
        till.wait_for("store.stopping")
        connection.sendall(b"\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
    assert till.stop() == 0


def test_every_processor_serves(till):
    def serving() -> int:
        names = [path.read_text().strip() for path in Path(f"/proc/{till.process.pid}/task").glob("*/comm")]
        return names.count("MHD-single")

    # Production, the sandbox, and the socket of the commands. A thread gives itself its name when it first runs.
    wait_until(lambda: serving() == 2 * max(2, os.cpu_count()) + 1, "there are more threads or fewer")


def test_a_second_sigterm_does_not_wait_for_slow_clients(data):
    till = Till(TILL, data, "--drain-seconds", "600")
    port = int(till.ready["production"].rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        till.get("/healthz")
        till.send(signal.SIGTERM)
        till.wait_for("store.stopping")
        till.send(signal.SIGTERM)
        assert till.process.wait(PATIENCE) == 0
    till.stop()


def test_who_waits_for_news_is_answered_and_does_not_hold_up_the_end(data):
    # A wait is of 25 seconds: if it were not ended, it would be cut off.
    shop = Shop(TILL, data, "--drain-seconds", "10")
    try:
        device, _ = shop.signed_in()
        cursor = device.events()["cursor"]
        with ThreadPoolExecutor() as threads:
            waiting = threads.submit(device.ask, "GET", f"/events?after={cursor}&wait=25")
            metric = 'till_listener_suspended{listener="sandbox"} 1'
            wait_until(lambda: waiting.done() or metric in shop.process.get("/metrics").text)
            assert not waiting.done()
            shop.process.send(signal.SIGTERM)
            assert waiting.result() == {"cursor": cursor, "events": [], "hasMore": False}
        # A second signal would be impatience.
        shop.process.process.wait(PATIENCE)
    finally:
        assert shop.stop() == 0
    assert shop.process.log("store.cut") == []


def test_the_data_directory_is_closed_to_others(till):
    assert stat.S_IMODE(os.stat(till.data).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(till.data / "admin.sock").st_mode) == 0o600
    for path in till.data.rglob("*"):
        assert stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0, path


def test_a_long_path_of_the_data_directory_is_no_obstacle(tmp_path):
    folder = tmp_path / ("a" * 60) / ("b" * 60)
    till = Till(TILL, folder)
    assert till.stop() == 0


class TestSettings:
    def settings(self, data, text):
        (data / "till.conf").write_text(text)

    @pytest.fixture(autouse=True)
    def no_settings_left(self, data):
        yield
        (data / "till.conf").unlink(missing_ok=True)

    def test_command_line_variable_file_default_in_this_order(self, data):
        self.settings(data, "public-url = https://file.example\nsandbox-public-url = https://file.sandbox.example\n")
        variables = {"TILL_PUBLIC_URL": "https://variable.example"}
        till = Till(TILL, data, environment=variables)
        assert till.ready["production"] == "https://variable.example"
        assert till.ready["sandbox"] == "https://file.sandbox.example"
        assert till.stop() == 0
        till = Till(TILL, data, "--public-url", "https://line.example", environment=variables)
        assert till.ready["production"] == "https://line.example"
        assert till.stop() == 0

    def test_a_file_elsewhere_is_named(self, data, tmp_path):
        path = tmp_path / "elsewhere.conf"
        path.write_text("# elsewhere\npublic-url = https://elsewhere.example\n")
        till = Till(TILL, data, "--settings", str(path))
        assert till.ready["production"] == "https://elsewhere.example"
        assert till.stop() == 0

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("lsten = 127.0.0.1:80", 'line 1: there is no setting "lsten". Did you mean listen?'),
            ("\nlisten = everywhere", "line 2 (for --listen) cannot be \"everywhere\""),
            ("data = /elsewhere", "data says where this file is"),
            ("listen", "line 1: expected"),
        ],
    )
    def test_a_mistake_is_told_with_its_line(self, data, text, complaint):
        self.settings(data, text)
        refused = run(TILL, "serve", "--data", data)
        assert refused.returncode in (64, 78)
        assert complaint in refused.stderr

    def test_a_file_that_is_named_must_be_there(self, data):
        refused = run(TILL, "serve", "--data", data, "--settings", data / "none.conf")
        assert refused.returncode == 78
        assert "there is no such file" in refused.stderr


class TestRefusals:
    def test_an_address_in_use(self, till, tmp_path):
        address = till.ready["production"].removeprefix("http://")
        refused = run(TILL, "serve", "--data", tmp_path / "other", "--listen", address)
        assert refused.returncode == 69
        assert address in refused.stderr and "choose another port" in refused.stderr

    def test_two_listeners_at_one_address(self, data):
        refused = run(TILL, "serve", "--data", data, "--listen", "127.0.0.1:9", "--sandbox-listen", "127.0.0.1:9")
        assert refused.returncode == 64
        assert "cannot both listen at 127.0.0.1:9" in refused.stderr

    def test_a_certificate_without_its_key(self, data):
        refused = run(TILL, "serve", "--data", data, "--tls-cert", "a.pem")
        assert refused.returncode == 64
        assert "--tls-cert needs --tls-key" in refused.stderr

    def test_a_certificate_that_is_not_there(self, data):
        refused = run(
            TILL, "serve", "--data", data, "--tls-cert", "none.pem", "--tls-key", "none.pem", "--listen",
            "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0",
        )
        assert refused.returncode == 66
        assert "none.pem cannot be read" in refused.stderr

    def test_a_directory_open_to_others(self, tmp_path):
        tmp_path.chmod(0o777)
        refused = run(TILL, "serve", "--data", tmp_path)
        assert refused.returncode == 78
        assert f"chmod 700 {tmp_path}" in refused.stderr
        assert list(tmp_path.iterdir()) == []

    def test_a_damaged_database(self, tmp_path):
        folder = tmp_path / "data"
        assert Till(TILL, folder).stop() == 0
        path = folder / "databases" / "sandbox.sqlite"
        path.write_bytes(b"this is no database" * 100)
        refused = run(TILL, "serve", "--data", folder, "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0")
        assert refused.returncode == 78
        assert "sandbox" in refused.stderr


def certificate(folder, name: str, serial: int):
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-set_serial", str(serial),
        "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.pem",
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)


class TestTLS:
    def test_it_speaks_tls_and_takes_a_new_certificate_at_sighup(self, data, tmp_path):
        certificate(tmp_path, "first", 1)
        certificate(tmp_path, "second", 2)
        (tmp_path / "in-use.pem").write_bytes((tmp_path / "first.pem").read_bytes())
        (tmp_path / "in-use.key").write_bytes((tmp_path / "first.key").read_bytes())
        (tmp_path / "in-use.key").chmod(0o600)
        till = Till(
            TILL, data, "--tls-cert", str(tmp_path / "in-use.pem"), "--tls-key", str(tmp_path / "in-use.key")
        )
        assert till.ready["production"].startswith("https://")
        response = till.get("/healthz", verify=str(tmp_path / "first.pem"))
        assert response.headers["Strict-Transport-Security"].startswith("max-age=")
        (tmp_path / "in-use.pem").write_bytes((tmp_path / "second.pem").read_bytes())
        (tmp_path / "in-use.key").write_bytes((tmp_path / "second.key").read_bytes())
        till.send(signal.SIGHUP)
        till.wait_for("certificate.reloaded", count=2)
        for environment in ("production", "sandbox"):
            assert till.get("/healthz", environment, verify=str(tmp_path / "second.pem")).status_code == 200
        (tmp_path / "in-use.pem").write_text("no certificate")
        till.send(signal.SIGHUP)
        till.wait_for("certificate.refused")
        assert till.get("/healthz", verify=str(tmp_path / "second.pem")).status_code == 200
        assert till.stop() == 0


class TestLog:
    SECRETS = ["hunter2", "Bearer-of-secrets", "cookie-of-secrets"]

    def test_every_line_is_json_and_tells_no_secret(self, data, tmp_path):
        passphrase = tmp_path / "passphrase"
        passphrase.write_text("hunter2\n")
        folder = tmp_path / "data"
        till = Till(TILL, folder, "--passphrase-file", str(passphrase), "--log-level", "debug")
        till.get(
            "/nothing",
            headers={"Authorization": "Bearer Bearer-of-secrets", "Cookie": "session=cookie-of-secrets"},
        )
        assert till.stop() == 0
        for line in till.log_text().splitlines():
            assert {"time", "level", "event", "message"} <= set(json.loads(line))
        for secret in self.SECRETS:
            assert secret not in till.log_text()
        (entry,) = till.log("request")
        assert (entry["method"], entry["path"], entry["status"]) == ("GET", "/nothing", 404)

    def test_what_collectors_ask_is_not_logged(self, till):
        till.get("/healthz")
        till.get("/metrics")
        till.get("/else")
        till.wait_for("request")
        assert [entry["path"] for entry in till.log("request")] == ["/else"]

    def test_the_password_of_a_database_is_never_shown(self, data):
        refused = run(TILL, "serve", "--data", data, "--database", "mysql://till:hunter2@db/till")
        assert refused.returncode == 64
        assert "hunter2" not in refused.stderr + refused.stdout


def test_a_person_gets_a_banner(data):
    process = subprocess.Popen(
        [TILL, "serve", "--data", data, "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    lines = [process.stdout.readline() for _ in range(6)]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert lines[0].startswith("Till ") and lines[0].endswith("is ready.\n")
    assert "Production  http://127.0.0.1:" in lines[2]
    assert "Sandbox     http://127.0.0.1:" in lines[3]
    assert "INFO    Stopped.  event=store.stopped" in errors
