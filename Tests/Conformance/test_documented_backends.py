"""The page that points a backend at the store is followed to the letter: its commands are typed, and its programs are run."""

import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
import requests
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment

from conftest import REPOSITORY, tool_path
from support.shop import Shop, free_port
from support.waiting import PATIENCE, wait_until
from test_documented_care import commands, shell

pytestmark = pytest.mark.rows("X3", "X13", "P3", "P37")

TILL = tool_path().with_name("till")
PAGE = (REPOSITORY / "Documentation/Backends.md").read_text()
JUNGLE = f"{Shop.BUNDLE}.jungle"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("backend")


@pytest.fixture(scope="module")
def shop(folder):
    """A store in the data directory that commands use where none is named."""
    shop = Shop(TILL, folder / "till_data")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def begun(shop, folder, port):
    """The first block of the page, typed."""
    [first] = [block for block in blocks("sh") if "api-key create" in block]
    done = shell(folder, [first.replace(":3000", f":{port}")])
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "backend-key.json").read_text())


@pytest.fixture(scope="module")
def buyer(shop) -> str:
    return shop.add_tester(paymentMethod="test_approved")["email"]


def write(folder, word: str, shop, port: int) -> str:
    """The program of the page with this word in it, as a file, with the ports of this test."""
    [program] = [block for block in blocks("python") if word in block]
    text = program.replace(":8081", f":{shop.sandbox}").replace("port=3000", f"port={port}")
    assert text != program
    (folder / f"{word}.py").write_text(text)
    return f"{word}.py"


def test_the_receiver_of_the_page_keeps_each_notification_once(begun, shop, folder, port, buyer):
    program = write(folder, "Flask", shop, port)
    receiver = subprocess.Popen([sys.executable, program], cwd=folder, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_open(port))
        shop.till("buy", JUNGLE, "--customer", buyer)
        shop.till("notifications", "test", Shop.BUNDLE)
        wait_until(lambda: len(kept(folder)) == 2)
        assert [row[1] for row in kept(folder)] == ["ONE_TIME_CHARGE", "TEST"]
        # Sent again, it is the same.
        shop.till("notifications", "resend", Shop.BUNDLE, kept(folder)[0][0])
        forged = {"signedPayload": "a.b.c"}
        assert requests.post(f"http://127.0.0.1:{port}/notifications", json=forged, timeout=PATIENCE).status_code == 400
        assert len(kept(folder)) == 2
    finally:
        receiver.send_signal(signal.SIGTERM)
        receiver.wait(PATIENCE)


def is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def kept(folder) -> list[tuple]:
    with closing(sqlite3.connect(folder / "notifications.sqlite")) as books:
        return books.execute("SELECT * FROM notification ORDER BY rowid").fetchall()


def test_the_client_of_the_page_reads_a_history_and_verifies_it(begun, shop, folder, port, buyer):
    shop.till("buy", f"{Shop.BUNDLE}.credits5", "--customer", buyer)
    listed = json.loads(shop.till("transactions", "list", "--customer", buyer, "--json").stdout)["items"]
    [number] = [one["transactionId"] for one in listed if one["productId"] == f"{Shop.BUNDLE}.credits5"]
    program = write(folder, "GetTransactionHistoryVersion", shop, port)
    done = subprocess.run([sys.executable, program, number], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert f"{number} {Shop.BUNDLE}.credits5 owned" in done.stdout.splitlines()


def lead(names: list[str], port: int, monkeypatch):
    """Does what a line in /etc/hosts does, and leads to a port that everybody may open."""
    found = socket.getaddrinfo

    def look_up(host, service, *more, **named):
        return found(*(("127.0.0.1", port) if host in names else (host, service)), *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_a_client_with_a_fixed_host_is_served_under_its_name(tmp_path, monkeypatch):
    made = shell(tmp_path, commands("Backends.md", "openssl x509"))
    assert made.returncode == 0, made.stderr
    names, tls = re.search(r"`--hosts ([\w.,-]+)`", PAGE)[1], ["--tls-cert", "names.pem", "--tls-key", "names.key"]
    assert f"`till serve --sandbox-listen 127.0.0.1:443 {' '.join(tls)}`" in PAGE
    options = ["--hosts", names, *(str(tmp_path / word) if "." in word else word for word in tls)]
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "ca.pem"))
    store = Shop(TILL, tmp_path / "till_data", *options)
    [line] = re.findall(r"In `/etc/hosts` of that machine: `127.0.0.1 ([^`]*)`", PAGE)
    lead(line.split(), store.sandbox, monkeypatch)
    key = json.loads(store.till("api-key", "create", "Fixed", "--output", str(tmp_path / "key.p8"), "--json").stdout)["key"]
    client = AppStoreServerAPIClient(
        (tmp_path / "key.p8").read_bytes(), key["keyId"], key["issuerId"], Shop.BUNDLE, Environment.SANDBOX)
    assert client._base_url == f"https://{names.split(',')[0]}"
    store.till("notifications", "set", Shop.BUNDLE, "--url", f"http://127.0.0.1:{free_port()}/")
    assert client.request_test_notification().testNotificationToken
    receipt = requests.post("https://sandbox.itunes.apple.com/verifyReceipt", json={"receipt-data": ""}, timeout=PATIENCE)
    assert receipt.json()["status"] == 21002
    assert store.stop() == 0
