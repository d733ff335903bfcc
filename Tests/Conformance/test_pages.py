"""The pages in a browser: a purchase on its sheet with every outcome, and the console from the first minute on."""

import base64
import hashlib
import re
import uuid
from pathlib import Path

import pytest
import requests

from conftest import tool_path
from support.browser import TELEPHONE, Browser
from support.device import Device
from support.monkey_credits import Player
from support.hosting import package
from support.shop import Shop
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("R2.3", "R8.1", "R8.3", "X6", "X9", "X13", "X15")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("MonkeyCredits")
CHAPTER = "/apps/com.example.bookchapters/products/com.example.bookchapters.chapter1"
PICTURES = Path(__file__).resolve().parents[2] / "Sources/Store/StoreCatalogue/Demo/DemoImages"
LANGUAGES = {
    "en-US": "Sign in", "de-DE": "Anmelden", "fr-FR": "Se connecter", "ja-JP": "サインイン", "tr-TR": "Giriş yap",
    "zh-Hans": "登录",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--production-processor", "test", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def browser():
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def console(shop, browser):
    browser.open(shop.till("console").stdout.strip())
    return f"http://127.0.0.1:{shop.production}/console/sandbox"


class Question:
    """A purchase that an app has asked for, with the address of its sheet."""

    def __init__(self, device, product: str, quantity: int = 1):
        self.device, self.key = device, str(uuid.uuid4())
        body = {"productId": f"{Shop.BUNDLE}.{product}", "quantity": quantity}
        answer = device.call("POST", "/purchases", body, key=self.key)
        assert answer.ok, answer.text
        self.page = device.address + answer.json()["confirmation"]["page"]

    def state(self) -> str:
        return self.device.call("GET", f"/purchases/{self.key}").json()["state"]

    def ends(self, state: str):
        wait_until(lambda: self.state() == state)


def test_an_app_sells_and_the_console_gives_the_money_back(shop, browser, console, tmp_path):
    tester = shop.add_tester()
    profile = tmp_path / "MonkeyCredits.tillprofile"
    profile.write_text(shop.profile)
    # What opens a page on a desktop: here it says which one.
    opener, opened = tmp_path / "xdg-open", tmp_path / "opened"
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" > "{opened}.new" && mv "{opened}.new" "{opened}"\n')
    opener.chmod(0o755)
    player = Player(SAMPLE, tmp_path / "device", profile)
    player.environment |= {"STOREKIT_PROMPT": "browser", "PATH": f"{tmp_path}:{player.environment['PATH']}"}

    browser.open(console + "/transactions").wait_for("Transactions")
    console_window = browser.driver.current_window_handle
    app = player.start()
    app.wait_for("Type a number to buy")
    app.type("3")
    wait_until(opened.exists)
    browser.driver.switch_to.new_window("tab")
    browser.open(opened.read_text()).wait_for("Jungle", "$2.99", "Sold by My team")
    browser.fill(email=tester["email"], password="wrong horse").press("Sign in")
    browser.wait_for("wrong")
    assert browser.all("#email")[0].get_attribute("value") == tester["email"]
    browser.fill(password=Shop.PASSWORD).press("Sign in")
    browser.press("Buy for $2.99").wait_for("Thank you. Jungle is on its way to MonkeyCredits.")
    app.wait_for("Jungle: purchased. You have 0 monkey credits, jungle.")

    # The console has followed without a reload.
    browser.driver.close()
    browser.driver.switch_to.window(console_window)
    browser.wait_for("Jungle", tester["email"], "paid", "delivered")
    browser.press("Jungle").wait_for("The money was taken", "signature good", "Finished")
    browser.press("Refund…").wait_for("leaves the proceeds")
    browser.press("Refund $2.99, take it back").wait_for("The money was given back, and the app is told.", "refunded")
    app.wait_for("Jungle: was taken back. You have 0 monkey credits.")
    assert app.end()[1] == 0
    assert browser.errors() == []

    # What was done, found by whatever somebody has of it.
    transaction = re.search(r"transactions/(\d+)", browser.address)[1]
    for name in (transaction, tester["email"], f"{Shop.BUNDLE}.jungle", Shop.BUNDLE):
        browser.open(console).fill(q=name)
        browser.all("[data-search]")[0].submit()
        wait_until(lambda: "/search" not in browser.address)
    browser.open(console + "/apps/" + Shop.BUNDLE)
    done = [item.text for item in browser.all(".steps .done")]
    assert any("First transaction finished by the app" in item for item in done), browser.text
    assert any("It was told of a refund" in item for item in done), browser.text


def test_every_end_of_a_sheet_is_what_the_app_hears(shop, browser):
    tester = shop.add_tester()
    device = shop.device()

    left = Question(device, "credits5", 3)
    browser.open(left.page).wait_for("3 × $0.99", "$2.97", "Sandbox: nothing is charged")
    browser.press("Cancel").wait_for("Nothing was bought, and nothing was charged.")
    assert left.state() == "cancelled"
    browser.driver.refresh()
    assert left.state() == "cancelled"

    closed = Question(device, "credits5")
    browser.open(closed.page).wait_for("5 Credits")
    browser.open("about:blank")
    closed.ends("cancelled")

    # Once signed in, what is asked is only whether.
    device.sign_in(tester["email"], Shop.PASSWORD)
    declined = Question(device, "credits10")
    browser.open(declined.page).wait_for(tester["email"]).choose("method", "test_declined")
    browser.press("Buy for $1.99").wait_for("The card was declined. Nothing was charged.")
    # The sheet stays, and the app hears nothing of it; another card pays.
    assert declined.state() == "processing"
    browser.choose("method", "test_approved").press("Buy for $1.99").wait_for("Thank you")
    declined.ends("purchased")

    given_up = Question(device, "credits10")
    browser.open(given_up.page).choose("method", "test_declined")
    browser.press("Buy for $1.99").wait_for("The card was declined.").press("Cancel").wait_for("Nothing was bought")
    given_up.ends("cancelled")

    acting = Question(device, "credits10")
    browser.open(acting.page).choose("method", "test_action_needed")
    browser.press("Buy for $1.99").wait_for("Your bank wants a confirmation from you.")
    browser.press("Cancel").wait_for("Nothing was bought")
    acting.ends("cancelled")
    for answer, sentence in [("Refuse at the bank", "The card was declined."), ("Confirm at the bank", "Thank you")]:
        asked = Question(device, "credits10")
        # A card is remembered only if that is asked for.
        browser.open(asked.page).choose("method", "test_action_needed")
        browser.press("Buy for $1.99").wait_for("Your bank wants a confirmation from you.")
        browser.press(answer).wait_for(sentence)
    asked.ends("purchased")

    bought = Question(device, "jungle")
    browser.open(bought.page).choose("method", "test_approved").press("Buy for $2.99").wait_for("Thank you")
    # What was bought and not finished comes again by itself; what was finished is asked for again.
    for one in device.call("GET", "/transactions").json()["unfinished"]:
        device.call("POST", f"/transactions/{one}/finish")
    again = Question(device, "jungle")
    browser.open(again.page).wait_for("You already own this; get it again for free.")
    browser.press("Get it").wait_for("Thank you")
    club = Question(device, "club")
    browser.open(club.page).wait_for("Renews every month for $1.49 until you cancel.").press("Cancel")

    forgotten = Question(shop.device(), "credits5")
    browser.open(forgotten.page).fill(email=tester["email"]).press("Forgot your password?")
    browser.wait_for("Whoever looks after this store can give you a link")
    forgotten.ends("failed")
    token = shop.ask("POST", f"/customers/{tester['email']}/recovery")["token"]
    browser.open(f"{shop.address}/recovery/{token}").fill(password="another horse").press("Set it")
    browser.wait_for("The password was changed.")
    browser.open(f"{shop.address}/recovery/{token}").wait_for("used already")

    banned = Question(device := shop.device(), "credits5")
    other = shop.add_tester()
    shop.ask("PATCH", f"/customers/{other['email']}", {"purchasesAllowed": False})
    browser.open(banned.page).fill(email=other["email"], password=Shop.PASSWORD).press("Sign in")
    browser.wait_for("In-app purchases are not allowed")

    token = bought.page.rsplit("/", 1)[1]
    for nothing in ("1-AAAA", token[:-1] + ("y" if token.endswith("x") else "x")):
        browser.open(f"{shop.address}/pay/{nothing}").wait_for("nothing to pay here")


def test_production_lets_a_customer_make_an_account_and_pay(shop, browser):
    profile = shop.till("provision", Shop.BUNDLE, "--production").stdout.strip()
    address = f"http://127.0.0.1:{shop.production}"
    device = Device(address, profile, Shop.BUNDLE, environment="production")
    device.register()
    question = Question(device, "credits5")
    email = f"{uuid.uuid4()}@example.com"
    browser.open(question.page).wait_for("Test cards: nothing is charged").press("No account yet? Make one")
    browser.fill(email=email, password="short", firstName="Ada").press("Make the account").wait_for("at least 8")
    assert browser.all("#firstName")[0].get_attribute("value") == "Ada"
    browser.fill(password=Shop.PASSWORD).press("Make the account").wait_for(email, "Buy for $0.99")
    browser.choose("method", "test_approved").press("Buy for $0.99").wait_for("Thank you")
    question.ends("purchased")
    # The code of another screen leads to its sheet.
    second = Question(device, "credits10")
    code = device.call("GET", f"/purchases/{second.key}").json()["confirmation"]["code"]
    browser.open(address + "/code").fill(code=code.lower()).press("Go on").wait_for("10 Credits", "Buy for $1.99")
    browser.fill(password="wrong horse").press("Buy for $1.99").wait_for("wrong")
    browser.fill(password=Shop.PASSWORD).press("Buy for $1.99").wait_for("Thank you")
    second.ends("purchased")


def test_everything_works_without_a_script(shop, browser):
    browser.run_scripts(False)
    try:
        tester = shop.add_tester()
        question = Question(shop.device(), "credits5")
        browser.open(question.page).fill(email=tester["email"], password=Shop.PASSWORD).press("Sign in")
        browser.press("Buy for $0.99").wait_for("Thank you")
        question.ends("purchased")
        browser.open(shop.till("console").stdout.strip()).wait_for("As it happens", tester["email"])
        browser.press("Transactions").wait_for("5 Credits").press("5 Credits").wait_for("The money was taken")
        browser.press("As command · As request").wait_for("till transactions show")
        assert browser.all(".copy:not([hidden])") and not browser.all(".scripted")
    finally:
        browser.run_scripts(True)


def test_a_picture_is_sent_with_a_script_and_without_and_waits_for_its_approval(shop, browser, console):
    page = f"/apps/{Shop.BUNDLE}/products/{Shop.BUNDLE}.season"
    production = f"http://127.0.0.1:{shop.production}/console/production{page}/image"
    session = requests.Session()
    session.get(shop.till("console").stdout.strip(), timeout=PATIENCE)
    approved = session.get(production, timeout=PATIENCE).content
    try:
        for has_script, file in ((True, "letter"), (False, "yearly")):
            browser.run_scripts(has_script).open(console + page)
            picture = PICTURES / f"com.example.magazines.{file}.png"
            browser.all("#file")[0].send_keys(str(picture))
            browser.press("Send it").wait_for("It was changed.", "in review")
            assert browser.address.endswith("?done=changed"), browser.address
            assert session.get(console + page + "/image", timeout=PATIENCE).content == picture.read_bytes()
            assert session.get(production, timeout=PATIENCE).content == approved
            browser.all("#file")[0].send_keys(str(Path(__file__)))
            browser.press("Send it").wait_for("it is a PNG or a JPEG")
        assert browser.errors() == []
    finally:
        browser.run_scripts(True)


def test_sheets_speak_six_languages_and_fit_a_telephone(shop, browser):
    browser.look(metrics=TELEPHONE)
    for language, words in LANGUAGES.items():
        device = shop.device(language=language)
        browser.open(Question(device, "club").page).wait_for(words)
        assert browser.overflow() <= 0, language
        assert browser.errors() == []
        for element in browser.all("button, .terms, h1"):
            assert element.size["width"] <= 360, (language, element.text)
    browser.look()


@pytest.mark.rows("R6.1", "R6.2", "R6.3", "R6.4")
def test_content_is_uploaded_and_reviewed_in_the_browser(shop, browser, console, tmp_path):
    chapter = CHAPTER.rsplit("/", 1)[-1]
    for name, version, files in [("bad", "1.1", {"run": b"#!/bin/sh\n"}), ("good", "1.1", {"map.txt": b"Here.\n"})]:
        (tmp_path / f"{name}.pkg").write_bytes(package(chapter, version, files))
    browser.open(console + f"{CHAPTER}/content").wait_for("in sandbox 1.0, in production 1.0")
    browser.all("#file")[0].send_keys(str(tmp_path / "bad.pkg"))
    browser.press("Upload it").wait_for("The package has arrived", "upload 2")
    wait_until(lambda: "failed" in browser.open(console + f"{CHAPTER}/content/2").text)
    browser.wait_for("What is wrong with it", "Contents/run", "executable_code")
    browser.open(console + f"{CHAPTER}/content")
    browser.all("#file")[0].send_keys(str(tmp_path / "good.pkg"))
    browser.press("Upload it").wait_for("The package has arrived")
    wait_until(lambda: "ready to submit" in browser.open(console + f"{CHAPTER}/content/3").text)
    browser.wait_for("Contents/map.txt")
    browser.open(console + CHAPTER).fill(delivers="A chapter with a map.").press("Submit it for review")
    browser.wait_for("It waits for a reviewer.", "content 1.1")
    # Those decide who review for the store, which is for production.
    browser.open(console.replace("/sandbox", "/production") + "/review").press("Chapter 1").wait_for("version 1.1")
    browser.all("input[name=reason]")[0].click()
    browser.fill(message="Where is the map?").all("button[value=reject]")[0].click()
    browser.wait_for("The decision was noted.")
    browser.open(console + f"{CHAPTER}/content/3").wait_for("rejected")
    browser.press("Withdraw…").press("Withdraw it").wait_for("in sandbox 1.0, in production 1.0", "withdrawn")
    assert browser.errors() == []


def test_only_the_link_opens_the_console(shop):
    address = f"http://127.0.0.1:{shop.production}"
    link = shop.till("console").stdout.strip()
    assert link.startswith(address + "/console/enter/")
    session = requests.Session()
    assert session.get(link, timeout=PATIENCE).url == address + "/console/sandbox"
    for path in ("/console", "/console/sandbox", "/console/production/tokens", "/console/sandbox/transactions"):
        assert requests.get(address + path, timeout=PATIENCE).url == address + "/console/sign-in", path
    assert requests.get(link, timeout=PATIENCE).status_code == 403
    # A cookie is of a host, whatever the port: the other listener has no console for it.
    assert session.get(shop.address + "/console/sandbox", timeout=PATIENCE).status_code == 404
    # A page elsewhere that leads its own name here gets nothing.
    foreign = session.get(address + "/console/sandbox", headers={"Host": "evil.example"}, timeout=PATIENCE)
    assert foreign.status_code == 421

    # A token of the sandbox opens the sandbox.
    token = shop.token
    limited = requests.Session()
    entered = limited.post(address + "/console/sign-in", data={"token": token}, timeout=PATIENCE)
    assert entered.url == address + "/console/sandbox"
    assert limited.get(address + "/console/production/transactions", timeout=PATIENCE).status_code == 403
    assert limited.get(address + "/console/production/apps", timeout=PATIENCE).status_code == 200
    # It makes no token of the other environment.
    digest = hashlib.sha256(b"form " + limited.cookies["till_console"].encode()).digest()
    form = {"name": "more", "proof": base64.urlsafe_b64encode(digest).decode().rstrip("=")}
    made = limited.post(address + "/console/production/tokens", data=form, timeout=PATIENCE)
    assert made.status_code == 403 and "what production sells" in made.text
    assert limited.get(address + "/console/production/tokens", timeout=PATIENCE).status_code == 403
    # And none of its own: whoever revokes a token that was stolen has ended it.
    form["name"] = "own"
    own = limited.post(address + "/console/sandbox/tokens", data=form, timeout=PATIENCE)
    assert own.status_code == 403 and "link of till console" in own.text


def test_the_console_stands_on_postgresql_too(cluster, tmp_path):
    shop = Shop(TILL, tmp_path / "store", "--database", cluster.create("console"), "--log-level", "error")
    try:
        tester = shop.add_tester()
        device = shop.device()
        device.call("POST", "/products", {"productIds": [f"{Shop.BUNDLE}.jungle"]})
        body = {"customer": tester["email"], "bundleId": Shop.BUNDLE, "productId": f"{Shop.BUNDLE}.jungle"}
        sold = shop.ask("POST", "/purchases", body)["transactionId"]
        Question(device, "credits5")
        session = requests.Session()
        link = shop.till("console").stdout.strip()
        console = session.get(link, timeout=PATIENCE).url
        pages = [
            "", "/transactions", f"/transactions/{sold}", "/purchases", f"/customers?q={tester['email'][:8]}",
            f"/customers/{tester['email']}", f"/apps/{Shop.BUNDLE}", f"/apps/{Shop.BUNDLE}/products/{Shop.BUNDLE}.jungle",
            "/devices", "/requests", "/tokens", "/pulse", f"/search?q={Shop.BUNDLE}.jungle",
        ]
        pages += [
            "/customers?sort=email&order=desc&after=1", "/customers?sort=made&order=asc", "/purchases?sort=when&order=asc",
            "/devices?sort=device&order=asc&after=1", f"/devices?sort=seen&order=asc&after=1&q={Shop.BUNDLE}",
            "/transactions?standing=unfinished&sort=when&order=asc&after=1",
        ]
        pages += [f"/transactions?standing={standing}" for standing in ("open", "bought", "unfinished", "revoked", "failed")]
        for page in pages:
            answer = session.get(console + page, timeout=PATIENCE)
            assert answer.status_code == 200, (page, answer.text)
        assert "Jungle" in session.get(console + "/transactions?standing=unfinished", timeout=PATIENCE).text
        assert "Jungle" not in session.get(console + "/transactions?standing=failed", timeout=PATIENCE).text
        steps = shop.ask("GET", f"/apps/{Shop.BUNDLE}/steps")["items"]
        assert [step["step"] for step in steps if "date" in step] == ["profile", "products", "valid_products"]
        assert shop.ask("GET", "/overview")["open"] == 1
    finally:
        assert shop.stop() == 0
