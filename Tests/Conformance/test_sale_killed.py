"""A store that is killed at any moment while customers buy over bad lines loses nothing and does nothing twice."""

import collections
import threading

import pytest

from conftest import tool_path
from support.device import payload
from support.randomness import SOAK, generator
from support.shop import Buyer, Shop
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("R2.6", "X5", "X10")

CREDITS = ["com.example.monkeycredits.credits5", "com.example.monkeycredits.credits10"]


GOOD_CARDS = 5

TILL = tool_path().with_name("till")


def test_purchases_outlive_kills(tmp_path):
    shop = Shop(TILL, tmp_path / "store", "--log-level", "error")
    chance = generator("purchases outlive kills")
    stop = threading.Event()
    methods = ["test_approved"] * GOOD_CARDS + ["test_lost", "test_declined", "test_capture_fails"]
    buyers = [
        Buyer(shop.signed_in(paymentMethod=method)[0], CREDITS, chance.getrandbits(64), stop) for method in methods
    ]
    try:
        kills = 200 if SOAK else 10
        buy_while_killing(shop, buyers, stop, kills, chance)
        assert shop.stop() == 0
        # One more start looks after what was under way.
        shop.start()
        judge(shop, buyers)
    finally:
        stop.set()
        shop.stop()
    print(f"{kills} kills, {sum(len(buyer.acknowledged) for buyer in buyers)} purchases acknowledged")


def buy_while_killing(shop: Shop, buyers: list[Buyer], stop: threading.Event, kills: int, chance):
    for buyer in buyers:
        buyer.start()
    for _ in range(kills):
        stop.wait(chance.uniform(0.02, 0.7))
        shop.kill()
        shop.start()
    # Those whose cards are good: the others never own anything.
    wait_until(lambda: all(buyer.acknowledged for buyer in buyers[:GOOD_CARDS]))
    stop.set()
    for buyer in buyers:
        buyer.join(PATIENCE)
        assert not buyer.is_alive()


def judge(shop: Shop, buyers: list[Buyer]):
    settle(shop)
    purchases = {purchase["purchaseId"]: purchase for purchase in everything(shop, "purchases")}
    transactions = {one["transactionId"]: one for one in everything(shop, "transactions")}
    by_purchase = collections.Counter(one["purchaseId"] for one in transactions.values())
    assert set(by_purchase.values()) <= {1}, "a purchase has two transactions"
    for buyer in buyers:
        assert not buyer.contradictions
        for key, transaction in buyer.acknowledged.items():
            assert transaction in transactions, f"{key}: an acknowledged transaction is gone"
            again = buyer.device.ask("GET", f"/purchases/{key}")
            assert payload(again["signedTransaction"])["transactionId"] == transaction
        for transaction in buyer.finished:
            assert "finishedDate" in transactions[transaction], "an acknowledged finish is gone"
        numbers = event_numbers(buyer.device)
        assert numbers == list(range(1, len(numbers) + 1)), "events of a customer have gaps"
    under_way = [one for one in purchases.values() if one["state"] in ("authorising", "capturing", "voiding")]
    assert not under_way, f"recovery left {under_way[:3]}"
    check = shop.ask("POST", "/ledger/check")
    assert check["isInOrder"], check["problems"][:5]
    sold = [one for one in transactions.values() if one["price"]["amount"] != "0.00"]
    assert len(sold) == len(transactions) > 0
    assert check["movements"] >= len(sold) and check["underWay"] == 0
    assert check["entries"] == len(sold)


def settle(shop: Shop):
    """Waits until nothing is under way any more: recovery runs when a store starts."""
    under_way = ("authorising", "capturing", "voiding")
    wait_until(lambda: all(one["state"] not in under_way for one in everything(shop, "purchases")))


def everything(shop: Shop, what: str) -> list[dict]:
    found, after = [], ""
    while True:
        page = shop.ask("GET", f"/{what}{after}")
        found += page["items"]
        if "next" not in page:
            return found
        after = f"?after={page['next']}"


def event_numbers(device) -> list[int]:
    numbers, cursor = [], None
    while True:
        page = device.events(cursor)
        numbers += [event["number"] for event in page["events"]]
        cursor = page["cursor"]
        if not page["hasMore"]:
            return numbers
