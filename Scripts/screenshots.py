"""Takes a picture of every page, light and dark, narrow and wide, into .build/screenshots; with --chosen also those that the
documentation shows, into Documentation/Pictures."""

import shutil
import sys
import tempfile
import uuid
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "Tests/Conformance"))

from support.browser import Browser  # noqa: E402
from support.hosting import Hosting, package  # noqa: E402
from support.shop import Shop  # noqa: E402

OUTPUT = REPOSITORY / ".build/screenshots"
CHOSEN = REPOSITORY / "Documentation/Pictures"
# Which pictures the documentation has: the name of the page, and of the window.
FOR_READERS = [
    ("overview", "light"), ("transaction", "light"), ("refund", "light"), ("app", "light"), ("sheet", "light"),
    ("sheet", "narrow-dark"),
]
WINDOWS = {
    "light": {"width": 1180, "height": 760}, "dark": {"width": 1180, "height": 760, "dark": True},
    "narrow": {"width": 500, "height": 760}, "narrow-dark": {"width": 500, "height": 760, "dark": True},
    "wide": {"width": 1600, "height": 900},
}
NARROW = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}


def question(device, product: str, quantity: int = 1) -> str:
    body = {"productId": f"{Shop.BUNDLE}.{product}", "quantity": quantity}
    answer = device.call("POST", "/purchases", body, key=str(uuid.uuid4())).json()
    return device.address + answer["confirmation"]["page"]


def sold(shop: Shop, email: str, product: str) -> str:
    body = {"customer": email, "bundleId": Shop.BUNDLE, "productId": f"{Shop.BUNDLE}.{product}"}
    return shop.ask("POST", "/purchases", body).get("transactionId", "")


