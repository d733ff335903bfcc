"""The console by the keyboard alone: what each key does, and that nothing covers what has the focus."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from conftest import tool_path
from support.browser import Browser
from support.shop import Shop
from support.waiting import wait_until

pytestmark = pytest.mark.rows("R1.12")

TILL = tool_path().with_name("till")


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("keys") / "store", "--log-level", "error")
    emails = [shop.add_tester()["email"] for _ in range(3)]
    browser = Browser(height=500)
    browser.open(shop.till("console").stdout.strip())
    address = f"http://127.0.0.1:{shop.production}/console/sandbox"
    browser.open(address)
    yield browser, address, emails
    browser.close()
    assert shop.stop() == 0


def strike(browser, keys: str) -> None:
    """Presses keys one after another, wherever the focus is."""
    ActionChains(browser.driver).send_keys(*keys).perform()


def focus(browser) -> str:
    return browser.driver.execute_script("return document.activeElement.textContent || document.activeElement.name")


def test_g_and_a_letter_lead_to_each_section_of_the_menu(console):
    browser, address, _ = console
    browser.open(address)
    places = [
        (link.get_attribute("data-go"), link.get_attribute("href")) for link in browser.all("nav.side a[data-go]")
    ]
    assert len(places) > 10
    for letter, address in places:
        strike(browser, "g" + letter)
        wait_until(lambda wanted=address: browser.address.split("?")[0] == wanted)
    # Another letter leads nowhere, and is not taken for a key of its own.
    here = browser.address
    strike(browser, "g/")
    assert browser.address == here and focus(browser) != "q"


def test_rows_are_gone_through_opened_and_clicked(console):
    browser, address, _ = console
    browser.open(address + "/customers")
    first, second = [link.text for link in browser.all("tbody tr td:first-child a")][:2]
    strike(browser, "j")
    assert focus(browser) == first
    strike(browser, "jjk")
    assert focus(browser) == second
    strike(browser, Keys.ENTER)
    wait_until(lambda: "/customers/" in browser.address)
    # A row leads where its first link leads.
    browser.open(address + "/customers")
    ActionChains(browser.driver).move_to_element(browser.all("tbody tr td")[-1]).click().perform()
    wait_until(lambda: "/customers/" in browser.address)


def test_the_search_is_at_hand_and_letters_that_are_typed_are_no_keys(console):
    browser, address, emails = console
    browser.open(address + "/customers")
    strike(browser, "/")
    assert focus(browser) == "q"
    strike(browser, "gj?/")
    assert browser.all("[data-search]")[0].get_attribute("value") == "gj?/"
    assert not browser.all("dialog") and "/customers" in browser.address
    browser.open(address)
    strike(browser, "/" + emails[0] + Keys.ENTER)
    wait_until(lambda: "/customers/" in browser.address)


def test_the_list_of_keys_opens_and_is_a_page_without_a_script(console):
    browser, address, _ = console
    browser.open(address + "/apps")
    strike(browser, "?")
    browser.wait_for("this list", "search anything")
    assert browser.all("dialog[open]")
    strike(browser, Keys.ESCAPE)
    wait_until(lambda: not browser.all("dialog"))
    browser.run_scripts(False).open(browser.all("a[data-keys]")[0].get_attribute("href"))
    assert "the next row" in browser.text
    browser.run_scripts(True)


def test_what_sticks_to_the_edges_covers_nothing_that_has_the_focus(console):
    browser, address, _ = console
    product = f"/apps/{Shop.BUNDLE}/products/{Shop.BUNDLE}.jungle"
    for page in ("/tokens", product + "/edit"):
        browser.open(address + page).wait_for("Keys")
        for step in range(60):
            strike(browser, Keys.TAB)
            covered = browser.driver.execute_script(
                """
                const one = document.activeElement, box = one.getBoundingClientRect();
                if (one === document.body || !one.closest("main") || !box.width) return null;
                const top = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 8));
                const sticky = top?.closest("header.top, .bar");
                return sticky && !sticky.contains(one) ? one.outerHTML.slice(0, 200) : null;
                """
            )
            assert not covered, (page, step, covered)
    assert browser.errors() == []
