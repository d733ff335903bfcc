"""The first minute of a developer: `till dev` from its first line to its last."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest
import requests

from conftest import tool_path
from support.device import payload
from support.till import run
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("X9")

TILL = tool_path().with_name("till")
FREE = ["--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0"]
PRODUCTS = {
    "identifier": "1A2B3C4D",
    "nonRenewingSubscriptions": [],
    "products": [
        {
            "displayPrice": "2.50", "familyShareable": False, "internalID": "6450000001", "localizations": [
                {"description": "A key for the door.", "displayName": "Golden Key", "locale": "en_US"}
            ], "productID": "key.golden", "referenceName": "Golden Key", "type": "NonConsumable",
        }
    ],
    "settings": {},
    "subscriptionGroups": [],
    "version": {"major": 3, "minor": 0},
}


class Minute:
    """`till dev` as somebody has it before them: the lines as they come."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [TILL, "dev", *FREE, *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        self.lines += [""]
        for line in self.process.stdout:
            self.lines.append(line)

    @property
    def text(self) -> str:
        return "".join(list(self.lines))

    def wait_for(self, words: str):
        wait_until(lambda: words in self.text or self.process.poll() is not None)
        assert words in self.text, self.text

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        result = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.process.stdout.close()
        return result


@pytest.fixture
def minute(request):
    started = Minute(*getattr(request, "param", []))
    yield started
    if started.process.poll() is None:
        assert started.end() == 0


def test_a_store_in_memory_sells_at_once_and_leaves_nothing(minute):
    minute.wait_for("Refund ")
    data = Path(re.search(r"Data\s+(\S+) \(SQLite, gone when it ends\)", minute.text)[1])
    assert data.exists() and oct(data.stat().st_mode & 0o777) == "0o700"
    # The link is the only way in, and only once.
    link = re.search(r"http://\S+/console/enter/\S+", minute.text)[0]
    console = link.rsplit("/console/", 1)[0] + "/console"
    assert requests.get(console, timeout=PATIENCE).url.endswith("/console/sign-in")
    browser = requests.Session()
    assert browser.get(link, timeout=PATIENCE).url == console + "/sandbox"
    assert requests.get(link, timeout=PATIENCE).status_code == 403

    # The lines that it prints do what they say, and each purchase is told in one line.
    app = "com.example.monkeycredits"
    buy = run(TILL, "buy", f"{app}.credits5", "--app", app, "--customer", "tester@example.com", "--data", data)
    assert buy.returncode == 0, buy.stderr
    minute.wait_for(" bought 5 Credits")
    [told] = [line for line in minute.lines if "bought" in line and "Credits" in line]
    shown = json.loads(run(TILL, "transactions", "show", "last", "--json", "--data", data).stdout)
    assert "5 Credits · $0.99" in told, told
    assert payload(shown["signedTransaction"])["productId"] == f"{app}.credits5"
    assert "5 Credits" in browser.get(console + "/sandbox/transactions", timeout=PATIENCE).text
    assert run(TILL, "transactions", "refund", "last", "--data", data).returncode == 0
    wait_until(lambda: "refund" in minute.text.split(told)[1])
    assert minute.end() == 0
    assert not data.exists()


def test_what_a_killed_one_has_left_goes_with_the_next(minute):
    minute.wait_for("Refund ")
    data = Path(re.search(r"Data\s+(\S+) \(", minute.text)[1])
    minute.process.kill()
    assert minute.end() == -signal.SIGKILL
    assert data.exists()
    other = Minute()
    try:
        other.wait_for("Refund ")
        assert not data.exists()
    finally:
        assert other.end() == 0


def test_the_products_of_a_file_are_sold_instead_of_the_demo(tmp_path):
    file, data = tmp_path / "Products.storekit", tmp_path / "store"
    file.write_text(json.dumps(PRODUCTS))
    started = Minute("--storekit", file, "--bundle-id", "com.example.castle", "--data", data)
    try:
        started.wait_for("Profile ")
        assert f"{TILL} provision com.example.castle" in started.text and "com.example.monkeycredits" not in started.text
        apps = json.loads(run(TILL, "apps", "list", "--json", "--data", data).stdout)["items"]
        assert [one["bundleId"] for one in apps] == ["com.example.castle"]
        buy = run(
            TILL, "buy", "key.golden", "--app", "com.example.castle", "--customer", "tester@example.com", "--data", data
        )
        assert buy.returncode == 0, buy.stderr
        started.wait_for(" bought Golden Key · $2.50")
    finally:
        assert started.end() == 0
    # With a folder it goes on tomorrow, with what was sold.
    again = Minute("--data", data)
    try:
        again.wait_for("Stop it with")
        shown = run(TILL, "transactions", "show", "last", "--json", "--data", data)
        assert payload(json.loads(shown.stdout)["signedTransaction"])["productId"] == "key.golden"
    finally:
        assert again.end() == 0


def test_commands_find_the_one_store_and_what_is_meant_in_it(minute, tmp_path):
    minute.wait_for("Refund ")
    here = {"cwd": tmp_path, "env": {**os.environ, "TILL_DATA": ""}, "capture_output": True, "text": True}
    buy = [TILL, "buy", "com.example.monkeycredits.credits5"]
    bought = subprocess.run(buy, **here, timeout=PATIENCE)
    if bought.returncode == os.EX_USAGE and "--data" in bought.stderr:
        # Another test has one at this moment, so it has to be said which is meant.
        here["env"]["TILL_DATA"] = re.search(r"Data\s+(\S+) \(", minute.text)[1]
        bought = subprocess.run(buy, **here, timeout=PATIENCE)
    assert bought.returncode == 0 and "is purchased" in bought.stdout, bought
    listed = subprocess.run([TILL, "transactions", "list"], **here, timeout=PATIENCE).stdout.splitlines()
    assert listed[0].split() == ["TRANSACTION", "DATE", "CUSTOMER", "PRODUCT", "PRICE", "STATE"]
    assert "tester@example.com  5 Credits  0.99 USD  not finished" in listed[1]


def test_a_taken_port_that_was_asked_for_makes_nothing(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        refused = run(TILL, "dev", "--listen", address, "--sandbox-listen", "127.0.0.1:0", "--data", tmp_path / "store")
    assert refused.returncode == os.EX_UNAVAILABLE and address in refused.stderr, refused
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("text", "reason"), [("{}", "not a .storekit file"), ("no JSON", "JSON"), (json.dumps(PRODUCTS)[:-40], "JSON")]
)
def test_a_file_that_is_none_starts_nothing(tmp_path, text, reason):
    file = tmp_path / "Products.storekit"
    file.write_text(text)
    refused = run(TILL, "dev", "--storekit", file, *FREE, "--data", tmp_path / "store")
    assert refused.returncode == os.EX_DATAERR and str(file) in refused.stderr, refused
    assert not (tmp_path / "store").exists()
