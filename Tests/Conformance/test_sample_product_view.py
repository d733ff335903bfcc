"""The sample ProductView against a store: search, a page in the app, a link where pages are not shown, and the app's own products."""

import json
import re
import stat

import pytest
import requests

from conftest import tool_path
from support.browser import Browser
from support.monkey_credits import Player
from support.shop import Shop
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("R9.4", "R7.1", "R7.2", "R7.3", "R1.12")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("ProductView")
BUNDLE = "com.example.productview"
WISHES = f"{BUNDLE}.wishlist"


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture
def viewer(shop, tmp_path):
    """An app on a device of its own, whose browser notes the addresses that it is to open."""
    tester = shop.add_tester()
    profile = tmp_path / "ProductView.tillprofile"
    profile.write_text(shop.till("provision", BUNDLE, "--sandbox").stdout)
    player = Player(SAMPLE, tmp_path / "device", profile, (tester["email"], Shop.PASSWORD))
    player.email = tester["email"]
    browser = tmp_path / "bin/xdg-open"
    browser.parent.mkdir()
    browser.write_text(f'#!/bin/sh\necho "$1" >>"{tmp_path}/opened"\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    player.environment["PATH"] = f"{browser.parent}:{player.environment['PATH']}"
    player.opened = tmp_path / "opened"
    return player


def found(shop: Shop, **query) -> list[dict]:
    """What the store's search or lookup says."""
    path = "lookup" if "bundleId" in query or "id" in query else "search"
    answer = requests.get(f"{shop.address}/{path}", params={"country": "us", **query}, timeout=PATIENCE)
    assert answer.ok, answer.text
    return json.loads(answer.text)["results"]


def in_browser(player: Player, count: int = 1) -> str:
    """The address of the page that the app has opened last, once there were so many."""
    wait_until(lambda: player.opened.exists() and player.opened.read_text().count("\n") >= count)
    return player.opened.read_text().splitlines()[-1]


def test_what_is_found_is_shown_in_the_app_until_the_person_is_done(shop, viewer):
    own = found(shop, bundleId=BUNDLE)[0]
    viewer.environment |= {"STOREKIT_PROMPT": "browser"}
    app = viewer.start()
    app.type("search product view")
    app.wait_for(f"{own['trackId']}")
    app.type(f"view {own['trackId']}")
    app.wait_for("The page is shown")
    address = in_browser(viewer)
    assert re.match(rf"{re.escape(shop.address)}/view/\d+-", address), address
    page = requests.get(address, timeout=PATIENCE)
    assert page.ok and f"id{own['trackId']}" in page.url and "view=" in page.url
    assert requests.post(f"{address}/done", timeout=PATIENCE, allow_redirects=False).status_code == 303
    app.wait_for("The page is closed")
    said, status = app.end()
    assert status == 0 and said.count("The page is closed") == 1, said


def test_what_is_chosen_on_the_apps_own_page_is_bought_in_the_app(shop, viewer):
    viewer.environment |= {"STOREKIT_PROMPT": "browser"}
    app = viewer.start()
    app.type("own")
    app.wait_for("The page is shown")
    address = in_browser(viewer)
    chosen = requests.post(
        f"{address}/choice", data={"productId": WISHES}, timeout=PATIENCE, allow_redirects=False
    )
    assert chosen.status_code == 303, chosen.text
    app.wait_for("The page is closed")
    app.wait_for("Wish List: purchasing")
    # The purchase itself is on its own page, as any.
    wait_until(lambda: "/pay/" in in_browser(viewer))
    app.kill()


@pytest.fixture(scope="module")
def browser():
    browser = Browser()
    yield browser
    browser.close()


def sign_in(browser: Browser, viewer: Player):
    browser.fill(email=viewer.email, password=Shop.PASSWORD).press("Sign in")


def test_what_is_bought_of_the_app_in_the_view_the_app_has(shop, viewer, browser):
    viewer.environment |= {"STOREKIT_PROMPT": "browser"}
    app = viewer.start()
    app.type("own")
    app.wait_for("The page is shown")
    browser.open(in_browser(viewer)).wait_for("Product View", "Done", "Wish List")
    assert not browser.all("header.shop form.search"), "the bar of the store is not in an app"
    row = next(one for one in browser.all("#in-app li") if "Wish List" in one.text)
    row.find_element("tag name", "button").click()
    browser.wait_for("Go on in the app")
    app.wait_for("The page is closed")
    wait_until(lambda: "/pay/" in in_browser(viewer))
    browser.open(in_browser(viewer)).wait_for("Wish List")
    sign_in(browser, viewer)
    browser.wait_for("Sandbox: nothing is charged").press("Buy for $0.99")
    app.wait_for(f"{WISHES} is yours")
    said, status = app.end()
    assert status == 0 and said.count("The page is closed") == 1, said
    assert browser.errors() == []


def test_an_item_is_bought_in_the_view_which_ends_then_and_with_its_window(shop, viewer, browser):
    song = found(shop, term="ebb", entity="song")[0]
    viewer.environment |= {"STOREKIT_PROMPT": "browser"}
    app = viewer.start()
    app.type("search ebb")
    app.wait_for(r"\$0\.99")
    app.type(f"view {song['trackId']}")
    app.wait_for("The page is shown")
    # Nobody is signed in on the device, so the browser asks, and comes back to the page in the app.
    browser.open(in_browser(viewer)).wait_for("Ebb", "Done").press("Buy album for $1.99").wait_for("Password")
    sign_in(browser, viewer)
    browser.wait_for("Done").press("Buy album for $1.99").wait_for("Sandbox: nothing is charged")
    browser.press("Buy for $1.99").wait_for("is in your library")
    app.wait_for("The page is closed")
    browser.press("Back to Low Tide").wait_for("Go on in the app")

    app.type(f"view {song['trackId']}")
    app.wait_for("The page is shown", 2)
    browser.open(in_browser(viewer, 2)).wait_for("Low Tide", "Done").open("about:blank")
    app.wait_for("The page is closed", 2)
    said, status = app.end()
    assert status == 0 and said.count("The page is closed") == 2, said


def test_before_pages_were_in_apps_the_link_is_opened_outside(shop, viewer):
    own = found(shop, bundleId=BUNDLE)[0]
    app = viewer.start("--system", "5.1")
    app.type(f"view {own['trackId']}")
    app.wait_for(f"/app/id{own['trackId']}")
    said, status = app.end()
    assert status == 0 and in_browser(viewer) == f"{shop.address}/app/id{own['trackId']}?mt=8", said


def test_what_is_no_item_is_explained_and_links_of_every_form_are_read(shop, viewer):
    said, status = viewer.play(
        "view com.example.monkeycredits",
        "view 1",
        "link http://itunes.apple.com/us/app/ibooks/id364709193?mt=8",
        "link itms-apps://itunes.apple.com/app/id343200656",
        "search",
        "dance",
    )
    assert status == 1
    assert said.count("Cannot connect to iTunes Store") == 2 and "is a bundle id" in said, said
    assert f"  364709193: {shop.address}/app/id364709193?mt=8\n" in said and "  343200656: " in said
    assert "Say what is looked for: search WORDS" in said and 'I do not understand "dance"' in said
