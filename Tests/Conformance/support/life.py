"""What a customer of an app has come to own: real purchases, from which developers' servers are answered."""

import json
import uuid
from dataclasses import dataclass

from support.backend import Backend
from support.device import Device, payload
from support.receiver import Receiver
from support.shop import Shop

CREDITS = f"{Shop.BUNDLE}.credits5"
JUNGLE = f"{Shop.BUNDLE}.jungle"
CLUB = f"{Shop.BUNDLE}.club"
# More than a page of a history, and few enough where pages do not matter.
PURCHASES, FEW = 24, 6


@dataclass
class Life:
    """A subscriber of the sandbox, by the numbers of what was bought."""

    shop: Shop
    backend: Backend
    receiver: Receiver
    device: Device
    email: str
    club: str
    jungle: str
    credits: list[str]
    refunded: str
    asked: str
    order: str
    app_transaction: str


def begin(shop: Shop, backend: Backend, receiver: Receiver, purchases: int = PURCHASES) -> Life:
    backend.receive(receiver.url)
    device, tester = shop.signed_in(paymentMethod="test_approved")
    email = tester["email"]
    shop.till("testers", "change", email, "--renewal-rate", "real-time")

    def buy(product: str) -> str:
        return payload(device.buy(product)["signedTransaction"])["transactionId"]

    club, jungle = buy(CLUB), buy(JUNGLE)
    credits = [buy(CREDITS) for _ in range(purchases)]
    for one in credits[:2]:
        device.finish(one)
    shop.till("transactions", "refund", credits[3])
    shop.till("refunds", "request", credits[4], "--customer", email, "--reason", "unintended")
    shown = json.loads(shop.till("transactions", "show", credits[0], "--json").stdout)
    bought = payload(shown["signedTransaction"])
    return Life(shop, backend, receiver, device, email, club, jungle, credits, credits[3], credits[4],
                shown["transaction"]["orderId"], bought["appTransactionId"])


def another_subscription(life: Life, act: str | None = None) -> str:
    """A subscription of somebody else, to which nothing was done but one act."""
    tester = life.shop.add_tester(paymentMethod="test_approved")
    life.shop.till("testers", "change", tester["email"], "--renewal-rate", "real-time")
    order = {"customer": tester["email"], "bundleId": Shop.BUNDLE, "productId": CLUB}
    number = life.shop.ask("POST", "/purchases", order)["transactionId"]
    if act:
        life.shop.till("subscriptions", act, number)
    return number


def identifier() -> str:
    return str(uuid.uuid4())