def scene(shop: Shop) -> dict[str, str]:
    """Something of everything, and the pages that show it."""
    ada = shop.add_tester("ada@example.com", firstName="Ada", lastName="Lovelace")
    shop.add_tester("eve@example.com", storefront="JPN", paymentMethod="test_declined")
    device = shop.device()
    device.call("POST", "/products", {"productIds": [f"{Shop.BUNDLE}.credits5", f"{Shop.BUNDLE}.credit10"]})
    for product in ("credits5", "credits10", "club", "credits5"):
        sold(shop, "ada@example.com", product)
    sold(shop, "eve@example.com", "credits10")
    jungle = sold(shop, "ada@example.com", "jungle")
    part = {"amount": "1.00", "reason": 1}
    shop.ask("POST", f"/transactions/{jungle}/refund", part, headers={"Idempotency-Key": str(uuid.uuid4())})
    device.sign_in("ada@example.com", Shop.PASSWORD)
    asked = question(device, "credits5", 4)
    shop.till("products", "price", Shop.BUNDLE, f"{Shop.BUNDLE}.season", "JPN", "none")
    receipt = shop.ask("GET", f"/transactions/{jungle}/receipt")["receipt"]
    shop.device().call("POST", "/purchases", {"productId": "nothing"}, key=str(uuid.uuid4()))
    import requests

    requests.post(f"{shop.address}/verifyReceipt", json={"receipt-data": receipt}, timeout=60)
    requests.post(f"http://127.0.0.1:{shop.production}/verifyReceipt", json={"receipt-data": receipt}, timeout=60)
    console = f"http://127.0.0.1:{shop.production}/console"
    app = f"{console}/sandbox/apps/{Shop.BUNDLE}"
    chapter, books = "com.example.bookchapters.chapter1", "com.example.bookchapters"
    hosting = Hosting(shop, chapter, books)
    hosting.push(package(chapter, "1.1", {"chapter.txt": b"Once more.\n", "maps/island.bin": bytes(2_000_000)}))
    hosting.push(package(chapter, "1.1", {"tool": b"#!/bin/sh\n"}))
    shop.ask("POST", f"{hosting.path}/submission", {"category": "content", "delivers": "A chapter with a map."})
    content = f"{console}/sandbox/apps/{books}/products/{chapter}"
    club = f"{Shop.BUNDLE}.club"
    shop.till("subscriptions", "grace", Shop.BUNDLE, "--days", "16")
    lives = {}
    for who, product in (("leaving", club), ("failing", club), ("loyal", "com.example.magazines.monthly")):
        shop.add_tester(f"{who}@example.com")
        sale = {"customer": f"{who}@example.com", "bundleId": product.rsplit(".", 1)[0], "productId": product}
        lives[who] = shop.ask("POST", "/purchases", sale)["transactionId"]
    for _ in range(5):
        shop.till("subscriptions", "renew", lives["loyal"])
        shop.till("clock", "advance", "4min", "--tester", "loyal@example.com")
    shop.till("subscriptions", "fail", lives["failing"])
    shop.till("subscriptions", "renew", lives["failing"])
    shop.till("clock", "advance", "5s", "--tester", "failing@example.com")
    gift = {
        "kind": "code", "paymentMode": "pay_up_front", "period": "P3M", "price": {"amount": "1.00", "currency": "USD"},
    }
    shop.ask("PUT", f"/apps/{Shop.BUNDLE}/products/{club}/offers/gift", gift)
    shop.till("codes", "create", Shop.BUNDLE, club, "gift", "--custom", "SPRING", "--count", "100")
    redeemed = requests.post(
        f"{shop.address}/redeem", {"code": "SPRING", "email": "eve@example.com", "password": Shop.PASSWORD},
        allow_redirects=False, timeout=60,
    )
    shop.add_tester("child@example.com")
    shop.till("family", "create", "ada@example.com")
    shop.till("family", "add", "ada@example.com", "child@example.com", "--child")
    toy = shop.device()
    toy.sign_in("child@example.com", Shop.PASSWORD)
    toy.confirm(toy.open(f"{Shop.BUNDLE}.jungle"))
    approval = shop.ask("GET", "/approvals")["items"][0]["page"]
    refund = {"transactionId": jungle, "customer": "ada@example.com", "reason": "UNINTENDED_PURCHASE"}
    asked_back = shop.ask("POST", "/refund-requests", refund)["refundRequestId"]
    subscriptions = f"{console}/sandbox/subscriptions"
    stranger, other = shop.device(), shop.device(language="ja-JP")
    other.sign_in("eve@example.com", Shop.PASSWORD)
    return {
        "overview": f"{console}/sandbox", "production": f"{console}/production",
        "transactions": f"{console}/sandbox/transactions", "transaction": f"{console}/sandbox/transactions/{jungle}",
        "refund": f"{console}/sandbox/transactions/{jungle}/refund", "purchases": f"{console}/sandbox/purchases",
        "testers": f"{console}/sandbox/customers", "tester": f"{console}/sandbox/customers/{ada['customerId']}",
        "apps": f"{console}/sandbox/apps", "app": app, "product": f"{app}/products/{Shop.BUNDLE}.jungle",
        "unsold": f"{app}/products/{Shop.BUNDLE}.season", "preview": f"{app}/products/{Shop.BUNDLE}.club/sheet",
        "devices": f"{console}/sandbox/devices", "requests": f"{console}/sandbox/requests",
        "inspect": f"{console}/sandbox/inspect?transaction={jungle}", "tokens": f"{console}/sandbox/tokens",
        "sheet": asked, "sheet-sign-in": question(stranger, "jungle"), "sheet-club": question(other, "club"),
        "hosted": content, "content": f"{content}/content", "content-version": f"{content}/content/2",
        "content-failed": f"{content}/content/3", "review": f"{console}/sandbox/review",
        "subscriptions": subscriptions, "subscription": f"{subscriptions}/{lives['loyal']}",
        "subscription-retry": f"{subscriptions}/{lives['failing']}",
        "subscription-expiry": f"{subscriptions}/{lives['leaving']}/expiry",
        "withdrawal": f"{console}/sandbox/refunds/{asked_back}/withdrawal",
        "redeem": f"{shop.address}/redeem?app={Shop.BUNDLE}", "redeemed": shop.address + redeemed.headers["Location"],
        "approval": shop.address + approval,
        "code": f"{shop.address}/code", "sign-in": f"{console}/sign-in",
    }


def main():
    data = Path(tempfile.mkdtemp(prefix="till-screenshots-"))
    shop = Shop(REPOSITORY / ".build/debug/till", data / "store", "--log-level", "error")
    try:
        pages = scene(shop)
        for window, settings in WINDOWS.items():
            browser = Browser(**settings)
            if window.startswith("narrow"):
                browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", NARROW)
            browser.open(shop.till("console").stdout.strip())
            for name, address in pages.items():
                if name == "sign-in":
                    browser.driver.delete_all_cookies()
                browser.open(address)
                browser.picture(OUTPUT / window / f"{name}.png", whole=not window.startswith("narrow"))
                if not window.startswith("narrow"):
                    browser.driver.set_window_size(settings["width"], settings["height"])
                # A sheet that is left by another page is answered with no.
                browser.driver.execute_script("window.onpagehide = null; navigator.sendBeacon = () => true")
            browser.close()
            print(f"screenshots: {window}: {len(pages)} pages in {OUTPUT / window}")
        if "--chosen" in sys.argv:
            for name, window in FOR_READERS:
                CHOSEN.mkdir(parents=True, exist_ok=True)
                shutil.copy(OUTPUT / window / f"{name}.png", CHOSEN / f"{name}-{window}.png")
    finally:
        shop.stop()
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main()
