"""The sample Magazines against a store and a server of its own: issues that appear, come in parts, and are read on every device."""

import json
import subprocess

import pytest

from conftest import REPOSITORY, tool_path
from support.monkey_credits import Player
from support.own_server import OwnServer
from support.randomness import generator
from support.shop import Shop
from support.till import run
from support.waiting import wait_until
from test_sample_book_chapters import Valve

pytestmark = pytest.mark.rows("R9.5", "R1.7")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("Magazines")
FROM = REPOSITORY / "Samples/Magazines/Server"
BUNDLE = "com.example.magazines"
FIRST, SECOND, MONTHLY = f"{BUNDLE}.issue1", f"{BUNDLE}.issue2", f"{BUNDLE}.monthly"


class Press(OwnServer):
    """The magazine's own server, made as Scripts/sample.sh makes it, behind a valve."""

    def __init__(self, shop: Shop, folder):
        self.folder, self.own = folder, folder / "own"
        secret, root = folder / "secret", folder / "root.der"
        made = json.loads(shop.till("apps", "secret", BUNDLE, "--new", "--json").stdout)
        secret.write_text(made["secret"])
        shop.till("keys", "root", "--environment", "sandbox", "--der", "--output", str(root))
        self.till("products", "publish", FROM / "products.json")
        self.till("content", "add", "issue1", FROM / "issue1.txt", "--version", "1.0")
        super().__init__(
            TILL, self.own, "--bundle", BUNDLE, "--store", f"http://127.0.0.1:{shop.production}", "--store-sandbox",
            shop.address, "--sandbox-root", str(root), "--shared-secret-file", str(secret))
        shop.till("notifications", "set", BUNDLE, "--url", f"{self.address}/notifications")
        self.valve = Valve(int(self.address.rsplit(":", 1)[1]))

    def till(self, *words):
        done = run(TILL, "backend", *words, "--data", self.own)
        assert done.returncode == 0, done.stderr

    def publish(self, change):
        """Publishes another list, as its editors do while apps run."""
        listed = json.loads((FROM / "products.json").read_text())
        change(listed["products"])
        (self.folder / "products.json").write_text(json.dumps(listed))
        self.till("products", "publish", self.folder / "products.json")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def press(shop, tmp_path_factory):
    press = Press(shop, tmp_path_factory.mktemp("press"))
    yield press
    press.valve.close()
    assert press.stop() == 0, press.log_text()


@pytest.fixture
def tester(shop):
    return shop.add_tester(paymentMethod="test_approved")


@pytest.fixture
def reader(shop, press, tester, tmp_path):
    """Makes readers with one account at the store, each on a device of their own."""
    profile = tmp_path / "Magazines.tillprofile"
    profile.write_text(shop.till("provision", BUNDLE, "--sandbox").stdout)

    def make(device="device") -> Player:
        player = Player(SAMPLE, tmp_path / device, profile, (tester["email"], Shop.PASSWORD))
        player.environment["MAGAZINES_SERVER"] = f"http://127.0.0.1:{press.valve.port}"
        return player

    return make


@pytest.fixture
def name(tester):
    """Whom the magazine knows its reader by."""
    return tester["email"].split("@")[0]


def bought(shop, tester) -> list[dict]:
    return shop.ask("GET", f"/transactions?customer={tester['email']}")["items"]


def is_finished(shop, tester, count=1) -> bool:
    found = bought(shop, tester)
    return len(found) == count and all("finishedDate" in one for one in found)


