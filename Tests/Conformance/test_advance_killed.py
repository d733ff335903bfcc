"""A store that is killed while a clock is advanced comes to the same end as one that is not."""

import contextlib
import json
import sqlite3
import subprocess
import time

import pytest

from conftest import tool_path
from support.randomness import SOAK, generator
from support.shop import Shop
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("X4", "X5")

TILL = tool_path().with_name("till")
CLUB = f"{Shop.BUNDLE}.club"
START = "2030-01-31T12:00:00Z"
# Six months later, in milliseconds.
END = 1_911_729_600_000
MONTHS = 6
# How those pay who have a subscription, from the second period on.
METHODS = ["test_approved", "test_declined", "test_approved", "test_insufficient_funds", "test_approved", "test_approved"]


@pytest.fixture
def shops(tmp_path):
    made = [Shop(TILL, tmp_path / name, "--log-level", "error") for name in ("twin", "killed")]
    yield made
    for shop in made:
        shop.stop()


def fill(shop: Shop):
    """The same customers with the same subscriptions, at the same time."""
    shop.till("clock", "freeze")
    shop.till("clock", "set", START, "--yes")
    shop.till("subscriptions", "grace", Shop.BUNDLE, "--days", "16")
    for number, method in enumerate(METHODS):
        email = f"customer{number}@example.com"
        shop.add_tester(email, paymentMethod="test_approved")
        shop.till("testers", "change", email, "--renewal-rate", "real-time")
        shop.till("buy", CLUB, "--app", Shop.BUNDLE, "--customer", email)
        if method != "test_approved":
            customer = shop.ask("GET", f"/customers/{email}")["customerId"]
            shop.ask("POST", f"/customers/{customer}/payment-methods", {"token": method})


def count(shop: Shop, statement: str) -> int:
    file = next(shop.data.rglob("sandbox.sqlite"))
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return connection.execute(statement).fetchone()[0]


def charges(shop: Shop) -> int:
    return count(shop, "SELECT count(*) FROM charge")


def is_charging(shop: Shop) -> bool:
    return count(shop, "SELECT count(*) FROM charge WHERE state IN ('authorising', 'capturing')") > 0


def is_quiet(shop: Shop) -> bool:
    return count(shop, f"SELECT count(*) FROM clock WHERE shown_at < {END} OR advancing_to IS NOT NULL") == 0


def without(rows: list[dict], column: str) -> list[dict]:
    return [{name: value for name, value in row.items() if name != column} for row in rows]


def end(shop: Shop) -> dict:
    """What there is of each customer, without the numbers that the store draws."""
    found = {"time": json.loads(shop.till("clock", "show", "--json").stdout)["time"]}
    for one in shop.ask("GET", "/subscriptions")["items"]:
        details = shop.ask("GET", f"/subscriptions/{one['subscriptionId']}")
        email = shop.ask("GET", f"/customers/{one['customerId']}")["email"]
        subscription = details["subscription"]
        found[email] = [
            without(details["periods"], "transactionId"), without(details["history"], "requestId"),
            subscription["state"], subscription["autoRenews"], subscription.get("renewal"),
        ]  # fmt: skip
    assert len(found) == len(METHODS) + 1
    return found


def test_an_advance_that_is_killed_comes_to_the_same_end(shops):
    twin, killed = shops
    for shop in shops:
        fill(shop)
    twin.till("clock", "advance", f"{MONTHS}mo")
    wanted = end(twin)
    total = charges(twin)
    chance = generator("an advance is killed")
    goals = sorted(chance.sample(range(charges(killed), total), 12 if SOAK else 3))
    words = [TILL, "clock", "advance", f"{MONTHS}mo", "--data", killed.data]
    advance = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for goal in goals:
        # The processor is about to be asked, or was and its answer is not kept yet.
        patience = time.monotonic() + PATIENCE
        while not (charges(killed) > goal and is_charging(killed)) and not is_quiet(killed):
            assert time.monotonic() < patience
        killed.kill()
        advance.wait()
        killed.start()
    wait_until(lambda: is_quiet(killed))
    assert end(killed) == wanted
    for shop in shops:
        check = shop.ask("POST", "/ledger/check")
        assert check["isInOrder"] and check["underWay"] == 0, check["problems"][:5]
