"""From an empty folder to a product that somebody buys: by a new owner and an invited reviewer, with the console alone."""

import os

import pytest
import requests

from conftest import tool_path
from support.browser import Browser
from support.device import Device
from support.hands import Pointer, Thumb, Typist
from support.till import Till, run
from support.waiting import PATIENCE

pytestmark = pytest.mark.rows("R1.2", "R1.3", "R1.8", "R1.12")

TILL = tool_path().with_name("till")
APP = "com.example.lumen"
PRODUCT = f"{APP}.lights10"
PASSWORD = "correct horse battery"
# The one in each run whose things lie closest together; all of them where there is time.
HANDS = [Pointer, Thumb, Typist] if os.environ.get("TILL_SOAK") else [Thumb]


@pytest.fixture(scope="module")
def browsers():
    """That of the owner, and that of the reviewer, who has another machine."""
    both = Browser(), Browser()
    yield both
    for browser in both:
        browser.close()


def invite(owner, console: str) -> str:
    """Lets the owner invite a reviewer; gives the link that is shown once."""
    owner.open(console + "/people").unfold("Invite somebody")
    owner.fill(email="rita@example.com", name="Rita", role="reviewer").press("Make the link")
    links = [line for line in owner.browser.text.split() if "/console/invitation/" in line]
    assert links, owner.browser.text
    return links[0]


def enter(owner, console: str):
    """Enters the app with its first product, and a version of it."""
    owner.fill(
        name="Lumen", bundleId=APP, title="10 Lights", description="Ten lights for your rooms.", productId=PRODUCT,
        price="1.99", category="content", delivers="Ten lights, at once.",
    ).press("Make both, and see the sheet")
    owner.wait_for("10 Lights", "$1.99")
    owner.open(f"{console}/apps/{APP}/settings").fill(version="1.0").press("Enter it").wait_for("1.0")


def submit(owner, console: str):
    """Submits the product and the version that it comes with; nothing is missing any more."""
    edit = f"{console}/apps/{APP}/products/{PRODUCT}/edit"
    owner.open(edit).wait_for("Nothing is missing.").fill(version="1.0").press("Keep it, and submit it")
    owner.wait_for("It waits for a reviewer.")
    owner.open(f"{console}/apps/{APP}/settings").wait_for("waiting for review")


def approve(reviewer, console: str):
    """Decides about everything that waits in the queue."""
    reviewer.open(console + "/review").wait_for("10 Lights", "Lumen 1.0").press("10 Lights")
    # The next one that waits follows by itself.
    reviewer.press("Approve it").wait_for("Lumen 1.0").press("Approve it").wait_for("Nothing waits for a reviewer.")


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.__name__.lower())
def test_a_new_owner_comes_to_a_first_sale_with_the_console_alone(hand, browsers, tmp_path):
    till = Till(TILL, tmp_path / "store", "--production-processor", "test", "--log-level", "error")
    try:
        address = till.ready["production"]
        console = f"{address}/console/production"
        owner, reviewer = (hand(browser) for browser in browsers)
        owner.open(run(TILL, "console", "--data", till.data).stdout.strip())
        enter(owner, console)
        link = invite(owner, console)
        reviewer.open(link).fill(password=PASSWORD, repeated=PASSWORD).press("Join")
        submit(owner, console)
        approve(reviewer, console)
        profile = requests.get(f"{console}/apps/{APP}/profile", cookies=cookies(owner.browser), timeout=PATIENCE)
        buyer = Device(address, profile.text.strip(), APP, "production")
        buyer.register()
        opened = buyer.open(PRODUCT)
        sheet = owner.open(address + opened["confirmation"]["page"]).wait_for("10 Lights", "$1.99")
        sheet.press("No account yet? Make one").fill(email="ada@example.com", password=PASSWORD)
        sheet.press("Make the account").fill(method="test_approved").press("Buy for $1.99").wait_for("Thank you")
        owner.open(console + "/transactions").wait_for("10 Lights", "paid", "$1.99")
        for browser in browsers:
            # A page that stays open goes on asking a store that has stopped.
            browser.open("about:blank")
            assert browser.errors() == []
    finally:
        assert till.stop() == 0


def cookies(browser: Browser) -> dict[str, str]:
    return {one["name"]: one["value"] for one in browser.driver.get_cookies()}
