"""What strangers do to a store that they may reach: it goes on for everybody else, and says what happens."""

import fcntl
import http.client
import json
import socket
import sqlite3
import subprocess
import uuid
from contextlib import ExitStack, contextmanager

import pytest
import requests

from conftest import tool_path
from support.shop import Shop
from support.till import Till, run
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("X10")

TILL = tool_path().with_name("till")
CREDITS = f"{Shop.BUNDLE}.credits5"


def port(address: str) -> int:
    return int(address.rpartition(":")[2])


def connect(address: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port(address)), PATIENCE)
    connection.settimeout(PATIENCE)
    return connection


@pytest.fixture
def poor(tmp_path):
    """A store that the system gives few descriptors."""
    program = tmp_path / "till"
    program.write_text(f'#!/bin/sh\nulimit -n 320\nexec {TILL} "$@"\n')
    program.chmod(0o755)
    store = Till(program, tmp_path / "store")
    yield store
    assert store.stop() == 0


def test_connections_to_the_sandbox_stop_neither_production_nor_the_process(poor):
    assert "limits.low" in [entry["event"] for entry in poor.log()]
    with ExitStack() as idle:
        for _ in range(400):
            idle.enter_context(connect(poor.ready["sandbox"]))
        refused = poor.wait_for("connections.refused")
        assert refused["listener"] == "sandbox" and refused["connections"] == 160
        # Production has a share of its own, and what the store does for itself has its descriptors.
        for _ in range(20):
            assert poor.get("/readyz").status_code == 200
        assert 'till_listener_connections{listener="sandbox"}' in poor.get("/metrics").text
        # A further one is told so.
        late = idle.enter_context(connect(poor.ready["sandbox"]))
        assert late.recv(1000).startswith(b"HTTP/1.1 503 ")
    assert poor.process.poll() is None
    wait_until(lambda: poor.get("/healthz", "sandbox").status_code == 200)


def test_one_address_takes_only_the_connections_that_it_may(tmp_path):
    store = Till(TILL, tmp_path / "store", "--connections-per-address", "4")
    try:
        with ExitStack() as idle:
            for _ in range(4):
                idle.enter_context(connect(store.ready["sandbox"]))
            wait_until(lambda: store.get("/healthz", "sandbox").status_code == 503)
            assert store.get("/healthz").status_code == 200
        wait_until(lambda: store.get("/healthz", "sandbox").status_code == 200)
    finally:
        assert store.stop() == 0


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = Till(TILL, tmp_path_factory.mktemp("attacked") / "store")
    yield store
    assert store.stop() == 0


def resident(store: Till) -> int:
    """The memory that the process holds, in bytes."""
    with open(f"/proc/{store.process.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/device/v1/purchases"), ("PATCH", "/device/v1/device"), ("POST", "/control/v1/customers")],
)
@pytest.mark.parametrize("length", [2, 900_000, 100_000_000])
@pytest.mark.parametrize("token", [None, "no token", "dGhpcyBpcyBhIHRva2VuIHRoYXQgbm9ib2R5IGhhcyBnaXZlbiBvdXQ"])
def test_who_asks_is_looked_at_before_what_is_sent(store, method, path, length, token):
    connection = http.client.HTTPConnection("127.0.0.1", port(store.ready["sandbox"]), timeout=PATIENCE)
    connection.putrequest(method, path)
    connection.putheader("Content-Length", str(length))
    if token:
        connection.putheader("Authorization", f"Bearer {token}")
    connection.endheaders()
    if length < 1000:
        connection.send(b"{}")
    elif length < 1_000_000:
        connection.send(b"x" * length)
    answer = connection.getresponse()
    assert answer.status == 401, answer.read()
    connection.close()


