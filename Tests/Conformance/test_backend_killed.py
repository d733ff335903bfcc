"""A store and the server of an app's developer are both killed at any moment while customers buy: what was bought is charged
once, credited once, and what was spent is spent once."""

import base64
import json
import threading
import time
import uuid

import pytest
import requests

from conftest import tool_path
from support.device import payload
from support.own_server import OwnServer
from support.randomness import SOAK, generator
from support.shop import Buyer, Shop
from support.till import run
from support.waiting import PATIENCE, wait_until
from test_sale_killed import everything, judge

pytestmark = pytest.mark.rows("R5.3", "R5.4", "R5.7", "X5", "P9", "P10")

TILL = tool_path().with_name("till")
AMOUNTS = {f"{Shop.BUNDLE}.credits5": 5, f"{Shop.BUNDLE}.credits10": 10}
PRODUCTS = [
    {"productId": product, "kind": "Consumable", "credit": {"name": "credits", "amount": amount}}
    for product, amount in AMOUNTS.items()
]


class Player(Buyer):
    """Somebody who buys credits, lets the developer's server have the receipt, finishes then, and spends."""

    def __init__(self, server: OwnServer, device, seed: int, stop: threading.Event):
        super().__init__(device, list(AMOUNTS), seed, stop)
        self.address, self.token = server.address, server.sign_up(f"player {seed}")
        self.recorded: set[str] = set()
        self.spent = 0

    def acknowledge(self, key: str, answer: dict):
        transaction = payload(answer["signedTransaction"])["transactionId"]
        if self.acknowledged.setdefault(key, transaction) != transaction:
            self.contradictions.append(f"{key}: {self.acknowledged[key]} and {transaction}")
        if transaction not in self.recorded:
            self.record(transaction, answer["signedTransaction"])
            self.deliver("finish", lambda: self.device.call("POST", f"/transactions/{transaction}/finish"))
            self.finished.add(transaction)
            self.spend()

    def record(self, transaction: str, signed: str):
        """Each in one of the three forms of a proof, and some of them twice."""
        proof = self.random.choice([lambda: signed.encode(), self.receipt, lambda: self.transaction_receipt(transaction)])
        for _ in range(self.random.choice([1, 1, 2])):
            answer = self.deliver("record", lambda: self.post("/purchases", data=proof()))
            assert transaction in {one["transactionId"] for one in answer.json()["recorded"]}
        self.recorded.add(transaction)

    def receipt(self) -> bytes:
        return base64.b64decode(self.device.ask("GET", "/receipt")["receipt"])

    def transaction_receipt(self, transaction: str) -> bytes:
        return base64.b64decode(self.device.ask("GET", f"/transactions/{transaction}/receipt")["receipt"])

    def spend(self):
        key, amount = str(uuid.UUID(int=self.random.getrandbits(128), version=4)), self.random.randint(1, 9)
        answer = self.deliver(
            "spend",
            lambda: self.post("/balances/credits/spend", json={"amount": amount}, headers={"Idempotency-Key": key}),
        )
        self.spent += amount if answer.ok else 0

    def post(self, path: str, **options) -> requests.Response:
        if "data" in options:
            options["headers"] = {"Content-Type": "application/octet-stream"}
        return self.call("POST", path, **options)

    def call(self, method: str, path: str, **options) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        return requests.request(method, f"{self.address}/v1{path}", headers=headers, timeout=PATIENCE, **options)

    def deliver(self, what: str, request) -> requests.Response:
        """Sends something until it is answered, as an app does that remembers what it still has to do."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                answer = request()
            except (requests.RequestException, AssertionError):
                # It is down, or was asked for a receipt while it went down.
                time.sleep(0.02)
                continue
            if answer.ok or answer.status_code == 409 and what == "spend":
                return answer
            assert answer.status_code in (409, 429, 502, 503, 504), f"{what}: {answer.status_code} {answer.text}"
            time.sleep(0.02)
        raise AssertionError(f"{what} was never answered")


def own_server(shop: Shop, data, *place: str) -> OwnServer:
    """A server that verifies what is signed by itself, and asks the store about receipts."""
    data.mkdir(0o700)
    listed, place = data / "products.json", ("--data", str(data), *place)
    listed.write_text(json.dumps({"bundleId": Shop.BUNDLE, "products": PRODUCTS}))
    published = run(TILL, "backend", "products", "publish", listed, *place)
    assert published.returncode == 0, published.stderr
    stores = ["--store", f"http://127.0.0.1:{shop.production}", "--store-sandbox", shop.address]
    for environment, option in (("production", "--root"), ("sandbox", "--sandbox-root")):
        path = data / f"{environment}.der"
        shop.till("keys", "root", "--environment", environment, "--der", "--output", str(path))
        stores += [option, str(path)]
    limits = ["--proofs-per-minute", "0", "--accounts-per-minute", "0"]
    return OwnServer(TILL, data, "--bundle", Shop.BUNDLE, *place[2:], *stores, *limits)


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_store_and_backend_outlive_kills(engine, cluster, tmp_path):
    place = ["--database", cluster.create("backend_killed")] if engine == "postgres" else []
    chance = generator(f"backend and store outlive kills, {engine}")
    shop = Shop(TILL, tmp_path / "store", "--log-level", "error")
    try:
        server = own_server(shop, tmp_path / "backend", *place)
        try:
            play_and_judge(shop, server, chance)
        finally:
            server.stop()
    finally:
        shop.stop()


def play_and_judge(shop: Shop, server: OwnServer, chance):
    stop = threading.Event()
    devices = [shop.signed_in(paymentMethod="test_approved")[0] for _ in range(4)]
    players = [Player(server, device, chance.getrandbits(64), stop) for device in devices]
    try:
        play_while_killing([shop, server], players, stop, 150 if SOAK else 4, chance)
        assert shop.stop() == 0
        shop.start()
        judge(shop, players)
        for player in players:
            judge_balance(shop, player)
        assert server.stop() == 0
    finally:
        stop.set()
    print(f"{sum(len(player.recorded) for player in players)} purchases recorded")


def play_while_killing(servers: list, players: list[Player], stop: threading.Event, kills: int, chance):
    for player in players:
        player.start()
    for _ in range(kills):
        stop.wait(chance.uniform(0.02, 0.7))
        # One of them, or both at once.
        killed = chance.choice([servers[:1], servers[1:], servers[1:], servers])
        for server in killed:
            server.kill()
        for server in killed:
            server.start()
    wait_until(lambda: all(player.recorded for player in players))
    stop.set()
    for player in players:
        player.join(PATIENCE)
        assert not player.is_alive()


def judge_balance(shop: Shop, player: Player):
    """What the store has sold to this player was credited, no more and no less, but for what the player has spent."""
    assert player.recorded == set(player.acknowledged.values())
    # What was bought when everything stopped is in the receipt, as it is not finished.
    answer = player.deliver("record", lambda: player.post("/purchases", data=player.receipt()))
    own = {one["transactionId"] for one in answer.json()["recorded"]} | player.recorded
    entitled = player.call("GET", "/entitlements").json()["entitlements"]
    assert sorted(one["transactionId"] for one in entitled) == sorted(own)
    sold = {one["transactionId"]: one for one in everything(shop, "transactions")}
    bought = sum(AMOUNTS[sold[transaction]["productId"]] for transaction in own)
    balances = player.call("GET", "/balances").json()["balances"]
    assert balances == [{"name": "credits", "amount": bought - player.spent}]
    assert bought > 0
