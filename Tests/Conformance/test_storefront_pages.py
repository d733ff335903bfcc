"""The pages of the storefront in a browser: from a search to what is owned, and the same without a script."""

import re

import pytest
import requests

from conftest import tool_path
from support.browser import TELEPHONE, Browser
from support.shop import Shop
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("R7.1", "R7.3", "R7.7", "X6", "X9")

TILL = tool_path().with_name("till")
ALBUM, SONG = "Low Tide", "Ebb"
LANGUAGES = {"de": "Apps, Musik", "fr": "Apps, musique", "ja": "アプリ", "tr": "Uygulamalar", "zh-Hans": "音乐"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def browser():
    browser = Browser()
    yield browser
    browser.run_scripts(True)
    browser.close()


def sign_in(browser, shop, email: str | None = None) -> str:
    email = email or shop.add_tester()["email"]
    browser.press("Sign in").fill(email=email, password=Shop.PASSWORD).press("Sign in")
    browser.wait_for("Sign out")
    return email


def buy(browser, label: str, amount: str):
    """From the button of an item over the payment sheet, back to the item."""
    page = browser.address
    browser.press(label).wait_for(amount, "Sandbox: nothing is charged").press(f"Buy for {amount}")
    wait_until(lambda: "pay/" in browser.address and browser.all(".outcome.good"))
    browser.open(page).wait_for("In library")


def test_another_page_has_answers_of_the_search_by_its_own_function(shop, browser, tmp_path):
    page = tmp_path / "partner.html"
    page.write_text(
        "<script>function found(answer) { document.title = `${answer.resultCount} found` }</script>"
        f"<script src='{shop.address}/search?term=low+tide&amp;callback=found'></script>")
    browser.open(page.as_uri())
    wait_until(lambda: re.fullmatch("[1-9][0-9]* found", browser.driver.title))


def test_a_search_leads_to_a_sample_a_purchase_and_a_review(shop, browser):
    # The second time the browser has the page already, and is told so.
    browser.open(f"{shop.address}/us").open(f"{shop.address}/us").wait_for("Music", "All apps").fill(term="low ti")
    wait_until(lambda: any(ALBUM in one.text for one in browser.all(".suggest a")))
    browser.all("form.search")[0].submit()
    browser.wait_for("Results for “low ti”").press(ALBUM).wait_for(SONG, "$0.99")
    album = browser.address
    assert re.search(r"/us/album/low-tide/id\d+$", album)

    # One sample at a time, which the same button ends.
    play = browser.all("a.play")[0]
    assert SONG in play.get_attribute("aria-label")
    play.click()
    wait_until(lambda: browser.all("tr.playing progress") and "sample, 0:0" in browser.all("tr.playing small")[-1].text)
    browser.all("a.play")[-1].click()
    wait_until(lambda: len(browser.all("tr.playing")) == 1 and play.get_attribute("aria-label").startswith("Play"))
    browser.all("tr.playing a.play")[0].click()
    assert not browser.all("tr.playing")

    email = sign_in(browser, shop)
    assert browser.address == album
    buy(browser, "Buy album for $1.99", "$1.99")
    assert not [one for one in browser.all("button") if "$" in one.text]
    browser.press("Write a review").wait_for("Your review of Low Tide")
    browser.all("input[name=stars][value='4']")[0].click()
    browser.fill(title="Salt & <b>water</b>", body="Quiet.\nThen not.", nickname="kittiwake").press("Publish the review")
    browser.wait_for("Salt & <b>water</b>", "kittiwake", "4.0", "1 rating")
    assert browser.address.startswith(album) and any(one.text == "Change your review" for one in browser.all(".score a"))

    browser.press("Library").wait_for(ALBUM, "Bought on", "3 songs").press("3 songs")
    link = next(one for one in browser.all(".parts a") if one.text == SONG).get_attribute("href")
    cookies = {one["name"]: one["value"] for one in browser.driver.get_cookies()}
    part = requests.get(link, cookies=cookies, headers={"Range": "bytes=0-9"}, timeout=PATIENCE)
    assert part.status_code == 206 and len(part.content) == 10
    assert requests.get(link, allow_redirects=False, timeout=PATIENCE).status_code == 303
    browser.press("Sign out").wait_for("Sign in")
    assert browser.errors() == []
    another = Browser()
    try:
        sign_in(another.open(f"{shop.address}/us"), shop, email)
        another.press("Library").wait_for(ALBUM, "Bought on")
    finally:
        another.close()


def test_without_a_script_everything_but_players_works(shop, browser):
    browser.run_scripts(False)
    browser.open(f"{shop.address}/us/search?term=dot").wait_for("Dot and the Kangaroo", "Buy for $0.99")
    assert browser.all(".suggest a")
    browser.press("Dot and the Kangaroo").wait_for("Read the sample")
    sign_in(browser, shop)
    buy(browser, "Buy for $0.99", "$0.99")
    browser.open(f"{shop.address}/us/search?term=ebb").press(SONG).wait_for(ALBUM)
    sample = browser.all("a.play")[0].get_attribute("href")
    assert requests.get(sample, timeout=PATIENCE).headers["Content-Type"].startswith("audio/")
    browser.press("Country or region:\nUnited States").press("Deutschland\nEUR").wait_for("€")
    assert "/de/album/" in browser.address
    browser.choose("l", "ja")
    browser.all(".foot form")[0].submit()
    browser.wait_for("アルバムを")
    assert browser.all("html")[0].get_attribute("lang") == "ja" and "/de/album/" in browser.address
    browser.driver.delete_all_cookies()
    browser.run_scripts(True)


@pytest.mark.parametrize(("language", "words"), LANGUAGES.items())
def test_home_is_in_the_language_of_the_browser_and_fits_a_telephone(shop, browser, language, words):
    page = requests.get(f"{shop.address}/us", headers={"Accept-Language": language}, timeout=PATIENCE)
    assert words in page.text and "shop." not in re.sub(r"<[^>]*>", "", page.text)
    browser.open(f"{shop.address}/us?l={language}").look(metrics=TELEPHONE)
    assert browser.overflow() <= 0, f"{language}: {browser.overflow()} pixels wider than a telephone"
    widths = [row.size["width"] for row in browser.all(".deck > li")]
    assert len(widths) > 3 and min(widths) > TELEPHONE["width"] / 2, f"{language}: apps as wide as {widths}"
    browser.look()
    browser.driver.delete_all_cookies()
