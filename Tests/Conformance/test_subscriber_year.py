"""A year of a subscriber: the transcript in `subscriber_year.txt` is played, and the developer's server is told just that."""

import json
import re
import shlex
from dataclasses import dataclass, field

import pytest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Subtype import Subtype

from conftest import REPOSITORY, tool_path
from support.backend import Backend
from support.instants import moment
from support.receiver import Notification, Receiver
from support.shop import Shop
from support.till import run

pytestmark = pytest.mark.rows("X3", "X4", "P13", "P14", "P38")

TILL = tool_path().with_name("till")
TRANSCRIPT = REPOSITORY / "Tests/Conformance/subscriber_year.txt"
PAGE = REPOSITORY / "Documentation/Backends.md"
START = "2030-01-01T00:00:00Z"


@dataclass
class Step:
    """Something that is done, and the notifications that come of it, as words of the transcript."""

    line: int
    act: str
    told: list[list[str]] = field(default_factory=list)


def steps() -> list[Step]:
    found: list[Step] = []
    for number, line in enumerate(TRANSCRIPT.read_text().splitlines(), 1):
        if line.startswith(("$ ", "PUT ", "POST ")):
            found.append(Step(number, line))
        elif line.startswith("> "):
            found[-1].told.append(line[2:].split())
        elif line.startswith("    "):
            found[-1].told[-1] += line.split()
        else:
            assert not line or line.startswith("#") or line.endswith("."), f"line {number} is nothing: {line}"
    return found


def product(name: str, kind: str, price: str, **more) -> dict:
    text = {"locale": "en_US", "displayName": name.title(), "description": name}
    return {"productID": name, "displayPrice": price, "type": kind, "localizations": [text], **more}


def plan(name: str, price: str, level: int) -> dict:
    return product(name, "RecurringSubscription", price, recurringSubscriptionPeriod="P1M", groupNumber=level,
                   familyShareable=True)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("year") / "store", "--log-level", "error")
    groups = [{"id": "G1", "name": "Magazine", "localizations": [],
               "subscriptions": [plan("all", "9.99", 1), plan("news", "4.99", 2)]}]
    issue = product("issue", "Consumable", "0.99")
    content = {"version": {"major": 2, "minor": 0}, "products": [issue], "subscriptionGroups": groups}
    shop.ask("PUT", f"/apps/{Shop.BUNDLE}/import", content)
    week = {"kind": "introductory", "paymentMode": "free", "period": "P1W"}
    shop.ask("PUT", f"/apps/{Shop.BUNDLE}/products/news/offers/week", week)
    shop.till("clock", "freeze")
    shop.till("clock", "set", START, "--yes")
    for name in ("ann", "ben"):
        shop.add_tester(f"{name}@example.com", paymentMethod="test_approved")
        shop.till("testers", "change", f"{name}@example.com", "--renewal-rate", "real-time")
    shop.till("subscriptions", "grace", Shop.BUNDLE, "--days", "16")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture(scope="module")
def backend(shop, receiver, tmp_path_factory):
    backend = Backend(shop, tmp_path_factory.mktemp("backend"))
    backend.receive(receiver.url)
    return backend


def written(name: str, value) -> str:
    """A value as the transcript writes it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    return moment(value).strftime("%Y-%m-%d") if name.endswith("Date") else str(value)


def as_told(notification: Notification, names: list[str]) -> list[str]:
    """A notification in the words of the transcript, with these of its members."""
    date = written("signedDate", notification.payload["signedDate"])
    words = [date, notification.type, notification.subtype or "-", written("status", notification.data.get("status"))]
    parts = [notification.data, notification.transaction, notification.renewal]
    for name in names:
        words.append(f"{name}={written(name, next((part[name] for part in parts if name in part), None))}")
    return words


def play(shop: Shop, backend: Backend, act: str):
    if act.startswith("$ till "):
        return shop.till(*shlex.split(act[len("$ till "):]))
    method, path, body = act.split(" ", 2)
    answer = backend.request(method, path, json.loads(body))
    assert answer.status_code == 200, f"{act}: {answer.status_code} {answer.text}"


def test_a_year_is_told_as_the_transcript_says(shop, receiver, backend):
    verifier = backend.verifier(online=True)
    number, uuids, last = None, set(), 0
    for step in steps():
        play(shop, backend, step.act.replace("$SUBSCRIPTION", str(number)))
        receiver.wait_for(lambda received: len(received) >= len(step.told), f"line {step.line}: {step.act}")
        backend.settle()
        came = receiver.taken()
        found = [as_told(one, [word.split("=")[0] for word in told[4:]]) for one, told in zip(came, step.told)]
        assert found == step.told and len(came) == len(step.told), (
            f"line {step.line}: {step.act}\nwas told {[as_told(one, []) for one in came]}\n{found}"
        )
        for one in came:
            decoded = verifier.verify_and_decode_notification(one.signed)
            assert decoded.notificationUUID == one.uuid and one.uuid not in uuids
            if one.transaction:
                verifier.verify_and_decode_signed_transaction(one.data["signedTransactionInfo"])
            if one.renewal:
                verifier.verify_and_decode_renewal_info(one.data["signedRenewalInfo"])
            assert one.payload["signedDate"] >= last
            uuids.add(one.uuid)
            last = one.payload["signedDate"]
            number = number or one.transaction["originalTransactionId"]


def documented() -> dict[tuple[str, str], tuple[str, str]]:
    """The status after each type and subtype and what brings it about, by the page for backends."""
    row = r"^\| `([A-Z_]+)` \| (?:`([A-Z_]+)`|–) \| (.*?) \| `([a-z-]+)` \|"
    found = re.findall(row, PAGE.read_text(), re.MULTILINE)
    return {(kind, subtype or "-"): (status, trigger) for kind, subtype, status, trigger in found}


def test_the_page_for_backends_has_each_notification_with_its_status():
    table = documented()
    told = [words for step in steps() for words in step.told]
    assert len(told) > 30
    for _, kind, subtype, status, *_ in told:
        allowed = table[kind, subtype][0]
        assert status in re.split(r"\W+", allowed) or "as before" in allowed or status == "-", (kind, subtype)
    never = set(re.findall(r"`([A-Z_]+)`", re.search(r"`METADATA_UPDATE`.*?are never sent", PAGE.read_text(), re.DOTALL)[0]))
    assert {kind for kind, _ in table} | never == {one.value for one in NotificationTypeV2}
    assert {subtype for _, subtype in table} - {"-"} == {one.value for one in Subtype} - {"UNREPORTED"}


def test_the_page_for_backends_has_what_brings_each_about():
    listed = json.loads(run(TILL, "trigger", "list", "--json").stdout)
    found = {(one["notificationType"], one.get("subtype", "-")): one["trigger"] for one in listed}
    assert found == {names: trigger for names, (_, trigger) in documented().items()}