def test_slow_bodies_of_strangers_hold_no_memory(store):
    head = (
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n"
        "Authorization: Bearer dGhpcyBpcyBhIHRva2VuIHRoYXQgbm9ib2R5IGhhcyBnaXZlbiBvdXQ\r\n\r\n"
    )
    before = resident(store)
    with ExitStack() as slow:
        for path, count in (("/device/v1/purchases", 200), ("/device/v1/devices", 400)):
            for _ in range(count):
                connection = slow.enter_context(connect(store.ready["sandbox"]))
                try:
                    connection.sendall(head.format(path).encode() + b" " * 900_000)
                except OSError:
                    # It was told that too many bodies are arriving, or that its token is none.
                    pass
        # Of the second kind, which has no token, no more is kept than the budget of all bodies, and what the allocator does
        # not give back at once; without a budget it is 540 MB.
        assert resident(store) - before < 300_000_000
        assert store.get("/readyz", "sandbox").status_code == 200
    wait_until(lambda: "till_listener_connections{listener=\"sandbox\"} 1" in store.get("/metrics", "sandbox").text)


def test_a_character_that_no_database_keeps_is_refused(store):
    token = json.loads(run(TILL, "control-token", "create", "zero", "--json", "--data", store.data).stdout)["token"]
    answer = requests.post(
        store.ready["sandbox"] + "/control/v1/customers",
        json={"email": "a@example.com", "firstName": "A\0", "lastName": "B", "storefront": "USA"},
        headers={"Authorization": f"Bearer {token}"},
        timeout=PATIENCE,
    )
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "value_invalid", answer.text


def test_a_page_elsewhere_gets_nothing_by_its_own_name(store):
    for environment in ("production", "sandbox"):
        own = port(store.ready[environment])
        for host, status in [
            (f"rebound.example:{own}", 421),
            ("127.0.0.1.rebound.example", 421),
            (f"localhost:{own}", 200),
            (f"LOCALHOST.:{own}", 200),
            (f"127.0.0.1:{own}", 200),
            (f"[::1]:{own}", 200),
        ]:
            answer = store.get("/openapi.json", environment, headers={"Host": host})
            assert answer.status_code == status, host
            assert ("paths" in answer.text) == (status == 200)


def test_the_names_that_the_operator_gives_are_answered(tmp_path):
    store = Till(TILL, tmp_path / "store", "--hosts", "till,store.internal", "--public-url", "https://shop.example:8443")
    try:
        for host in ("till:8080", "Store.Internal", "shop.example"):
            assert store.get("/healthz", "sandbox", headers={"Host": host}).status_code == 200, host
        refused = store.get("/healthz", "sandbox", headers={"Host": "shop.example.evil"})
        assert refused.status_code == 421 and refused.json()["error"]["code"] == "host_unknown"
    finally:
        assert store.stop() == 0


def test_no_value_of_a_query_reaches_the_log(tmp_path):
    store = Till(TILL, tmp_path / "store")
    try:
        assert store.get("/nowhere?password=hunter2&hunter3").status_code == 404
        entry = store.wait_for("request")
        assert entry["query"] == "password&hunter3"
    finally:
        assert store.stop() == 0
    assert "hunter2" not in store.log_text()


def test_a_key_that_everybody_can_read_is_refused(tmp_path):
    key, chain = tmp_path / "key.pem", tmp_path / "chain.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-keyout", key, "-out", chain],
        check=True,
        capture_output=True,
    )
    key.chmod(0o644)
    words = ["serve", "--data", tmp_path / "store", "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0"]
    refused = run(TILL, *words, "--tls-cert", chain, "--tls-key", key)
    assert refused.returncode != 0 and f"chmod 640 {key}" in refused.stderr, refused


def code_of(answer) -> str:
    return answer.json()["error"]["code"]


@contextmanager
def shop_with(folder, *options: str):
    shop = Shop(TILL, folder / "store", *options)
    yield shop
    assert shop.stop() == 0


