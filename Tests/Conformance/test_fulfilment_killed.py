"""`PurchaseFulfilment` in an app that is killed at any step: what is paid is given once, what is refunded is taken back once."""

import re

import pytest

from conftest import tool_path
from support.randomness import SOAK, generator
from support.shop import Shop
from support.store_buyer import Phone
from support.waiting import wait_until

pytestmark = pytest.mark.rows("X5")

TILL = tool_path().with_name("till")
PRODUCT = f"{Shop.BUNDLE}.credits5"
# The first step of a delivery. The next ones are: the goods are changed, and nothing is stored; the finish is about to be
# written down, and the goods are stored; and so on to the word of the store.
FIRST = "before the goods change"
# How the file of the goods is written, below the statements.
CALLS = ["pwrite64", "fdatasync", "ftruncate", "unlink"]


class Fulfiller:
    """A customer with a device, whose goods are in a file."""

    def __init__(self, shop: Shop, folder):
        self.shop, self.email = shop, shop.add_tester()["email"]
        self.phone = Phone(TILL.with_name("store-buyer"), folder / "phone", shop, self.email)
        self.file = folder / "goods.sqlite"
        self.expected: list[str] = []

    def run(self, buying: int, **options) -> bool:
        """Runs the app until it is killed, or has bought what it is to buy; whether it was killed."""
        app = self.phone.start("fulfil", self.file, buying, PRODUCT, **options)
        wait_until(lambda: app.is_over or (buying > 0 and "carried out" in app.steps))
        # strace ends as what it traces has ended.
        was_killed = app.is_over
        app.kill()
        return was_killed

    @property
    def transactions(self) -> list[dict]:
        return self.shop.ask("GET", f"/transactions?customer={self.email}")["items"]

    @property
    def is_settled(self) -> bool:
        return all("finishedDate" in one for one in self.transactions)

    def check(self):
        """Runs the app until it has nothing to do, and looks what it has."""
        app = self.phone.start("fulfil", self.file, 0, PRODUCT)
        assert app.carry_out(), app.steps[-20:]
        while True:
            wait_until(lambda: app.ask()[0] == "waiting 0" and self.is_settled)
            bought = self.transactions
            owned = [one for one in bought if "revocationDate" not in one]
            wait_until(lambda: app.ask()[1].split()[1] == str(5 * len(owned)) or bought != self.transactions)
            _, goods, results = app.ask()[:3]
            # A payment of an app that was killed may come to its end meanwhile.
            if bought == self.transactions:
                break
        acts = [f"{one['transactionId']}:grant" for one in bought]
        acts += [f"{one['transactionId']}:takeBack" for one in bought if one not in owned]
        assert sorted(goods.split()[2:]) == sorted(acts), "something was given or taken twice, or not at all"
        latest = [f"{one['transactionId']}:" + ("grant:1" if one in owned else "takeBack:2") for one in bought]
        assert sorted(results.split()[1:]) == sorted(latest)
        app.end()

    def refund(self):
        owned = [one for one in self.transactions if "revocationDate" not in one]
        self.shop.till("transactions", "refund", owned[0]["transactionId"])


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture
def fulfiller(shop, tmp_path):
    fulfiller = Fulfiller(shop, tmp_path)
    # The device is registered and signed in, so that the steps that are counted are those of a purchase.
    assert not fulfiller.run(1)
    fulfiller.check()
    return fulfiller


def test_killed_at_every_step_of_a_delivery_it_gives_once(fulfiller):
    """Fails if `PurchaseFulfilment.fulfil(_:)` finishes the transaction before `ledger.fulfil`, if `DeliveryLedger.fulfil` leaves
    out `guard known?.isHeld != isHeld`, or writes the goods and the row in two transactions."""
    last = 60 if SOAK else 8
    killed = sum(fulfiller.run(1, killed_at=step, counted_from=FIRST) for step in range(1, last))
    assert killed >= 4
    fulfiller.check()


def test_killed_anywhere_else_it_gives_once(fulfiller):
    chance = generator("fulfilment, killed anywhere")
    for _ in range(100 if SOAK else 5):
        fulfiller.run(1, killed_at=chance.randint(1, 90))
        fulfiller.check()


def test_killed_while_it_takes_back_it_takes_back_once(fulfiller):
    assert not fulfiller.run(3)
    for step in (1, 2):
        fulfiller.refund()
        assert fulfiller.run(0, killed_at=step, counted_from=FIRST)
        fulfiller.check()


def test_killed_while_the_file_of_the_goods_is_written_it_gives_once(fulfiller, tmp_path):
    """Each call of the system by which the file changes: between what is stored of a delivery and its end there are several."""
    log = tmp_path / "calls"
    files = [f"-P{fulfiller.file}{ending}" for ending in ("", "-wal", "-shm", "-journal")]
    assert not fulfiller.run(1, traced=(*files, "-e", f"trace={','.join(CALLS)}", "-o", str(log)))
    calls = re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE)
    assert calls.count("pwrite64") > 3, calls
    steps = sorted({(name, calls[: at + 1].count(name)) for at, name in enumerate(calls)})
    generator("fulfilment, calls").shuffle(steps)
    killed = 0
    for name, number in steps if SOAK else steps[:5]:
        fault = ("-e", f"trace={name}", "-e", f"inject={name}:signal=KILL:when={number}", "-o", "/dev/null")
        killed += fulfiller.run(1, traced=(*files, *fault))
        fulfiller.check()
    # strace counts the calls of each thread by itself, so that some number may never be reached.
    assert killed > 0
