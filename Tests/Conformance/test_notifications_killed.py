"""A store that is killed at any moment while notifications go out loses none, invents none, and keeps their order."""

import itertools
import threading

import pytest
import requests

from conftest import tool_path
from support.backend import Backend
from support.randomness import SOAK, generator
from support.receiver import Receiver
from support.shop import Shop
from support.waiting import PATIENCE

pytestmark = pytest.mark.rows("X3", "X5", "P15")

TILL = tool_path().with_name("till")
CLUB = f"{Shop.BUNDLE}.club"
SUBSCRIBERS = 4


class Subscriber(threading.Thread):
    """Turns the renewal of one subscription off and on without end, and counts what the store has acknowledged."""

    def __init__(self, shop: Shop, number: str, stop: threading.Event):
        super().__init__(daemon=True)
        self.shop, self.number, self.stopping = shop, number, stop
        # What was asked for: each change whether it is acknowledged, or may have come to pass.
        self.changes: list[bool] = []

    def run(self):
        for act in itertools.cycle(("cancellation", "resumption")):
            is_done = False
            while not is_done:
                if self.stopping.is_set():
                    return
                is_done = self.ask(act)
            self.changes.append(True)

    def ask(self, act: str) -> bool:
        """Whether it is as asked. The same twice changes nothing, so that a lost answer is asked for again."""
        try:
            answer = self.shop.control("POST", f"/subscriptions/{self.number}/{act}")
        except requests.RequestException:
            self.stopping.wait(0.02)
            return False
        return answer.ok or answer.status_code == 409


def test_notifications_outlive_kills(tmp_path):
    shop = Shop(TILL, tmp_path / "store", "--log-level", "error")
    chance = generator("notifications outlive kills")
    stop = threading.Event()
    # One in ten is answered with a failure. The sandbox does not try again, so that is the end of it.
    receiver = Receiver(lambda notification: 500 if int(notification.uuid[:8], 16) % 10 == 0 else 200)
    backend = Backend(shop, tmp_path)
    backend.receive(receiver.url)
    subscribers = [subscriber(shop, stop) for _ in range(SUBSCRIBERS)]
    rounds = 2000 if SOAK else 6
    try:
        for one in subscribers:
            one.start()
        for _ in range(rounds):
            stop.wait(chance.uniform(0.02, 0.5))
            shop.kill()
            shop.start()
        stop.set()
        for one in subscribers:
            one.join(PATIENCE)
            assert not one.is_alive()
        backend.settle()
        judge(backend, receiver, subscribers)
        assert shop.stop() == 0
    finally:
        stop.set()
        shop.stop()
        receiver.close()
    print(f"{rounds} kills, {len(receiver.received)} notifications arrived")


def subscriber(shop: Shop, stop: threading.Event) -> Subscriber:
    tester = shop.add_tester(paymentMethod="test_approved")
    shop.till("testers", "change", tester["email"], "--renewal-rate", "real-time")
    order = {"customer": tester["email"], "bundleId": Shop.BUNDLE, "productId": CLUB}
    return Subscriber(shop, shop.ask("POST", "/purchases", order)["transactionId"], stop)


def judge(backend: Backend, receiver: Receiver, subscribers: list[Subscriber]):
    rows = backend.rows("SELECT uuid, stream, number, original_id, subtype FROM notification ORDER BY stream, number")
    arrived = list(dict.fromkeys(one.uuid for one in receiver.received))
    assert set(arrived) == {uuid for uuid, *_ in rows}, "lost, or invented"
    place = {uuid: index for index, uuid in enumerate(arrived)}
    for one in subscribers:
        mine = [row for row in rows if str(row[3]) == one.number]
        # What was acknowledged is told of, each change once; of the last one the answer may be missing.
        turned = itertools.cycle(("AUTO_RENEW_DISABLED", "AUTO_RENEW_ENABLED"))
        assert [subtype for *_, subtype in mine] == ["INITIAL_BUY", *itertools.islice(turned, len(mine) - 1)]
        assert len(mine) - 1 - len(one.changes) in (0, 1) and one.changes
        places = [place[uuid] for uuid, *_ in mine]
        assert places == sorted(places), "out of order"
    # The same notification twice is the same to the last byte of its payload, but for when it was signed.
    for uuid, twice in itertools.groupby(sorted(receiver.received, key=lambda one: one.uuid), lambda one: one.uuid):
        assert len({(one.name, one.transaction["transactionId"]) for one in twice}) == 1, uuid
