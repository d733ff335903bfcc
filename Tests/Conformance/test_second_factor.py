"""The second factor of the console, judged by other programs: zbarimg reads the picture, pyotp makes the codes."""

import re
import subprocess
import time

import pyotp
import pytest
import requests

from conftest import tool_path
from support.browser import Browser
from support.shop import Shop
from support.waiting import PATIENCE

pytestmark = pytest.mark.rows("X14")

TILL = tool_path().with_name("till")
PASSWORD = "a long enough one"
EMAIL = "ada+x@example.com"


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


class Person:
    """Somebody with a browser that runs no script."""

    def __init__(self, shop: Shop):
        self.store = f"http://127.0.0.1:{shop.production}"
        self.account = f"{self.store}/console/sandbox/account"
        self.session = requests.Session()

    def send(self, address: str, **form):
        return self.session.post(address, form, allow_redirects=False, timeout=PATIENCE)

    def page(self, address: str) -> str:
        answer = self.session.get(address, timeout=PATIENCE)
        assert answer.ok, answer.text
        return answer.text

    def proof(self) -> str:
        return re.search(r'name="proof" value="([^"]+)"', self.page(self.account))[1]

    def set_up(self) -> str:
        """Draws the secret of an app, and gives the page that shows it."""
        factor = f"{self.account}/second-factor"
        assert self.send(factor, proof=self.proof()).status_code == 303
        return self.page(factor)


def joined(shop: Shop, email: str) -> Person:
    person = Person(shop)
    link = shop.till("people", "invite", email, "--name", "Ada", "--role", "operator").stdout.strip()
    assert person.send(link, password=PASSWORD, repeated=PASSWORD).status_code == 303
    return person


def later(app: pyotp.TOTP, former: str) -> str:
    """A code that was not used: of the next step if need be, which is taken beforehand."""
    now = app.now()
    return now if now != former else app.at(time.time() + app.interval)


def test_any_app_reads_the_picture_and_makes_the_codes(shop, tmp_path):
    ada = joined(shop, EMAIL)
    page = ada.set_up()
    browser = Browser()
    try:
        browser.open(shop.till("console").stdout.strip())
        # The picture alone, as a telephone sees it.
        picture = re.search(r'<svg class="qr".*?</svg>', page, re.DOTALL)[0]
        drawn = picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" ')
        drawn = drawn.replace('class="light"', 'fill="#fff"').replace("></rect>", "/>")
        file = tmp_path / "code.svg"
        file.write_text(drawn)
        browser.driver.get(file.as_uri())
        browser.driver.save_screenshot(str(tmp_path / "code.png"))
    finally:
        browser.close()
    read = subprocess.run(
        ["zbarimg", "--quiet", "--raw", tmp_path / "code.png"], capture_output=True, text=True, check=True
    ).stdout.strip()
    app = pyotp.parse_uri(read)
    assert (app.issuer, app.name, app.digits, app.interval) == ("Till", EMAIL, 6, 30)
    assert app.secret in page, "the text says the same"

    typed = app.now()
    confirmed = ada.send(f"{ada.account}/second-factor/confirmation", proof=ada.proof(), code=typed)
    recovery = re.findall(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b", confirmed.text)
    assert len(set(recovery)) == 10, confirmed.text

    again = Person(shop)
    asked = again.send(f"{again.store}/console/sign-in", email=EMAIL, password=PASSWORD)
    assert asked.headers["Location"] == "/console/code"
    assert again.send(f"{again.store}/console/code", code=typed).status_code == 403, "it counted already"
    assert again.send(f"{again.store}/console/code", code=later(app, typed)).status_code == 303
    assert EMAIL in again.page(again.account)

    lost = Person(shop)
    lost.send(f"{lost.store}/console/sign-in", email=EMAIL, password=PASSWORD)
    assert lost.send(f"{lost.store}/console/code", code=recovery[0]).status_code == 303

    shop.till("second-factor", "reset", EMAIL)
    assert again.session.get(again.account, allow_redirects=False, timeout=PATIENCE).status_code == 303
    without = Person(shop)
    entered = without.send(f"{without.store}/console/sign-in", email=EMAIL, password=PASSWORD)
    assert entered.headers["Location"] == "/console"


def test_a_role_that_needs_one_comes_no_further(shop):
    shop.till("second-factor", "require", "operator")
    try:
        eve = joined(shop, "eve@example.com")
        apps = eve.session.get(f"{eve.store}/console/sandbox/apps", allow_redirects=False, timeout=PATIENCE)
        assert apps.headers["Location"].endswith("/account/second-factor")
    finally:
        shop.till("second-factor", "require")
    assert "No role needs one." in shop.till("second-factor", "show").stdout
