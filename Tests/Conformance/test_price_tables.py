"""All prices of a product by the commands of till: many at once, and as a table that another program reads and writes."""

import csv
import io
import json

import pytest

from test_catalogue_commands import BUNDLE, answer, file, shop  # noqa: F401

PRODUCT = "credits5"

# The commands ask the same routes whether the store runs or not; that is tested beside.
pytestmark = pytest.mark.parametrize("shop", ["running"], indirect=True)


@pytest.fixture
def sold(shop, file):  # noqa: F811
    """A shop with a product for 0.99 dollars everywhere."""
    assert shop("products", "import", file, "--bundle-id", BUNDLE).returncode == 0
    assert shop("products", "price", BUNDLE, PRODUCT, "USA", "0.99", "--everywhere").returncode == 0
    return shop


def prices(sold) -> dict[str, dict]:
    return answer(sold("products", "show", BUNDLE, PRODUCT, "--json"))["prices"]


@pytest.mark.rows("R1.8")
def test_many_prices_are_one_change(sold):
    before = prices(sold)
    wanted = ("prices", "set", BUNDLE, PRODUCT, "DEU=1.29", "AFG=none", "--base", "1.99")
    told = sold(*wanted, "--dry-run")
    assert "base price: 0.99 USD -> 1.99 USD" in told.stdout and "nothing was set" in told.stdout
    assert "AFG  0.99 (derived) -> not sold USD" in told.stdout
    assert prices(sold) == before
    made = answer(sold(*wanted, "--json"))
    assert len(made["changed"]) > 170 and not made["isTrial"]
    after = prices(sold)
    assert after["DEU"] == {"amount": "1.29", "currency": "EUR", "isDerived": False} and "AFG" not in after
    [line] = answer(sold("audit", "--kind", "prices", "--app", BUNDLE, "--count", "1", "--json"))["items"]
    assert line["action"] == "price, and prices in 2 storefronts"
    # One that cannot be leaves all as they were.
    refused = sold("prices", "set", BUNDLE, PRODUCT, "DEU=1.39", "JPN=1.5")
    assert refused.returncode == 65 and "JPN" in refused.stderr
    assert prices(sold) == after
    assert sold("prices", "set", BUNDLE, PRODUCT).returncode == 64
    assert sold("prices", "set", BUNDLE, PRODUCT, "DEU=1", "deu=2").returncode == 64
    assert sold("prices", "set", BUNDLE, "credits7", "DEU=1").returncode == 66


@pytest.mark.rows("R1.8")
def test_a_table_goes_through_another_program(sold, tmp_path):
    table = tmp_path / "prices.csv"
    assert sold("prices", "export", BUNDLE, PRODUCT, "--output", table).returncode == 0
    text = table.read_bytes().decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == 176 and rows[0]["storefront"] == "base" and rows[0]["price"] == "0.99"
    assert {row["storefront"]: row["pays"] for row in rows}["DEU"] == prices(sold)["DEU"]["amount"]
    assert "nothing would change" in sold("prices", "import", BUNDLE, PRODUCT, table, "--dry-run").stdout
    for row in rows:
        if row["storefront"] == "DEU":
            row["price"] = "1.29"
        if row["storefront"] == "AFG":
            row["sold"] = "no"
    with table.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, rows[0].keys(), quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
    told = sold("prices", "import", BUNDLE, PRODUCT, table, "--dry-run").stdout
    assert "2 storefronts would change" in told and "AFG" in told
    assert "2 storefronts changed" in sold("prices", "import", BUNDLE, PRODUCT, table).stdout
    after = prices(sold)
    assert after["DEU"]["amount"] == "1.29" and "AFG" not in after
    # As a spreadsheet in Germany keeps it; only what is in it changes.
    table.write_text("\ufeffstorefront;price\r\nDEU;1,19\r\n", encoding="utf-8")
    assert "1 storefront changed" in sold("prices", "import", BUNDLE, PRODUCT, table).stdout
    assert prices(sold) == after | {"DEU": after["DEU"] | {"amount": "1.19"}}
    table.write_text("storefront,price\nDEU,1.19\nXXX,1\n", encoding="utf-8")
    wrong = sold("prices", "import", BUNDLE, PRODUCT, table)
    assert wrong.returncode == 65 and "line 3" in wrong.stderr
    assert sold("prices", "import", BUNDLE, PRODUCT, tmp_path / "none").returncode == 66


@pytest.mark.rows("R1.8")
def test_the_audit_says_field_by_field_what_differs(sold):
    assert sold("prices", "set", BUNDLE, PRODUCT, "DEU=1.29").returncode == 0
    told = sold("audit", "--app", BUNDLE, "--product", PRODUCT, "--kind", "prices", "--differences").stdout
    assert "prices.DEU: none -> 1.29 EUR" in told
    table = sold("audit", "--app", BUNDLE, "--csv").stdout
    [heading, *rows] = csv.reader(io.StringIO(table, newline=""))
    assert "action" in heading and len(rows) > 1
    assert answer(sold("audit", "--by", "nobody@example.com", "--json")) == {"items": []}
    assert sold("audit", "--app", "com.example.none").returncode == 66
    assert sold("audit", "--product", PRODUCT).returncode == 65
    assert json.loads(sold("audit", "--until", "2001-01-01", "--json").stdout)["items"] == []