@pytest.mark.rows("R5.2", "R5.8")
def test_the_first_page_is_readable_right_after_the_purchase(shop, press, reader, tester, name):
    player = reader()
    said, status = player.play(f"join {name} correct-horse", "buy 1", "read 1")
    assert status == 0, said
    here, page, whole = said.find("First Issue is here: read 1"), said.find("A letter from the editor"), said.find("Page 3")
    assert 0 < here < page < whole, said
    # An app that ends at once may leave it to the next one to tell the store.
    game = player.start()
    wait_until(lambda: is_finished(shop, tester))
    assert game.end()[1] == 0
    steps = [one["event"] for one in press.events()]
    order = ["proof.received", "proof.asked", "proof.answered", "purchase.recorded", "content.granted"]
    # They are in the log in the order of the document.
    last = len(steps) - 1 - steps[::-1].index("proof.received")
    assert [step for step in steps[last:] if step in order] == order
    assert "products.listed" in steps[:last]
    wait_until(lambda: press.events("content.sent"))


@pytest.mark.rows("R5.5")
def test_whoever_is_not_known_buys_nothing(shop, reader, tester):
    said, status = reader().play("buy 1")
    assert status == 1 and "join NAME PASSWORD" in said, said
    assert bought(shop, tester) == []


@pytest.mark.rows("R5.1")
def test_an_issue_that_appears_while_the_app_runs_is_sold_at_once(shop, press, reader, name):
    game = reader().start("--every", "1")
    game.wait_for("help shows")
    shop.till("products", "put", BUNDLE, SECOND, "--type", "non-consumable", "--title", "Second Issue", "--price", "1.99")
    press.till("content", "add", "issue2", FROM / "issue2.txt", "--version", "1.0")
    second = {"productId": SECOND, "kind": "Non-Consumable", "content": "issue2", "title": "Second Issue"}
    press.publish(lambda products: products.insert(1, second))
    game.wait_for("New in the list: Second Issue")
    game.type(f"join {name} correct-horse").type("list").type("buy 2")
    game.wait_for("Second Issue is here: read 2")
    game.wait_for("Nobody has claimed the groceries")
    assert game.end()[1] == 0
    press.publish(lambda products: None)


@pytest.mark.rows("R5.1")
def test_the_last_list_is_shown_and_what_is_here_is_read_without_the_server(shop, press, reader, name):
    player = reader()
    # Not through the valve, which has no words for a server that is not there.
    player.environment["MAGAZINES_SERVER"] = press.address
    assert player.play(f"join {name} correct-horse", "buy 1")[1] == 0
    player.environment["MAGAZINES_SERVER"] = "http://127.0.0.1:1"
    # Another server has another list; what was loaded is here all the same.
    said, status = player.play("list")
    assert status == 1 and "cannot be reached" in said, said
    player.environment["MAGAZINES_SERVER"] = press.address
    press.kill()
    try:
        said, status = player.play("read 1")
        assert status == 0 and "this is the last list" in said and "Page 3" in said, said
    finally:
        press.start()


@pytest.mark.rows("R5.3", "R5.4")
def test_a_deferred_download_goes_on_after_the_end_of_the_app_and_is_charged_once(shop, press, reader, tester, name, tmp_path):
    pages = generator("pages").randbytes(3_000_000)
    large = tmp_path / "large.pdf"
    large.write_bytes(pages)
    press.till("content", "add", "issue1", large, "--version", "2.0")
    try:
        player = reader()
        said, status = player.play(f"join {name} correct-horse", "later 1")
        assert status == 0 and "It can be loaded: get 1" in said and "is here" not in said, said
        game = player.start("--eager")
        game.wait_for("yours: get 1")
        wait_until(lambda: is_finished(shop, tester))
        press.valve.allow(1_600_000)
        game.type("get 1")
        game.wait_for("(25|50) %")
        game.kill()
        press.valve.allow(1 << 40)
        said, status = player.play("get 1")
        assert status == 0 and "is here: read 1" in said, said
    finally:
        press.till("content", "remove", "issue1", "--version", "2.0")
    kept = [one.read_bytes() for one in (player.home / "data/Magazines").rglob("*") if one.is_file()]
    assert kept.count(pages) == 1
    # The receipt that was kept paid, and a part of the content did not come again.
    sent = [one for one in press.events("content.sent") if one["version"] == "2.0"]
    assert 0 < sent[-1]["bytes"] < len(pages)
    assert len(bought(shop, tester)) == 1


