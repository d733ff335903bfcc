"""Journeys over several pages in a browser, and then every page that there is: whether it keeps anybody out."""

import json
import re
from urllib.parse import urlsplit

import pytest
import requests

from conftest import tool_path
from support.browser import TELEPHONE, Browser
from support.device import payload
from support.page_routes import declared, route
from support.pages import EmptyStore, Pages
from support.randomness import SOAK, generator
from support.shop import Shop
from support.shown import ShownCommands, request
from support.till import run
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("X6", "X7", "X9", "X13", "R8.3")

TILL = tool_path().with_name("till")
CLUB = f"{Shop.BUNDLE}.club"
# Light and dark differ in colours only: one page of each kind shows them all.
DARK = {
    "overview", "transaction", "tester", "subscription", "product-club", "content", "requests", "sheet", "sheet-bought",
    "sign-in", "store", "store-app", "store-album", "store-search",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop") / "store"
    shop = Shop(TILL, folder, "--production-processor", "test", "--log-level", "error")
    gift = {
        "kind": "code", "paymentMode": "pay_up_front", "period": "P3M", "price": {"amount": "1.00", "currency": "USD"},
        "eligibility": ["new", "expired"],
    }
    shop.ask("PUT", f"/apps/{Shop.BUNDLE}/products/{CLUB}/offers/gift", gift)
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def browser():
    browser = Browser()
    yield browser
    browser.close()


def codes(shop, *words) -> list[str]:
    made = json.loads(shop.till("codes", "create", Shop.BUNDLE, CLUB, "gift", *words, "--json").stdout)
    batch = shop.ask("GET", f"/apps/{Shop.BUNDLE}/codes/{made['batchId']}")
    return [one["code"] for one in batch["codes"]]


def test_a_child_asks_and_a_parent_approves_on_the_page(shop, browser):
    parent = shop.add_tester()["email"]
    device, child = shop.signed_in()
    shop.till("family", "create", parent)
    shop.till("family", "add", parent, child["email"], "--child")
    opened = device.open(f"{Shop.BUNDLE}.jungle")
    assert device.confirm(opened)["state"] == "deferred"
    [waiting] = json.loads(shop.till("approvals", "list", "--json").stdout)["items"]
    browser.open(shop.address + waiting["page"]).wait_for("Jungle", child["email"], "$2.99")
    browser.fill(email=child["email"], password=Shop.PASSWORD).press("Approve").wait_for("adult")
    browser.fill(email=parent, password="wrong horse").press("Approve").wait_for("wrong")
    browser.fill(password=Shop.PASSWORD).press("Approve").wait_for("Approved. It is delivered")
    got = device.ask("GET", f"/purchases/{opened['key']}")
    assert got["state"] == "purchased" and payload(got["signedTransaction"])["price"] == 2990
    browser.open(shop.address + waiting["page"]).wait_for("Approved.")
    assert browser.errors() == []


def test_a_code_is_redeemed_on_the_page_and_the_app_gets_it(shop, browser):
    [code, over] = codes(shop, "--count", "2")
    shop.till("codes", "create", Shop.BUNDLE, CLUB, "gift", "--custom", "GONE")
    batch = json.loads(shop.till("codes", "list", Shop.BUNDLE, "--json").stdout)["items"][0]["batchId"]
    shop.till("codes", "deactivate", Shop.BUNDLE, str(batch))
    device, tester = shop.signed_in()
    browser.open(f"{shop.address}/redeem?app={Shop.BUNDLE}&code=nothing").wait_for("Redeem a code", "MonkeyCredits")
    browser.fill(email=tester["email"], password="wrong horse").press("Go on").wait_for("wrong")
    browser.fill(password=Shop.PASSWORD).press("Go on").wait_for("There is no such code.")
    browser.fill(code="gone", password=Shop.PASSWORD).press("Go on").wait_for("This code is over.")
    # Without the app too: only one has such a code.
    browser.open(f"{shop.address}/redeem").fill(code=code.lower(), email=tester["email"], password=Shop.PASSWORD)
    browser.press("Go on").wait_for("Banana Club", "$1.00", "Renews every month for $1.49", tester["email"])
    browser.press("Buy for $1.00").wait_for("Thank you. Banana Club is on its way")
    wait_until(lambda: device.ask("GET", "/transactions")["unfinished"])
    [number] = device.ask("GET", "/transactions")["unfinished"]
    sold = payload(shop.ask("GET", f"/transactions/{number}")["signedTransaction"])
    assert (sold["offerType"], sold["offerIdentifier"], sold["price"]) == (3, "gift", 1000)
    # A second one of the batch is not for the same customer, and the first not for another.
    browser.open(f"{shop.address}/redeem").fill(code=over, email=tester["email"], password=Shop.PASSWORD)
    browser.press("Go on").wait_for("This code has been used")
    other = shop.add_tester()
    browser.fill(code=code, email=other["email"], password=Shop.PASSWORD).press("Go on").wait_for("has been used")
    shop.till("buy", CLUB, "--app", Shop.BUNDLE, "--customer", other["email"])
    browser.fill(code=over, password=Shop.PASSWORD).press("Go on").wait_for("not for this account")
    # The page is in the language of the browser.
    for language, words in [("de", "Code einlösen"), ("ja", "コードを使う"), ("zh-Hans", "兑换")]:
        page = requests.get(f"{shop.address}/redeem", headers={"Accept-Language": language}, timeout=PATIENCE)
        assert words in page.text and page.headers["Referrer-Policy"] == "same-origin"
    foreign = requests.post(f"{shop.address}/redeem", {"code": over}, headers={"Sec-Fetch-Site": "cross-site"}, timeout=PATIENCE)
    assert foreign.status_code == 403
    assert browser.errors() == []


def test_a_subscription_lives_on_its_page_in_the_console(shop, browser):
    tester = shop.add_tester()
    shop.till("subscriptions", "grace", Shop.BUNDLE, "--days", "16")
    number = shop.ask(
        "POST", "/purchases", {"customer": tester["email"], "bundleId": Shop.BUNDLE, "productId": CLUB}
    )["transactionId"]
    browser.open(shop.till("console").stdout.strip()).press("Subscriptions").wait_for(tester["email"], "active")
    browser.fill(q=tester["email"]).press("Show").press("Banana Club")
    browser.wait_for("It renews at", "If the card fails", "the next one, if it is paid", "Bought")
    page = browser.address.rsplit("/", 1)[0]
    assert browser.address == f"{page}/{number}" and len(browser.all(".periods > svg rect")) == 3
    browser.press("Let the next payment fail…").press("Let the next payment fail").wait_for("It was changed.")
    browser.press("Renew it now…").wait_for("What is left of the period").press("Renew it now").wait_for("was declined")
    # Its period is over, which the store would notice by itself.
    shop.till("clock", "advance", "1s")
    browser.open(f"{page}/{number}").wait_for("It could not be paid", "in its grace period")
    browser.press("Try the payment now…").choose("method", "test_approved").press("Try the payment now")
    browser.wait_for("It was changed.", "It renews at", "The payment was tried again at once")
    browser.press("Turn renewal off…").wait_for("then it ends").press("Turn renewal off").wait_for("does not renew")
    browser.press("Turn renewal on").wait_for("It renews at")
    browser.press("End it now…").wait_for("No money is given back").press("End it now").wait_for("it was cancelled")
    browser.press("As command · As request").wait_for(f"till subscriptions show {number}")
    browser.press("Overview").wait_for("Monthly recurring revenue", "Churn")
    assert re.search(r"Renewals\s+1", browser.text), browser.text
    assert browser.errors() == []


@pytest.fixture(scope="module")
def pages(shop):
    return Pages(shop)


def test_every_page_that_is_declared_is_looked_at(shop, pages):
    routes = declared()
    looked, acts = set(), set()
    for address in [*pages.addresses.values(), *pages.others]:
        path = urlsplit(address).path
        found = route(path, routes)
        assert found, f"no route of a page answers {path}"
        looked.add(found)
        acts.add((found, path.rsplit("/", 1)[-1]))
    missing = [pattern for pattern in routes if pattern not in looked]
    missing += [f"{pattern}: {act}" for pattern in looked for act in routes[pattern] if (pattern, act) not in acts]
    assert not missing, f"support/pages.py has no address of {missing}"
    session = requests.Session()
    session.get(shop.till("console").stdout.strip(), timeout=PATIENCE)
    for address in pages.others:
        answer = session.get(address, allow_redirects=False, timeout=PATIENCE)
        assert answer.ok and not (answer.status_code == 200 and "<html" in answer.text), address


def test_every_command_and_request_that_a_page_shows_is_understood(shop, pages, tmp_path):
    empty = EmptyStore(TILL, tmp_path / "empty")
    shown: dict[str, str] = {}
    try:
        for link, addresses in [(shop.till("console").stdout.strip(), pages.addresses), (empty.console_link(), empty.addresses)]:
            session = requests.Session()
            session.get(link, timeout=PATIENCE)
            # What production has to say for itself is looked at wherever both have a page.
            more = {f"{name} of production": one.replace("/sandbox", "/production") for name, one in addresses.items()}
            for name, address in {**addresses, **more}.items():
                page = session.get(address, timeout=PATIENCE)
                assert page.status_code < 500, (name, page.text)
                for command in ShownCommands(page.text).all:
                    shown.setdefault(command, name)
    finally:
        assert empty.stop() == 0
    assert len(shown) > 100
    several = [f"{name}: {command!r}" for command, name in shown.items() if "\n" in command.strip()]
    assert not several, several

    commands = [command for command in shown if command.startswith("till ")]
    # What a person has to decide is in capital letters; an amount is the one such value that has a form.
    checked = run(TILL, "completion", "check", input="\n".join(commands).replace(" AMOUNT", " 0.99"))
    mistakes = [line.split(": ", 1) for line in checked.stdout.splitlines()]
    wrong = [f"{shown[commands[int(line) - 1]]}: {commands[int(line) - 1]}: {what}" for line, what in mistakes]

    described = requests.get(f"{shop.address}/openapi.json", timeout=PATIENCE).json()["paths"]
    for command in [one for one in shown if one not in commands]:
        method, path = request(command)
        found = route(path, described)
        if method not in described.get(found, {}):
            wrong.append(f"{shown[command]}: nothing answers {method} {path}")
    assert not wrong, "\n".join(wrong)


def test_no_page_has_a_barrier_an_error_or_too_much_for_a_telephone(shop, browser, pages):
    browser.expect(barriers=True, leaving=True).open(shop.till("console").stdout.strip())
    wrong = []
    # A third of the pages in each run; all of them under soak.
    drawn = generator("barriers").sample(sorted(pages.addresses), len(pages.addresses) // (1 if SOAK else 3))
    for name, address in pages.addresses.items():
        browser.open(address)
        if name in drawn:
            wrong += browser.barriers()
        if name in DARK and name in drawn:
            wrong += browser.look(dark=True).barriers("color-contrast")
        wrong += [f"{address}: {one} has its words below it" for one in browser.stretched()]
        if (pixels := browser.look(metrics=TELEPHONE).overflow()) > 0:
            wrong.append(f"{address}: {pixels} pixels wider than a telephone")
        browser.look()
    wrong += browser.errors()
    assert not wrong, "\n".join(wrong)
