"""Lists as tables for spreadsheets, read by another program's reader: that of Python."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest
import requests

from conftest import tool_path
from support.shop import Shop
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")
CREDITS = f"{Shop.BUNDLE}.credits5"
# What no customer may make of an operator's spreadsheet, and what a careless writer breaks.
NAMES = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", 'Ada "the first", of Byron', "Ada;Byron", "Łukasz"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("exports") / "store")
    for number, name in enumerate(NAMES):
        shop.add_tester(f"c{number}@example.com", firstName=name)
        shop.ask("POST", "/purchases", {"customer": f"c{number}@example.com", "bundleId": Shop.BUNDLE, "productId": CREDITS})
    yield shop
    assert shop.stop() == 0


def table(text: str) -> list[dict[str, str]]:
    """The rows, each as long as the heading, with the ends of lines that RFC 4180 wants."""
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def asked(shop, path: str) -> requests.Response:
    answer = requests.get(
        f"{shop.address}/control/v1{path}", headers={"Authorization": f"Bearer {shop.token}"}, timeout=PATIENCE
    )
    assert answer.status_code == 200, answer.text
    return answer


def test_every_value_comes_back_and_none_is_a_formula(shop):
    rows = table(asked(shop, "/customers?format=csv").text)
    found = {row["email"]: row["firstName"] for row in rows}
    for number, name in enumerate(NAMES):
        told = found[f"c{number}@example.com"]
        assert told == ("'" + name if name[0] in "=+-@" else name)
    assert not [value for row in rows for value in row.values() if value[:1] in ("=", "+", "@")]


def test_the_pages_of_a_table_are_the_list(shop):
    items = asked(shop, "/transactions").json()["items"]
    rows, path = [], "/transactions?limit=2&format=csv"
    while path:
        answer = asked(shop, path)
        rows += table(answer.text)
        link = answer.links.get("next", {}).get("url")
        path = link.split("/control/v1", 1)[1] if link else None
    assert [row["transactionId"] for row in rows] == [item["transactionId"] for item in items]
    assert {row["price.amount"] for row in rows} == {item["price"]["amount"] for item in items}


def test_the_commands_print_the_same(shop):
    told = shop.till("transactions", "list", "--csv")
    # The ends of its lines were read as those of this system.
    rows = table(told.stdout.replace("\n", "\r\n"))
    assert len(rows) == len(NAMES) and {row["price.currency"] for row in rows} == {"USD"}
    report = table(asked(shop, "/finance?by=product&format=csv").text)
    assert [(row["productId"], row["sales"]) for row in report] == [(CREDITS, str(len(NAMES)))]
    balances = table(asked(shop, "/ledger/balances?format=csv").text)
    # Exact numbers, so that a spreadsheet sums them to nothing as the ledger does.
    assert sum(round(float(row["amount"]) * 100) for row in balances) == 0


def test_commands_about_money(shop):
    month = f"{datetime.now(UTC):%Y-%m}"
    balances = shop.till("ledger", "balances")
    assert balances.returncode == 0 and "sum to nothing, as they must" in balances.stdout
    report = shop.till("finance", "report", "--by", "month", "--from", f"{month}-01").stdout
    assert month in report and f"{len(NAMES)}" in report and "taken" in report
    statement = shop.till("finance", "statement", "my-team", month)
    assert statement.returncode == 0 and "is what the account proceeds/" in statement.stdout
    lines = json.loads(shop.till("ledger", "postings", "--account", "commission", "--json").stdout)["items"]
    assert len(lines) == len(NAMES) and {line["account"] for line in lines} == {"commission"}
    narrowed = shop.till("transactions", "list", "--currency", "USD", "--amount-from", "1000", "--json")
    assert json.loads(narrowed.stdout)["items"] == []
