"""Every page of a store by its name, with something of everything to show."""

import json
import re
import uuid
from pathlib import Path

import requests

from support.device import Device
from support.hosting import Hosting, package
from support.money_pages import money_pages
from support.people import decide_for_others, show_people
from support.shop import Shop
from support.till import Till, run
from support.waiting import PATIENCE, wait_until

MAGAZINE = "com.example.magazines.monthly"
BOOKS = "com.example.bookchapters"
CHAPTER = f"{BOOKS}.chapter1"
CLUB = f"{Shop.BUNDLE}.club"
SALE_ACTS = ["refund", "revocation", "redelivery", "finish", "refund-request"]
CLOCK_ACTS = ["freeze", "rate", "set", "advance"]
REFUND_ACTS = ["approval", "refusal", "withdrawal", "reversal", "consumption"]
SUBSCRIPTION_ACTS = [
    "cancellation", "resumption", "extension", "expiry", "renewal", "failure", "resolution", "agreement", "refusal",
]


class Pages:
    """Fills a store that has nothing but the demo, and knows the address of each of its pages."""

    def __init__(self, shop: Shop):
        self.shop = shop
        self.store = f"http://127.0.0.1:{shop.production}"
        self.console = f"{self.store}/console/sandbox"
        self.app = f"{self.console}/apps/{Shop.BUNDLE}"
        self.addresses: dict[str, str] = {}
        # What is got like a page, and answers something else.
        self.others = [f"{self.store}/console", f"{self.console}/pulse", f"{self.app}/pulse"]
        self._sell()
        self._ask_for_refunds()
        self._subscribe()
        self._host_content()
        self._make_codes()
        self._tell_servers()
        self._show_sheets()
        decide_for_others(self)
        show_people(self)
        self._show_the_console()
        self._show_production()
        self._show_the_storefront()

    # What is done through the interfaces.

    def _sold(self, email: str, product: str) -> str:
        body = {"customer": email, "bundleId": product.rsplit(".", 1)[0], "productId": product}
        return self.shop.ask("POST", "/purchases", body).get("transactionId", "")

    def _signed_in(self, email: str, **more) -> Device:
        device = self.shop.device(**more)
        device.sign_in(email, Shop.PASSWORD)
        return device

    def _asked(self, device: Device, product: str, quantity: int = 1) -> dict:
        """A purchase that an app has asked for, with the address of its sheet."""
        asked = device.open(f"{Shop.BUNDLE}.{product}", quantity)
        return {**asked, "address": device.address + asked["confirmation"]["page"]}

    def _sheet(self, name: str, device: Device, product: str, quantity: int = 1) -> dict:
        asked = self._asked(device, product, quantity)
        self.addresses[name] = asked["address"]
        return asked

    # What there is to see.

    def _sell(self):
        shop = self.shop
        self.ada = shop.add_tester("ada@example.com", firstName="Ada", lastName="Lovelace")
        shop.add_tester("eve@example.com", storefront="JPN", paymentMethod="test_declined")
        device = shop.device()
        device.call("POST", "/products", {"productIds": [f"{Shop.BUNDLE}.credits5", f"{Shop.BUNDLE}.credit10"]})
        for product in ("credits5", "credits10", "club", "credits5"):
            self._sold("ada@example.com", f"{Shop.BUNDLE}.{product}")
        self._sold("eve@example.com", f"{Shop.BUNDLE}.credits10")
        self.jungle = self._sold("ada@example.com", f"{Shop.BUNDLE}.jungle")
        part = {"amount": "1.00", "reason": 1}
        key = {"Idempotency-Key": str(uuid.uuid4())}
        shop.ask("POST", f"/transactions/{self.jungle}/refund", part, headers=key)
        shop.ask("DELETE", f"/apps/{Shop.BUNDLE}/products/{Shop.BUNDLE}.season/prices/JPN")
        receipt = shop.ask("GET", f"/transactions/{self.jungle}/receipt")["receipt"]
        shop.device().call("POST", "/purchases", {"productId": "nothing"}, key=str(uuid.uuid4()))
        for address in (shop.address, self.store):
            requests.post(f"{address}/verifyReceipt", json={"receipt-data": receipt}, timeout=PATIENCE)

    def _ask_for_refunds(self):
        asked, decided = (self._sold("ada@example.com", f"{Shop.BUNDLE}.{name}") for name in ("credits5", "credits10"))
        numbers = {}
        for transaction, reason in [(self.jungle, "UNINTENDED_PURCHASE"), (decided, "OTHER"), (asked, "OTHER")]:
            body = {"customer": "ada@example.com", "reason": reason, "note": "My sister did it."}
            made = self.shop.ask("POST", "/refund-requests", {"transactionId": transaction, **body})
            numbers[transaction] = made["refundRequestId"]
        told = {
            "customerConsented": True, "sampleContentProvided": False, "deliveryStatus": "DELIVERED",
            "consumptionPercentage": 50000,
        }
        self.shop.ask("PUT", f"/refund-requests/{numbers[decided]}/consumption", told)
        self.shop.ask("POST", f"/refund-requests/{numbers[decided]}/approval", {"because": "The level did not load"})
        refunds = f"{self.console}/refunds"
        self.addresses |= {
            "refunds": refunds, "refund-request": f"{refunds}/{numbers[self.jungle]}",
            "refund-decided": f"{refunds}/{numbers[decided]}",
        }
        for act in REFUND_ACTS:
            number = numbers[decided if act == "reversal" else self.jungle]
            self.addresses[f"refund-{act}"] = f"{refunds}/{number}/{act}"

    def _subscribe(self):
        shop, lives = self.shop, {}
        shop.ask("PUT", f"/apps/{Shop.BUNDLE}/grace-period", {"days": 16})
        for who, product in [("leaving", CLUB), ("failing", CLUB), ("dear", CLUB), ("loyal", MAGAZINE)]:
            shop.add_tester(f"{who}@example.com")
            lives[who] = self._sold(f"{who}@example.com", product)
        for _ in range(5):
            shop.ask("POST", f"/subscriptions/{lives['loyal']}/renewal")
            shop.ask("POST", "/customers/loyal@example.com/clock/advances", {"by": "4m"})
        shop.ask("POST", "/customers/failing@example.com/payment-methods", {"token": "test_declined"})
        shop.ask("POST", f"/subscriptions/{lives['failing']}/renewal")
        shop.ask("POST", "/customers/failing@example.com/clock/advances", {"by": "5s"})
        club = f"/apps/{Shop.BUNDLE}/products/{CLUB}"
        shop.ask("PUT", f"{club}/prices/USA", {"amount": "4.99"})
        shop.ask("POST", f"{club}/price-increase", {"storefront": "USA", "consent": True})
        page = f"{self.console}/subscriptions"
        self.addresses |= {
            "subscriptions": page, "subscription": f"{page}/{lives['loyal']}",
            "subscription-retry": f"{page}/{lives['failing']}", "subscription-price": f"{page}/{lives['dear']}",
        }
        whose = {"resolution": "failing", "agreement": "dear", "refusal": "dear"}
        for act in SUBSCRIPTION_ACTS:
            self.addresses[f"subscription-{act}"] = f"{page}/{lives[whose.get(act, 'leaving')]}/{act}"

    def _backup(self) -> str:
        """The page of a backup that was looked into."""
        made = self.shop.ask("POST", "/system/backups", {})
        path = f"/system/backups/{made['name']}"
        wait_until(lambda: "job" not in self.shop.ask("GET", "/system/backups"))
        self.shop.ask("POST", f"{path}/verification")
        wait_until(lambda: self.shop.ask("GET", path).get("look"))
        return f"{self.console}{path}"

    def _host_content(self):
        hosting = Hosting(self.shop, CHAPTER, BOOKS)
        hosting.push(package(CHAPTER, "1.1", {"chapter.txt": b"Once more.\n", "maps/island.bin": bytes(2_000_000)}))
        hosting.push(package(CHAPTER, "1.1", {"tool": b"#!/bin/sh\n"}))
        submission = {"category": "content", "delivers": "A chapter with a map."}
        self.shop.ask("POST", f"{hosting.path}/submission", submission)
        page = f"{self.console}/apps/{BOOKS}/products/{CHAPTER}"
        self.addresses |= {
            "content-empty": f"{self.app}/products/{Shop.BUNDLE}.jungle/content",
            "hosted": page, "content": f"{page}/content", "content-version": f"{page}/content/2",
            "content-failed": f"{page}/content/3", "review": f"{self.console}/review",
            "drafts": f"{self.console}/catalogue/drafts",
            "review-case": f"{self.console}/review/{BOOKS}/products/{CHAPTER}",
            "prices": f"{self.app}/products/{CLUB}/prices", "audit": f"{self.console}/audit",
        }

    def _make_codes(self):
        gift = {
            "kind": "code", "paymentMode": "pay_up_front", "period": "P3M",
            "price": {"amount": "1.00", "currency": "USD"},
        }
        self.shop.ask("PUT", f"/apps/{Shop.BUNDLE}/products/{CLUB}/offers/gift", gift)
        codes = f"/apps/{Shop.BUNDLE}/codes"
        made = [
            self.shop.ask("POST", codes, {"productId": CLUB, "offerId": "gift", **wish})["batchId"]
            for wish in ({"custom": "SPRING", "count": 100}, {"count": 20}, {"custom": "WINTER", "count": 1})
        ]
        self.shop.ask("POST", f"{codes}/{made[2]}/deactivation")
        self.shop.till("offer-keys", "generate", Shop.BUNDLE)
        form = {"code": "SPRING", "email": "eve@example.com", "password": Shop.PASSWORD}
        redeemed = requests.post(f"{self.shop.address}/redeem", form, allow_redirects=False, timeout=PATIENCE)
        club = f"{self.app}/products/{CLUB}"
        self.addresses |= {
            "codes": f"{self.app}/codes", "offers": f"{club}/offers", "offer-new": f"{club}/new-offer",
            "offer": f"{club}/offers/gift", "batch": f"{self.app}/codes/{made[1]}",
            "batch-over": f"{self.app}/codes/{made[2]}",
            "redeem": f"{self.shop.address}/redeem?app={Shop.BUNDLE}",
            "redeemed": self.shop.address + redeemed.headers["Location"],
        }

    def _tell_servers(self):
        """A server that takes nothing, and what it was to be told."""
        place = f"/apps/{Shop.BUNDLE}"
        self.shop.ask("PUT", f"{place}/notification-settings", {"url": "http://127.0.0.1:1/"})
        asked = self.shop.ask("POST", f"{place}/notifications/test")
        self.addresses |= {
            "notifications": f"{self.app}/notifications",
            "notification": f"{self.app}/notifications/{asked['notificationUUID']}",
            "notification-settings": f"{self.app}/notification-settings",
        }

    def _show_sheets(self):
        shop, ada = self.shop, self._signed_in("ada@example.com")
        self._sheet("sheet", ada, "credits5", 4)
        shop.add_tester("owner@example.com")
        owner = self._signed_in("owner@example.com")
        owner.finish(self._sold("owner@example.com", f"{Shop.BUNDLE}.jungle"))
        self._sheet("sheet-owned", owner, "jungle")
        self._sheet("sheet-sign-in", shop.device(), "jungle")
        self._sheet("sheet-club", self._signed_in("eve@example.com", language="ja-JP"), "club")
        self.addresses |= {"sheet-over": f"{shop.address}/pay/1-AAAA", "view-over": f"{shop.address}/view/1-AAAA"}
        for name, means in [("declined", "test_declined"), ("bank", "test_action_needed"), ("bought", "test_approved")]:
            shop.add_tester(f"{name}@example.com", paymentMethod=means)
            device = self._signed_in(f"{name}@example.com")
            device.confirm(self._sheet(f"sheet-{name}", device, "credits10"))
        shop.add_tester("halted@example.com")
        shop.ask("PATCH", "/customers/halted@example.com", {"interruptsPurchases": True})
        device = self._signed_in("halted@example.com")
        device.confirm(self._sheet("sheet-interrupted", device, "credits5"))
        left = self._sheet("sheet-cancelled", ada, "credits10")
        shop.ask("POST", f"/purchases/{left['purchaseId']}/cancellation")
        recovery = shop.ask("POST", "/customers/ada@example.com/recovery")["token"]
        self.addresses |= {
            "front": f"{shop.address}/", "front-production": f"{self.store}/", "code": f"{shop.address}/code", "recovery": f"{shop.address}/recovery/{recovery}",
            "recovery-over": f"{shop.address}/recovery/none",
        }

    def _bring_files(self):
        """A file that is looked at before it is applied, and the files that an app gives out."""
        session = requests.Session()
        session.get(self.shop.till("console").stdout.strip(), timeout=PATIENCE)
        form = session.get(f"{self.console}/import", timeout=PATIENCE).text
        proof = re.search(r'name="proof" value="([^"]+)"', form)[1]
        app = {"bundleId": "com.example.brought", "name": "Brought", "products": []}
        brought = json.dumps({"format": "till-catalogue", "version": 1, "apps": [app]})
        sent = session.post(
            f"{self.console}/import", {"proof": proof}, files={"file": ("brought.json", brought)}, timeout=PATIENCE,
            allow_redirects=False,
        )
        assert sent.status_code == 303, sent.text
        self.addresses["import-shown"] = self.store + sent.headers["Location"]
        jungle = f"{self.app}/products/{Shop.BUNDLE}.jungle"
        picture = next(Path(__file__).parents[3].glob("Sources/Store/StoreCatalogue/Demo/DemoImages/*.png"))
        product = f"{Shop.BUNDLE}.jungle"
        self.shop.till("products", "image", Shop.BUNDLE, product, str(picture), "--kind", "review_screenshot")
        exported = [f"{self.app}/export/{form}" for form in ("catalogue", "storekit")]
        self.shop.till("versions", "add", Shop.BUNDLE, "9.0")
        self.shop.till("versions", "submit", Shop.BUNDLE, "9.0")
        self.addresses["review-version"] = f"{self.console}/review/{Shop.BUNDLE}/versions/9.0"
        self.others += [
            f"{self.app}/profile", f"{jungle}/screenshot", f"{jungle}/prices/file.csv", f"{self.console}/audit.csv",
            f"{self.console}/audit.json", *exported,
        ]

    def _show_the_console(self):
        console, sale = self.console, f"{self.console}/transactions/{self.jungle}"
        answered = self.shop.ask("GET", "/requests?limit=1000")["items"]
        refused = self.shop.ask("GET", "/requests?refused=true")["items"][0]["requestId"]
        asked, verified = (
            next(one["requestId"] for one in answered if part in one["path"])
            for part in ("/purchases", "/verifyReceipt")
        )
        device = self.shop.ask("GET", "/devices")["items"][0]["deviceId"]
        partner, key = self._partner()
        theirs = self.shop.address.replace("://", f"://{partner}:{key}@")
        self._bring_files()
        self.others += [f"{theirs}/partners/report.csv", f"{console}/partners/{partner}/lines.csv"]
        self.addresses |= money_pages(console) | {
            "overview": console, "transactions": f"{console}/transactions", "transaction": sale,
            "purchases": f"{console}/purchases", "testers": f"{console}/customers",
            "tester": f"{console}/customers/{self.ada['customerId']}",
            "tester-child": f"{console}/customers/{self.child['customerId']}",
            "tester-recovery": f"{console}/customers/{self.ada['customerId']}/recovery",
            "app-new": f"{console}/new-app", "import": f"{console}/import", "app-import": f"{self.app}/import",
            "app-settings": f"{self.app}/settings", "product-new": f"{self.app}/new-product", "groups": f"{self.app}/groups",
            "product-edit": f"{self.app}/products/{Shop.BUNDLE}.jungle/edit",
            "product-edit-club": f"{self.app}/products/{CLUB}/edit",
            "apps": f"{console}/apps", "app": self.app, "product": f"{self.app}/products/{Shop.BUNDLE}.jungle",
            "product-club": f"{self.app}/products/{CLUB}", "unsold": f"{self.app}/products/{Shop.BUNDLE}.season",
            "preview": f"{self.app}/products/{CLUB}/sheet", "devices": f"{console}/devices",
            "device": f"{console}/devices/{device}", "requests": f"{console}/requests",
            "request": f"{console}/requests/{asked}", "request-receipt": f"{console}/requests/{verified}",
            "request-refused": f"{console}/requests/{refused}",
            "inspect": f"{console}/inspect?transaction={self.jungle}", "inspect-empty": f"{console}/inspect",
            "search": f"{console}/search", "search-nothing": f"{console}/search?q=nothing.of.this.name",
            "search-found": f"{console}/search?q=monkey", "keyboard": f"{console}/keyboard",
            "tokens": f"{console}/tokens", "api-keys": f"{console}/api-keys", "clock": f"{console}/clock",
            "clock-forecast": f"{console}/clock/forecast?by=1mo",
            "system": f"{console}/system", "self-test": f"{console}/system/self-test",
            "settings": f"{console}/system/settings", "backups": f"{console}/system/backups", "backup": self._backup(),
            "snapshots": f"{console}/system/snapshots",
            "faults": f"{console}/faults", "partners": f"{console}/partners",
            "partner": f"{console}/partners/{partner}", "partner-report": f"{theirs}/partners",
            "items": f"{console}/items", "item-new": f"{console}/items/new?kind=book",
            "features": f"{console}/features", "ratings": f"{console}/ratings",
            "nothing": f"{console}/apps/com.example.nothing", "sign-in": f"{self.store}/console/sign-in",
            "link-spent": f"{self.store}/console/enter/spent",
        }
        item = f"{console}/items/{self.shop.ask('GET', '/items?kind=film')['items'][0]['storeId']}"
        self.addresses |= {
            "item": item, "item-facts": f"{item}/facts", "item-file": f"{item}/files/artwork/1",
            "item-package": f"{item}/versions/1.0/package/1", "item-reviews": f"{item}/reviews",
        }
        for act in CLOCK_ACTS:
            self.addresses[f"tester-clock-{act}"] = f"{console}/customers/{self.ada['customerId']}/clock/{act}"
        for act in SALE_ACTS:
            self.addresses["refund" if act == "refund" else f"transaction-{act}"] = f"{sale}/{act}"

        club = f"{self.app}/products/{CLUB}"
        whose = f"{console}/customers/{self.ada['customerId']}/sheet?bundle={Shop.BUNDLE}&product={CLUB}"
        self.others += [f"{club}/image", *(self.addresses[name] + "/image" for name in ("sheet", "approval")), whose]

    def _partner(self) -> tuple[str, str]:
        """A partner who is approved, with the key, and one who waits beside it."""
        made = [
            self.shop.ask("POST", "/partners", {"name": name, "email": "guide@example.com", "commission": 7000})
            for name in ("Game Guide", "Song Letter")
        ]
        token = made[0]["token"]
        return token, self.shop.ask("POST", f"/partners/{token}/approval")["key"]

    def _show_production(self):
        console = f"{self.store}/console/production"
        profile = self.shop.till("provision", Shop.BUNDLE, "--production").stdout.strip()
        device = Device(self.store, profile, Shop.BUNDLE, environment="production")
        device.register()
        asked = self._sheet("sheet-production", device, "credits5")
        self.addresses |= {
            "sheet-sign-up": asked["address"] + "/sign-up", "production": console,
            "production-purchase": f"{console}/purchases/{asked['purchaseId']}", "production-clock": f"{console}/clock",
            "production-faults": f"{console}/faults",
        }
        for name in ("transactions", "subscriptions", "refunds", "customers", "tokens", "api-keys", "ledger", "finance"):
            self.addresses[f"production-{name}"] = f"{console}/{name}"
        self.addresses["production-notifications"] = f"{console}/apps/{Shop.BUNDLE}/notifications"

    def _show_the_storefront(self):
        """Each kind of page of the storefront, as somebody sees it who is not signed in."""
        store, home = self.shop.address, f"{self.shop.address}/us"
        parts = ("apps", "music", "films", "tv", "books", "audiobooks", "countries", "sign-in")
        self.addresses |= {"store": home} | {f"store-{part}": f"{home}/{part}" for part in parts}
        seen = "".join(
            requests.get(self.addresses[f"store-{part}"], timeout=PATIENCE).text for part in parts[:6]
        )
        links = {kind: path for path, kind in re.findall(r'href="(/us/([a-z-]+)/[^"/]+/id[^"]+)"', seen)}
        for kind in ("app", "album"):
            page = requests.get(store + links[kind], timeout=PATIENCE).text
            links |= {one: path for path, one in re.findall(r'href="(/us/(artist|developer)/[^"]+)"', page)}
        number = {kind: re.search(r"id(\d+)", path)[1] for kind, path in links.items()}
        for kind, path in links.items():
            self.addresses[f"store-{kind}"] = store + path
            name = path.split("/")[3]
            others = [f"us/{kind}/id{number[kind]}", f"{kind}/{name}/id{number[kind]}", f"{kind}/id{number[kind]}"]
            self.others += [f"{store}/{other}" for other in others]
        picture = re.search(r'src="(/files/[^"]+)"', seen)[1]
        self.addresses |= {
            "store-search": f"{home}/search?term=a", "store-search-none": f"{home}/search?term=wombatorium",
            "store-reviews": f"{home}/reviews/{number['app']}", "store-nothing": f"{home}/book/nothing/id1",
            "store-german": f"{store}/de", "store-production": f"{self.store}/us",
            "store-sign-up": f"{self.store}/us/sign-up",
        }
        self.others += [
            store + picture, f"{home}/suggestions?term=a", f"{home}/library", f"{home}/review?item={number['app']}",
            f"{home}/report?review=1", f"{home}/library/{number['app']}/file/package/1",
            f"{store}/WebObjects/MZStore.woa/wa/viewSoftware?id={number['app']}&mt=8",
        ]


class EmptyStore:
    """A store without the demo, in which nothing has happened yet, and its pages."""

    def __init__(self, program: Path, data: Path):
        self.program, self.process = program, Till(program, data)
        # Another name of the machine, so that a browser keeps its session beside that of another store.
        self.store = self.process.ready["production"].replace("127.0.0.1", "localhost")
        console = f"{self.store}/console/sandbox"
        names = (
            "transactions", "subscriptions", "purchases", "refunds", "customers", "apps", "review", "requests",
            "devices", "tokens", "api-keys", "clock", "faults", "partners",
            "items", "features", "ratings",
        )
        self.addresses = {f"empty-{name}": f"{console}/{name}" for name in names} | {
            "empty-overview": console, "empty-drafts": f"{console}/catalogue/drafts",
        }

    def console_link(self) -> str:
        made = run(self.program, "console", "--data", self.process.data)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip().replace("127.0.0.1", "localhost")

    def stop(self) -> int:
        return self.process.stop()
