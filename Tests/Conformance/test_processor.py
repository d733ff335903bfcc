"""The test processor, spoken to by curl and by Python's own HTTP client over its Unix socket."""

import hashlib
import hmac
import http.client
import http.server
import json
import os
import resource
import socket
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from conftest import tool_path
from support.till import Till, run
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X10")


class Connection(http.client.HTTPConnection):
    """HTTP over a socket of the file system."""

    def __init__(self, path):
        super().__init__("processor", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.path))


class Processor:
    def __init__(self, data, *options, environment=None):
        self.data = data
        words = [TILL, "processor", "serve", "--data", data, "--until-input-ends", *options]
        self.process = subprocess.Popen(
            list(map(str, words)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.ready = json.loads(self.process.stdout.readline())

    def ask(self, method, path, body=None):
        connection = Connection(self.ready["socket"])
        headers = {"Content-Type": "application/json"} if body is not None else {}
        with closing(connection):
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            with connection.getresponse() as response:
                text = response.read()
        return response.status, json.loads(text) if text else None

    def authorise(self, key, method="test_approved", amount=500):
        order = {"key": key, "amount": amount, "currency": "USD", "method": method, "description": "Monkey food"}
        return self.ask("POST", "/v1/authorise", order)

    def end(self):
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status


@pytest.fixture
def folder():
    """Clients cannot name sockets by long paths."""
    with tempfile.TemporaryDirectory(prefix="till") as path:
        yield Path(path)


@pytest.fixture
def processor(folder):
    process = Processor(folder)
    yield process
    assert process.end() == 0


def test_it_says_where_it_listens(processor):
    assert list(processor.ready) == ["event", "socket", "pid"]
    assert processor.ready["pid"] == processor.process.pid
    assert os.stat(processor.ready["socket"]).st_mode & 0o777 == 0o600


def test_curl_pays(processor):
    def curl(path, order):
        words = ["curl", "--silent", "--max-time", str(PATIENCE), "--unix-socket", processor.ready["socket"]]
        words += ["--header", "Content-Type: application/json", "--data", json.dumps(order), "http://processor" + path]
        return json.loads(subprocess.run(words, capture_output=True, check=True, timeout=PATIENCE).stdout)

    order = {"key": "a", "amount": 199, "currency": "USD", "method": "test_approved", "description": "Monkey food"}
    assert curl("/v1/authorise", order) == {"step": "authorise", "outcome": "approved", "reference": "authorise-1"}
    capture = {"key": "c", "reference": "authorise-1", "amount": 199, "currency": "USD"}
    assert curl("/v1/capture", capture) == {"step": "capture", "outcome": "captured", "reference": "capture-2"}
    assert processor.ask("GET", "/v1/totals") == (200, {"USD": {"captured": 199, "refunded": 0}})
    assert processor.ask("GET", "/v1/lookup?key=c")[1]["reference"] == "capture-2"


def test_a_key_that_is_reused_is_refused(processor):
    assert processor.authorise("a")[0] == 200
    assert processor.authorise("a")[1]["reference"] == "authorise-1"
    status, body = processor.authorise("a", amount=501)
    assert (status, body["error"]["code"]) == (409, "key_reused")


@pytest.mark.parametrize(
    "change",
    [{"amount": None}, {"amount": 1.5}, {"amount": 0}, {"currency": "ZZZ"}, {"key": ""}, {"key": 7}, {"method": []}],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(processor, change):
    order = {"key": "a", "amount": 5, "currency": "USD", "method": "test_approved", "description": ""}
    assert processor.ask("POST", "/v1/authorise", {**order, **change})[0] == 400
    assert processor.ask("GET", "/v1/log")[1] == {"records": [], "last": 0}


@pytest.mark.rows("X12")
@pytest.mark.parametrize(("method", "happens"), [("test_lost", True), ("test_lost_nothing", False)])
def test_an_answer_is_lost(processor, method, happens):
    with pytest.raises(http.client.IncompleteRead):
        processor.authorise("a", method)
    outcome = processor.ask("GET", "/v1/lookup?key=a")[1]["outcome"]
    assert outcome == ("approved" if happens else "nothing")


def test_the_next_two_captures_are_lost(processor):
    script = {"step": "capture", "key": "purchase/*", "count": 2, "fault": "lost"}
    assert processor.ask("POST", "/v1/scripts", script) == (204, None)
    assert processor.ask("GET", "/v1/scripts")[1] == [script]
    processor.authorise("a")
    capture = {"key": "purchase/1/capture", "reference": "authorise-1", "amount": 500, "currency": "USD"}
    for _ in range(2):
        with pytest.raises(http.client.IncompleteRead):
            processor.ask("POST", "/v1/capture", capture)
    assert processor.ask("POST", "/v1/capture", capture)[1]["reference"] == "capture-2"
    assert processor.ask("GET", "/v1/scripts")[1] == []
    assert processor.ask("POST", "/v1/scripts", {**script, "count": 0})[0] == 400
    assert processor.ask("POST", "/v1/scripts", script)[0] == 204
    assert processor.ask("DELETE", "/v1/scripts")[0] == 204
    assert processor.ask("GET", "/v1/scripts")[1] == []


def test_many_at_once_have_one_effect_each(processor):
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda number: processor.authorise(f"k{number % 20}"), range(200)))
    by_key = {}
    for number, (status, body) in enumerate(answers):
        assert status == 200
        assert by_key.setdefault(number % 20, body["reference"]) == body["reference"]
    assert len(set(by_key.values())) == 20
    pages = []
    while len(pages) < 20:
        pages += processor.ask("GET", f"/v1/log?after={len(pages)}&limit=7")[1]["records"]
    assert [record["n"] for record in pages] == list(range(1, 21))
    lines = run(TILL, "processor", "log", "--data", processor.data, "--json").stdout.splitlines()
    assert [json.loads(line) for line in lines] == pages


def test_the_sums_of_the_log_are_those_of_python(processor):
    for key in ("a", "b\n\u2028\"", "\U0001f412"):
        assert processor.authorise(key)[0] == 200
    total = 0xCBF29CE484222325
    path = processor.data / "processor" / "sandbox" / "effects.jsonl"
    for line in path.read_bytes().splitlines():
        body, _, tail = line.rpartition(b',"sum":"')
        for byte in body:
            total = (total ^ byte) * 0x100000001B3 % 2**64
        assert tail == f'{total:016x}"}}'.encode()
        assert json.loads(line)["kind"] == "authorise"


def test_news_are_told_until_they_are_taken_and_python_can_prove_them(folder):
    heard, refusals = [], [503, 204]

    class Store(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append((self.headers["Till-Processor-Signature"], self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(refusals.pop(0))
            self.end_headers()
            if not refusals:
                threading.Thread(target=server.shutdown).start()

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Store)
    url = f"http://127.0.0.1:{server.server_port}/news"
    process = Processor(folder, "--news-url", url, environment={"TILL_PROCESSOR_NEWS_SECRET": "secret"})
    body = process.authorise("a", "test_action_needed")[1]
    assert body["outcome"] == "action_needed" and body["url"].endswith("/" + body["reference"])
    assert run(TILL, "processor", "act", "--data", folder, body["reference"], "completed").returncode == 0
    server.serve_forever()
    server.server_close()
    assert len(heard) == 2
    for proof, text in heard:
        stamp, code = proof.removeprefix("t=").split(",v1=")
        assert hmac.new(b"secret", f"{stamp}.".encode() + text, hashlib.sha256).hexdigest() == code
        news = json.loads(text)
        assert (news["key"], news["result"]["outcome"]) == ("a", "approved")
    assert process.end() == 0


def has_ended(pid):
    """Also if nobody has asked for its status yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_the_store_starts_it_again_and_ends_it(tmp_path):
    till = Till(TILL, tmp_path / "data")
    first = json.loads(till.wait_for("processor.started")["ready"])
    os.kill(first["pid"], 9)
    second = json.loads(till.wait_for("processor.started", count=2)["ready"])
    assert second["pid"] != first["pid"] and second["socket"] == first["socket"]
    assert till.stop() == 0
    assert has_ended(second["pid"])
    assert not (tmp_path / "data" / "processor" / "production").exists()


def test_the_store_starts_it_again_while_thousands_are_connected(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 10_000), hard))
    till = Till(TILL, tmp_path / "data")
    try:
        port = int(till.ready["sandbox"].rpartition(":")[2])
        with ExitStack() as connections:
            for count in range(1, 4):
                while len(os.listdir(f"/proc/{till.process.pid}/fd")) < 2000:
                    connections.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
                ready = json.loads(till.wait_for("processor.started", count)["ready"])
                # It has nothing of the store's: three of its own beside its log, its lock, its socket and what Swift opens.
                assert len(os.listdir(f"/proc/{ready['pid']}/fd")) < 30
                os.kill(ready["pid"], 9)
            till.wait_for("processor.started", count + 1)
        assert till.get("/healthz", "sandbox").ok
    finally:
        assert till.stop() == 0
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_it_does_not_outlive_a_store_that_is_killed(folder):
    data = folder / "data"
    till = Till(TILL, data)
    pid = json.loads(till.wait_for("processor.started")["ready"])["pid"]
    till.process.kill()
    till.stop()
    # The next store's processor waits for the lock of the former one.
    following = Processor(data)
    assert following.authorise("a")[0] == 200
    assert following.end() == 0
    wait_until(lambda: has_ended(pid))


def test_production_plays_only_where_it_is_told_to_and_says_so(tmp_path):
    data = tmp_path / "data"
    till = Till(TILL, data, "--production-processor", "test")
    till.wait_for("processor.started", count=2)
    assert "nobody pays anything" in till.wait_for("processor.pretended")["message"]
    assert till.stop() == 0
    assert sorted(path.name for path in (data / "processor").iterdir()) == ["production", "sandbox"]
