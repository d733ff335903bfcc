"""What a store tells and what it has written, looked at from outside: whether something of somebody got where it must not."""

import base64
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.device import Device, payload
from support.waiting import wait_until

# What stands there in answers to nobody in particular: blocks of numbers, work that the store does by itself, and how often
# somebody guessed.
# The steps of an app are noted in their own time, of the app that asks.
PASSING = {"sequence", "work", "lease", "wrong_guess", "app_step"}
# How far such work is, beside other properties.
PROGRESS = "blob-scrub"

# What stands in paths of the catalogue, beside the app and its product.
CATALOGUE = {
    "teamId": "my-team", "email": "a@b.example", "kind": "paid", "version": "1", "groupId": "1", "storeId": "1",
    "imageKind": "promotional", "offerId": "introductory", "storefront": "USA",
    "number": "1", "batchId": "1", "keyId": "ABCDE12345", "uploadId": "1", "partNumber": "1",
    "notificationUUID": "00000000-0000-4000-8000-000000000001", "listener": "1", "requestIdentifier": "one", "fault": "1",
    "partner": "2345678abc", "month": "2026-11", "artistId": "1", "reviewId": "1", "role": "artwork", "position": "1", "language": "en-US",
    "field": "price", "backup": "none",
    "invitationId": "1", "sessionId": "1", "applicationId": "1",
}


def kept(row: dict) -> dict:
    """A row without what being asked alone changes."""
    return {name: value for name, value in row.items() if name != "last_used_at"}


def has_due_work(file: Path) -> bool:
    """Whether the store is still about to do something by itself, which would pass for what a request has done."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        due = "SELECT count(*) FROM work WHERE due_at <= ?"
        return connection.execute(due, (int(time.time() * 1000),)).fetchone() != (0,)
    finally:
        connection.close()


def rows(data: Path) -> dict[str, list]:
    """Every row of every database of a store."""
    for name in ("production", "sandbox"):
        for file in data.rglob(f"{name}.sqlite"):
            wait_until(lambda: not has_due_work(file))
    found = {}
    for file in sorted(data.rglob("*.sqlite*")):
        if file.name.endswith(("-wal", "-shm")):
            continue
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for table in sorted(tables):
                if table not in PASSING and not table.startswith("sqlite_"):
                    cursor = connection.execute(f'SELECT * FROM "{table}"')
                    names = [column[0] for column in cursor.description]
                    found[f"{file.stem}.{table}"] = sorted(
                        (kept(dict(zip(names, row))) for row in cursor.fetchall() if row[0] != PROGRESS), key=repr
                    )
        finally:
            connection.close()
    return found


def changes(before: dict[str, list], after: dict[str, list], concerns=lambda table, row: True) -> list[str]:
    """What is otherwise, among the rows that concern somebody."""
    found = []
    for table in sorted(before.keys() | after.keys()):
        old = [row for row in before.get(table, []) if concerns(table.split(".")[-1], row)]
        new = [row for row in after.get(table, []) if concerns(table.split(".")[-1], row)]
        found += [f"{table}: gone {row}" for row in old if row not in new]
        found += [f"{table}: new {row}" for row in new if row not in old]
    return found


def told(answer) -> str:
    """Everything that an answer says, with what is wrapped in JWS and Base64."""
    text = answer.text
    if "json" not in answer.headers.get("Content-Type", ""):
        return text
    pieces = [text]

    def walk(value):
        if isinstance(value, dict):
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)
        elif isinstance(value, str):
            if value.count(".") == 2 and value.startswith("eyJ"):
                pieces.append(str(payload(value)))
            elif len(value) > 200 and " " not in value:
                pieces.append(base64.b64decode(value).decode("latin-1"))

    walk(answer.json())
    return "\n".join(pieces)


class Possession:
    """What one customer has on one device: something bought, something that waits for a yes, the words that name them."""

    def __init__(self, device: Device, email: str, customer: str, owned: str, consumable: str):
        self.device, self.email, self.customer = device, email, customer
        # From here on there is everything below to be heard of.
        self.start = device.events()["cursor"]
        bought = device.buy(owned)
        self.transaction = payload(bought["signedTransaction"])["transactionId"]
        self.bought_key = bought["key"]
        self.open = device.open(consumable)
        self.key = self.open["key"]
        self.number = device.ask("GET", "/device")["deviceId"]

    @property
    def purchases(self) -> list[str]:
        """What nobody but this device may hear."""
        return [self.bought_key, self.key, self.open["confirmation"]["code"], self.open["confirmation"]["token"]]

    @property
    def words(self) -> list[str]:
        """What nobody but this customer may hear."""
        return [*self.purchases, self.transaction, self.email]

    def concerns(self, table: str, row: dict) -> bool:
        """Whether a row is about the customer or the device, anywhere in the store."""
        if table == "customer":
            return str(row["id"]) == self.customer
        if table == "device":
            return str(row["id"]) == self.number
        return str(row.get("customer_id")) == self.customer or str(row.get("device_id")) == self.number

    def concerns_purchases(self, table: str, row: dict) -> bool:
        return table in ("purchase", "store_transaction") and str(row["device_id"]) == self.number


@dataclass(frozen=True)
class Row:
    """A route with the victim's things in it, and what comes of it for whoever shows which token."""

    # What the owner is answered.
    owner: int
    # What a device on which nobody is signed in is answered, if it is not what another customer is.
    nobody: int | None = None
    # What another customer is answered: on another device, and on the very device of the victim.
    stranger: int = 200
    successor: int | None = None
    # What another app and another device of the same customer are answered.
    other_app: int = 200
    other_device: int = 200
    path: str = ""
    query: str = ""
    body: Any = None
    headers: dict = field(default_factory=dict)

    def status(self, kind: str) -> int:
        if kind == "nobody":
            return self.stranger if self.nobody is None else self.nobody
        if kind == "successor":
            return self.stranger if self.successor is None else self.successor
        return getattr(self, kind)


def purchase(owner: int, **more) -> Row:
    """A purchase is its device's, and its customer's only."""
    return Row(owner, stranger=404, other_app=404, other_device=404, **more)


def transaction(owner: int, **more) -> Row:
    """A transaction is its customer's, in its app, on all devices."""
    return Row(owner, nobody=401, stranger=404, other_app=404, other_device=owner, **more)


def of_customer(owner: int, **more) -> Row:
    """What takes somebody who is signed in; everybody gets what is theirs."""
    return Row(owner, nobody=401, stranger=owner, other_app=owner, other_device=owner, **more)


def of_device(owner: int, **more) -> Row:
    return Row(owner, stranger=owner, other_app=owner, other_device=owner, **more)