def test_one_address_makes_the_store_keep_only_so_much(tmp_path):
    rates = ("--registrations-per-minute", "5", "--purchases-per-minute", "3", "--proxies", "127.0.0.1")
    with shop_with(tmp_path, *rates) as shop:
        device = shop.device()
        for _ in range(4):
            shop.device()
        with pytest.raises(AssertionError, match="rate_limit_exceeded"):
            shop.device()
        opened = [device.call("POST", "/purchases", {"productId": CREDITS}, key=str(uuid.uuid4())) for _ in range(4)]
        assert [one.status_code for one in opened] == [201, 201, 201, 429]
        assert int(opened[3].headers["Retry-After"]) > 0 and code_of(opened[3]) == "rate_limit_exceeded"
        # Who stands behind a proxy has a limit of their own, and cannot choose its address.
        path = f"http://127.0.0.1:{shop.sandbox}/device/v1/devices"
        behind = [
            requests.post(path, json={}, headers={"X-Forwarded-For": f"10.0.0.{number}, 203.0.113.7"}).status_code
            for number in range(7)
        ]
        assert behind == [400] * 5 + [429] * 2


def test_what_nobody_confirmed_goes_and_its_key_opens_nothing(tmp_path):
    times = ("--keep-unconfirmed", "1s", "--keep-events", "1s", "--keep-idle-devices", "1s")
    with shop_with(tmp_path, *times) as shop:
        device, _ = shop.signed_in()
        bought = device.buy(CREDITS)
        cursor = device.events()["cursor"]
        cancelled = device.open(CREDITS)
        device.ask("POST", f"/purchases/{cancelled['key']}/cancellation")
        idle = shop.device()
        wait_until(lambda: idle.call("GET", "/device").status_code == 401)
        # A purchase ends by itself half an hour after it was opened, and is kept from then on.
        database = sqlite3.connect(tmp_path / "store" / "databases" / "sandbox.sqlite", timeout=30)
        with database:
            database.execute("UPDATE purchase SET expires_at = 0 WHERE state = 'cancelled'")
        database.close()
        gone = f"/purchases/{cancelled['key']}"
        wait_until(lambda: device.call("GET", gone).status_code == 410)
        assert code_of(device.call("GET", gone)) == "purchase_forgotten"
        again = device.call("POST", "/purchases", {"productId": CREDITS}, key=cancelled["key"])
        assert (again.status_code, code_of(again)) == (410, "purchase_forgotten")
        device.buy(CREDITS)
        device.buy(CREDITS)
        wait_until(lambda: device.call("GET", f"/events?after={cursor}").status_code == 410)
        assert device.ask("GET", f"/purchases/{bought['key']}")["state"] == "purchased"
        assert len(device.ask("GET", "/transactions")["signedTransactions"]) == 3
        check = shop.ask("POST", "/ledger/check")
        assert check["isInOrder"] and check["entries"] == 3


def test_passwords_are_not_guessed_for_long_and_tell_of_no_account(tmp_path):
    with shop_with(tmp_path) as shop:
        email = shop.add_tester()["email"]
        device = shop.device()

        def sign_in(address: str, password: str):
            return device.call("POST", "/sign-in", {"email": address, "password": password})

        # A password that no account can have takes as long as any other, whether there is the account or not.
        def seconds(address: str) -> float:
            return min(sign_in(address, "x" * 5000).elapsed.total_seconds() for _ in range(4))

        known, unknown = seconds(email), seconds("nobody@example.com")
        assert 0.3 < known / unknown < 3
        answers = [sign_in(email, "wrong password").status_code for _ in range(4)]
        assert answers == [401, 401, 429, 429]
        # Even the right one has to wait then, on this device; and others go on.
        assert sign_in(email, shop.PASSWORD).status_code == 429
        assert shop.device().sign_in(email, shop.PASSWORD)["isSignedIn"]


def test_books_are_not_checked_against_a_processor_that_does_not_answer(tmp_path):
    with shop_with(tmp_path) as shop:
        device, _ = shop.signed_in()
        device.buy(CREDITS)
    # As after a crash: the former process has the log for a while, and the next one waits for it.
    log = tmp_path / "store" / "processor" / "sandbox" / "effects.jsonl"
    with log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        checked = run(TILL, "ledger", "check", "--data", tmp_path / "store")
    assert checked.returncode not in (0, 1) and "processor gives no answer" in checked.stderr
    assert run(TILL, "ledger", "check", "--data", tmp_path / "store").stdout.endswith("In order.\n")