@pytest.mark.rows("R3.5", "R5.6")
def test_a_second_device_has_what_was_bought_on_the_first(shop, press, reader, name):
    assert reader().play(f"join {name} correct-horse", "buy 1")[1] == 0
    other = reader("other device")
    said, status = other.play(f"enter {name} correct-horse", "list", "get 1", "read 1")
    assert status == 0 and "yours: get 1" in said and "A letter from the editor" in said, said
    said, status = reader("third device").play(f"enter {name} wrong-horse")
    assert status == 1 and "You cannot come in" in said, said


@pytest.mark.rows("R5.6")
def test_a_subscription_gives_the_issues_until_it_lapses_and_again_when_it_is_bought_again(shop, press, reader, tester, name):
    player = reader()
    said, status = player.play(f"join {name} correct-horse", "buy 2", "list")
    assert status == 0 and "Monthly is yours until" in said and "in your subscription: get 1" in said, said
    number = bought(shop, tester)[0]["transactionId"]
    shop.till("subscriptions", "cancel", number)
    shop.till("clock", "--tester", tester["email"], "advance", "10m")
    wait_until(lambda: [one for one in press.events("notification.received") if one["type"] == "EXPIRED"])
    # The customer is asked once, on one device.
    said, status = player.play("list", "get 1")
    assert status == 1 and said.count("Monthly ended on") == 1, said
    assert "The subscription has ended" in said
    assert "Monthly ended on" not in reader("other device").play(f"enter {name} correct-horse", "list")[0]
    said, status = player.play("buy 2", "get 1", "read 1")
    assert status == 0 and "A letter from the editor" in said, said


@pytest.mark.rows("P12")
def test_what_was_refunded_is_gone_from_the_device_and_from_the_server(shop, press, reader, tester, name):
    player = reader()
    assert player.play(f"join {name} correct-horse", "buy 1")[1] == 0
    shop.till("transactions", "refund", bought(shop, tester)[0]["transactionId"])
    game = player.start()
    game.wait_for("First Issue was refunded, and is gone")
    assert game.end()[1] == 0
    assert not list((player.home / "data/Magazines/Server/content").rglob("*.txt"))
    wait_until(lambda: [one for one in press.events("notification.received") if one["type"] == "REFUND"])
    said, status = player.play("get 1")
    assert status == 1 and "refunded" in said, said


@pytest.mark.rows("R5.8")
@pytest.mark.parametrize(
    "steps, refusal",
    [
        ("download().activate { _ in }.finish()", None),
        ("keep().activate { _ in }.finish()", None),
        ("download().finish()", "value of type 'SavedDelivery' has no member 'finish'"),
        ("finish()", "value of type 'Delivery' has no member 'finish'"),
        ("activate { _ in }", "value of type 'Delivery' has no member 'activate'"),
    ],
)
def test_what_finishes_before_it_is_saved_and_activated_does_not_compile(tmp_path, steps, refusal):
    source = tmp_path / "App.swift"
    source.write_text(
        "import Foundation\nimport StoreBackendClient\n"
        "func app(_ client: BackendClient, _ receipt: Data) async throws {\n"
        f'    _ = try await client.delivery(of: "issue1", proof: receipt) {{}}.{steps}\n}}\n'
    )
    maps = [f"-fmodule-map-file={path}" for path in (REPOSITORY / "Sources/System").rglob("module.modulemap")]
    options = [word for path in maps for word in ("-Xcc", path)]
    modules = SAMPLE.with_name("Modules")
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules, *options, source], capture_output=True, text=True
    )
    errors = [line for line in done.stderr.splitlines() if "error:" in line and line.startswith(str(source))]
    assert (done.returncode == 0) == (refusal is None), done.stderr
    assert all(refusal in line for line in errors), done.stderr
