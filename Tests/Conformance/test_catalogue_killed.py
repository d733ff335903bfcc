"""A publication of many products, and an import, of a store that is killed meanwhile: whole, or not at all."""

import contextlib
import sqlite3
import threading
import time

import pytest
import requests

from conftest import tool_path
from support.randomness import SOAK, generator
from support.shop import Shop
from support.waiting import PATIENCE

pytestmark = pytest.mark.rows("X4", "X5")

TILL = tool_path().with_name("till")
BUNDLE = "com.example.many"
PRODUCTS = 150
ROUNDS = 12 if SOAK else 2


@pytest.fixture
def shop(tmp_path):
    made = Shop(TILL, tmp_path / "data", "--log-level", "error")
    yield made
    made.stop()


def file(price: str) -> dict:
    """A file for Xcode with as many products, each at this price."""
    products = [
        {
            "productID": f"coins{number}", "type": "Consumable", "displayPrice": price,
            "localizations": [{"locale": "en_US", "displayName": f"{number} coins", "description": "Coins."}],
        }
        for number in range(PRODUCTS)
    ]  # fmt: skip
    return {"version": {"major": 4, "minor": 0}, "products": products}


def counts(shop: Shop) -> dict:
    """What of the app is drafted, at which prices, and how often something was published."""
    database = next(shop.data.rglob("catalogue.sqlite"))
    app = f"SELECT app_id FROM app WHERE bundle_id = '{BUNDLE}'"
    statements = {
        "drafts": f"SELECT count(*) FROM product WHERE app_id = ({app}) AND drafted_at IS NOT NULL",
        "kept": "SELECT count(*) FROM published_product",
        "prices": f"SELECT count(DISTINCT base_amount) FROM product WHERE app_id = ({app})",
        "publications": "SELECT count(*) FROM catalogue_audit WHERE action LIKE 'published %'",
    }
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.execute("BEGIN")
        return {name: connection.execute(statement).fetchone()[0] for name, statement in statements.items()}


def require_whole(shop: Shop) -> dict:
    found = counts(shop)
    assert found["drafts"] in (0, PRODUCTS) and found["drafts"] == found["kept"], found
    assert found["prices"] == 1, found
    return found


def ask(shop: Shop, method: str, path: str, body: dict):
    """Asks production; a store that is killed does not answer."""
    with contextlib.suppress(requests.RequestException):
        requests.request(
            method, f"http://127.0.0.1:{shop.production}/control/v1{path}", json=body, timeout=PATIENCE,
            headers={"Authorization": f"Bearer {shop.tokens['production']}"},
        )  # fmt: skip


def measured(shop: Shop, *question) -> float:
    """How long a question takes; at no time anybody sees a part of what it does."""
    asking = threading.Thread(target=ask, args=(shop, *question))
    begun = time.monotonic()
    asking.start()
    while asking.is_alive():
        require_whole(shop)
    return time.monotonic() - begun


def killed(shop: Shop, after: float, *question) -> dict:
    """What there is of a question during which the store was killed."""
    asking = threading.Thread(target=ask, args=(shop, *question))
    asking.start()
    time.sleep(after)
    shop.kill()
    asking.join()
    shop.start()
    return require_whole(shop)


# Each product in a transaction of its own is seen in part, killed or not.
def test_a_publication_and_an_import_that_are_killed_are_whole_or_nothing(shop):
    chance = generator("a catalogue is killed")
    importing = ("PUT", f"/apps/{BUNDLE}/import", file("1.99"))
    publishing = ("POST", "/catalogue/publication", {"bundleId": BUNDLE})
    ask(shop, "PUT", f"/apps/{BUNDLE}/import?approved=true", file("0.99"))
    assert counts(shop) | {"publications": 0} == {"drafts": 0, "kept": 0, "prices": 1, "publications": 0}
    durations = measured(shop, *importing), measured(shop, *publishing)
    found = counts(shop)
    assert (found["drafts"], found["publications"]) == (0, 1)
    for number in range(ROUNDS):
        price = f"{number + 2}.99"
        question = ("PUT", f"/apps/{BUNDLE}/import", file(price))
        if killed(shop, chance.uniform(0, durations[0]), *question)["drafts"] == 0:
            ask(shop, *question)
        before = counts(shop)
        assert before["drafts"] == PRODUCTS
        after = killed(shop, chance.uniform(0, durations[1]), *publishing)
        assert (after["drafts"] == 0) == (after["publications"] == before["publications"] + 1), (before, after)
        if after["drafts"]:
            ask(shop, *publishing)
        assert counts(shop)["drafts"] == 0
