"""StoreKit 1 and 2 in one app: what it buys by both, in random order, is paid and delivered once, whoever is killed when."""

import collections
import random

import pytest

from conftest import tool_path
from support.randomness import SOAK, generator
from support.shop import Shop
from support.store_buyer import Phone
from support.waiting import wait_until

pytestmark = pytest.mark.rows("X1", "P9")

TILL = tool_path().with_name("till")
PRODUCT = f"{Shop.BUNDLE}.credits5"
# The processes of an app, and the steps among which one is killed by itself: the last are those of about four purchases.
ROUNDS = 300 if SOAK else 10
STEPS = 260


class Record:
    """What the processes of an app have written down, in order."""

    def __init__(self, path):
        self.path = path

    def begin(self, process: int):
        with self.path.open("a") as file:
            file.write(f"process {process}\n")

    def processes(self) -> list[list[list[str]]]:
        """The lines of each process, as words."""
        found = []
        for line in self.path.read_text().splitlines():
            if line.startswith("process "):
                found.append([])
            else:
                found[-1].append(line.split())
        return found

    def second_words(self, name: str) -> list[str]:
        return [words[1] for lines in self.processes() for words in lines if words[0] == name]


def test_two_apis_in_one_app_deliver_once_whoever_is_killed(tmp_path):
    """Fails if `PurchaseCalls.audience(of:)` leaves out `if answered.contains(key) { return .modern }`: then the queue and
    `updates` tell too what `purchase()` returns. Fails if `DeviceSession.finish(_:)` leaves out what it writes to the journal:
    then the next process is told again. Fails if a purchase that is asked for again has another key: then it is paid twice."""
    chance = generator("two APIs, killed")
    shop = Shop(TILL, tmp_path / "store", "--log-level", "error")
    try:
        email = shop.add_tester()["email"]
        phone = Phone(TILL.with_name("store-buyer"), tmp_path / "phone", shop, email)
        record = Record(tmp_path / "record")
        elsewhere = 0
        for process in range(ROUNDS):
            elsewhere += run_and_kill(shop, phone, record, process, email, chance)
        settle(shop, phone, record, ROUNDS, email)
        judge(shop, record, email, elsewhere)
    finally:
        shop.stop()


def run_and_kill(shop: Shop, phone: Phone, record: Record, process: int, email: str, chance: random.Random) -> int:
    """Runs the app with a random plan until it, the store or both are killed; gives how much was sold elsewhere."""
    plan = "".join(chance.choice("qqpppuw") for _ in range(chance.randint(2, 6)))
    ending = chance.choice(["step", "step", "app", "store", "both", "none"])
    # On however slow a machine, one process gets so far that both have sold something.
    if process == 0:
        plan, ending = "pqpw", "none"
    record.begin(process)
    sold = 0
    if chance.random() < 0.3 or process == 0:
        shop.ask("POST", "/purchases", {"customer": email, "bundleId": Shop.BUNDLE, "productId": PRODUCT})
        sold = 1
    app = phone.start(
        "mixed", record.path, plan, PRODUCT, process, killed_at=chance.randint(1, STEPS) if ending == "step" else None
    )
    if ending == "none":
        assert app.carry_out(), app.steps[-20:]
    else:
        app.work(chance.uniform(0.0, 0.5))
    if ending in ("store", "both"):
        shop.kill()
    if ending in ("app", "both"):
        app.kill()
    if ending in ("store", "both"):
        shop.start()
    if ending == "store":
        app.work(chance.uniform(0.0, 0.3))
    app.kill()
    return sold


def transactions(shop: Shop, email: str) -> list[dict]:
    found, after = [], ""
    while True:
        page = shop.ask("GET", f"/transactions?customer={email}{after}")
        found += page["items"]
        if "next" not in page:
            return found
        after = f"&after={page['next']}"


def settle(shop: Shop, phone: Phone, record: Record, process: int, email: str):
    """Lets the app, which buys nothing, be told of everything that waits, and the store of all that it finishes."""
    record.begin(process)
    app = phone.start("mixed", record.path, "u", PRODUCT, process)
    assert app.carry_out(), app.steps[-20:]
    under_way = ("authorising", "capturing", "voiding")
    wait_until(lambda: all(one["state"] not in under_way for one in shop.ask("GET", "/purchases")["items"]))
    wait_until(lambda: app.ask()[0] == "waiting 0")
    wait_until(lambda: all("finishedDate" in one for one in transactions(shop, email)))
    app.end()


def judge(shop: Shop, record: Record, email: str, elsewhere: int):
    paid = transactions(shop, email)
    ids = [one["transactionId"] for one in paid]
    # The money: what was paid is what was delivered, and each purchase is paid once.
    assert sorted(record.second_words("delivered")) == sorted(ids), "what was paid is not what was delivered"
    tokens = collections.Counter(one.get("appAccountToken") for one in paid)
    assert tokens.pop(None, 0) == elsewhere
    assert set(tokens.values()) <= {1}, "a purchase was paid twice"
    failed = set(record.second_words("failed"))
    assert not failed & set(tokens), "what has failed was paid"
    assert set(record.second_words("added")) - failed <= set(tokens), "a payment that was added came to nothing"
    assert set(tokens) <= set(record.second_words("began")), "what was not asked for was paid"
    check = shop.ask("POST", "/ledger/check")
    assert check["isInOrder"] and check["underWay"] == 0, check
    assert check["entries"] == len(paid) > elsewhere
    judge_telling(record)


def judge_telling(record: Record):
    finished: set[str] = set()
    ways = collections.Counter()
    for number, lines in enumerate(record.processes()):
        told = collections.Counter((words[1], words[2]) for words in lines if words[0] == "told")
        ways.update(words[1] for words in lines if words[0] == "told")
        again = {id for _, id in told} & finished
        assert not again, f"process {number} was told of {again}, which an earlier one has finished"
        repeated = [way for way, count in told.items() if count > 1 and way[0] != "unfinished"]
        assert not repeated, f"process {number} was told twice of {repeated}"
        # What a process has asked for itself, the API tells by which it did.
        own = {words[1] for words in lines if words[0] == "began"}
        for words in lines:
            if words[0] == "told" and words[1] == "updates":
                assert words[3] not in own, f"updates told process {number} of its own purchase {words[2]}"
        returned = {id for way, id in told if way == "purchase"}
        assert not returned & {id for way, id in told if way == "queue"}, f"the queue told process {number} too"
        finished |= {words[1] for words in lines if words[0] == "finished"}
    assert {"queue", "purchase"} <= set(ways), f"the plan did not mix: {ways}"
    print(f"{len(finished)} transactions, told {dict(ways)}")
