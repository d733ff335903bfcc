"""The sample MonkeyCredits against a store: what was paid for is delivered once, whenever and however the app ends."""

import json
import signal
import sqlite3
import subprocess
from contextlib import closing

import pytest

from conftest import tool_path
from support.monkey_credits import SCREENS, Player
from support.purchase_vault import vault_of
from support.randomness import SOAK, generator
from support.shop import Shop
from support.waiting import eventually, wait_until

pytestmark = pytest.mark.rows("R9.1", "P28")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("MonkeyCredits")
STOREKIT_2 = ("--storekit2",)

# The same store layer twice: what holds for one holds for the other.
BOTH = pytest.mark.parametrize("api", [(), STOREKIT_2], ids=["StoreKit1", "StoreKit2"], indirect=True)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture
def profile(shop, tmp_path):
    file = tmp_path / "MonkeyCredits.tillprofile"
    file.write_text(shop.profile)
    return file


@pytest.fixture
def tester(shop):
    return shop.add_tester()


@pytest.fixture
def api(request) -> tuple[str, ...]:
    """What the app is started with."""
    return getattr(request, "param", ())


@pytest.fixture
def player(profile, tester, tmp_path, api):
    return Player(SAMPLE, tmp_path / "device", profile, (tester["email"], Shop.PASSWORD), api)


def transactions(shop: Shop, tester: dict) -> list[dict]:
    found, after = [], ""
    while True:
        page = shop.ask("GET", f"/transactions?customer={tester['email']}{after}")
        found += page["items"]
        if "next" not in page:
            return found
        after = f"&after={page['next']}"


def unfinished(shop: Shop, tester: dict) -> list[dict]:
    return [one for one in transactions(shop, tester) if "finishedDate" not in one]


@BOTH
def test_shows_prices_buys_and_keeps_what_was_bought(shop, player, tester):
    said, status = player.play("buy 1 3", "2", "buy 3", "buy 5", "receipt", "credits")
    assert status == 0, said
    assert "MonkeyCredits: 0 monkey credits\n" in said
    assert "  1  5 Credits    Five credits for the monkey.  Buy $0.99\n" in said
    assert "  3 x 5 Credits: purchasing …\n  3 x 5 Credits: purchased. You have 15 monkey credits.\n" in said
    assert "  10 Credits: purchased. You have 25 monkey credits.\n" in said
    assert "  Jungle: purchased. You have 25 monkey credits, jungle.\n" in said
    assert "You have 35 monkey credits, jungle, banana club.\n" in said
    assert "The receipt has " in said
    assert [one["quantity"] for one in transactions(shop, tester)].count(3) == 1

    # What was finished stays finished, also if the app ended before the store had heard of it.
    game = player.start()
    wait_until(lambda: not unfinished(shop, tester))
    said, status = game.end()
    assert (status, said.count("35 monkey credits, jungle, banana club")) == (0, 1), said
    assert "came again" not in said and "(yours)" in said


@pytest.mark.rows("R1.6")
@pytest.mark.parametrize("store", ["DEU", "JPN"])
def test_the_store_decides_about_products_and_the_device_about_labels(shop, profile, tmp_path, store):
    account = (shop.add_tester(storefront=store)["email"], Shop.PASSWORD)
    player = Player(SAMPLE, tmp_path / "device", profile, account)
    # The first purchase signs the device in, and thereby moves it to the store of the account.
    assert player.play("buy 1")[1] == 0
    screens = {}
    for language in ("de_DE", "ja_JP"):
        player.environment["LC_ALL"] = f"{language}.UTF-8"
        said, status = player.play()
        assert status == 0, said
        screens[language] = said
    assert screens == SCREENS[store]


@BOTH
def test_what_was_delivered_but_not_finished_comes_again_and_counts_once(shop, player, tester):
    game = player.start("--leave-unfinished").type("buy 2")
    game.wait_for("10 Credits: purchased. You have 10 monkey credits.")
    game.kill()
    assert len(unfinished(shop, tester)) == 1

    game = player.start()
    game.wait_for("came again, and was delivered before. You have 10 monkey credits.")
    wait_until(lambda: not unfinished(shop, tester))
    game.kill()
    said, status = player.play("credits")
    assert status == 0 and "came again" not in said and said.count("10 monkey credits") == 2, said


@BOTH
def test_what_was_paid_but_not_delivered_is_delivered_at_the_next_start(shop, player, tester):
    assert player.play()[1] == 0
    # The app can write nothing where this folder is.
    obstacle = player.wallet.with_name("wallet.vault.new")
    obstacle.mkdir()
    game = player.start().type("buy 1")
    game.wait_for("5 Credits: paid, but it cannot be saved")
    game.kill()
    assert len(unfinished(shop, tester)) == 1

    obstacle.rmdir()
    game = player.start()
    game.wait_for("purchased. You have 5 monkey credits.")
    wait_until(lambda: not unfinished(shop, tester))
    assert game.end()[0].count("purchased") == 1
    assert "MonkeyCredits: 5 monkey credits\n" in player.play()[0]


# What the twin needs more time for is left to a soak: the engine below it is the same.
@pytest.mark.parametrize(
    "api, number",
    [((), signal.SIGKILL), ((), signal.SIGINT)] + ([(STOREKIT_2, signal.SIGKILL)] if SOAK else []),
    indirect=["api"],
)
def test_the_app_may_end_at_any_moment(shop, player, tester, number):
    chance = generator(f"MonkeyCredits ends by {number}")
    # One purchase comes to its end, however slow the machine is.
    game = player.start().type("buy 1")
    game.wait_for("purchased")
    game.kill(number)
    for _ in range(100 if SOAK else 10):
        game = player.start()
        for _ in range(20):
            game.type("buy 1")
        delay = chance.uniform(0, 1.2)
        try:
            game.process.wait(delay)
        except subprocess.TimeoutExpired:
            pass
        game.kill(number)

    # Whatever is still on its way arrives by itself while the app runs; then the books agree.
    def is_settled() -> bool:
        return not unfinished(shop, tester) and vault_of(player.wallet).balances["credits"] == (5 * paid(), False)

    def paid() -> int:
        return len(transactions(shop, tester))

    def is_shown() -> bool:
        # What the store was still doing when the app ended comes at the next start.
        return player.play()[0].split("\n")[0] == f"MonkeyCredits: {5 * paid()} monkey credits"

    game = player.start()
    game.wait_for("Type a number")
    wait_until(is_settled)
    game.end()
    assert paid() > 0
    wait_until(is_shown)


def test_an_app_that_was_killed_while_it_signed_in_tells_of_what_was_finished(tmp_path):
    own = Shop(TILL, tmp_path / "own", "--log-level", "error")
    profile = tmp_path / "own.tillprofile"
    profile.write_text(own.profile)
    tester = own.add_tester()
    player = Player(SAMPLE, tmp_path / "hasty", profile, (tester["email"], Shop.PASSWORD))
    try:
        game = player.start("--leave-unfinished").type("buy 2")
        game.wait_for("purchased. You have 10 monkey credits.")
        game.kill()
        # As if the answer to signing in had never been kept.
        (journal,) = player.home.rglob("journal.sqlite")
        with closing(sqlite3.connect(journal)) as connection, connection:
            words = ("\"isSignedIn\":true", "\"isSignedIn\":false")
            changed = connection.execute("UPDATE property SET value = replace(value, ?, ?) WHERE name = 'device'", words)
            assert changed.rowcount == 1
        own.stop()
        game = player.start()
        game.wait_for("came again")
        game.kill()
        own.start()
        assert len(unfinished(own, tester)) == 1
        game = player.start()
        # The session asks by itself who is signed in.
        assert eventually(lambda: not unfinished(own, tester), patience=50)
        game.end()
    finally:
        own.stop()


@BOTH
def test_a_refused_card_is_a_failure_and_brings_nothing(shop, profile, tmp_path, api):
    poor = shop.add_tester(paymentMethod="test_declined")
    player = Player(SAMPLE, tmp_path / "poor", profile, (poor["email"], Shop.PASSWORD), api)
    said, status = player.play("buy 1", "credits")
    assert status == 1
    assert "  5 Credits: failed. Your payment was declined." in said
    assert "You have 0 monkey credits.\n" in said
    assert transactions(shop, poor) == []


def test_a_second_device_gets_back_what_lasts_and_no_credits(shop, player, profile, tester, tmp_path):
    game = player.start().type("buy 1").type("buy 3").type("buy 4").type("buy 5")
    game.wait_for("Banana Club: purchased.")
    # What is not finished comes to every device of the customer.
    wait_until(lambda: not unfinished(shop, tester))
    assert game.end()[1] == 0
    other = Player(SAMPLE, tmp_path / "other", profile, (tester["email"], Shop.PASSWORD))
    said, status = other.play("restore", "credits")
    assert status == 0, said
    assert "  Jungle: restored." in said and "  Banana Club: restored." in said and "Restored: 2.\n" in said
    assert said.endswith("You have 0 monkey credits, jungle, banana club.\n")


@pytest.mark.parametrize("api", [STOREKIT_2], indirect=True)
def test_by_storekit_2_a_second_device_has_the_season_too(shop, player, profile, tester, tmp_path, api):
    game = player.start().type("buy 1").type("buy 3").type("buy 4")
    game.wait_for("Season Pass: purchased.")
    wait_until(lambda: not unfinished(shop, tester))
    assert game.end()[1] == 0
    other = Player(SAMPLE, tmp_path / "other", profile, (tester["email"], Shop.PASSWORD), api)
    said, status = other.play("restore", "credits")
    assert status == 0, said
    assert "  Jungle: restored." in said and "  Season Pass: restored." in said and "Restored: 2.\n" in said
    assert "You have 0 monkey credits, jungle, season pass.\n" in said


@pytest.mark.rows("X1")
@pytest.mark.parametrize("first, then", [((), STOREKIT_2), (STOREKIT_2, ())])
def test_what_one_form_of_storekit_left_unfinished_the_other_delivers_once(shop, player, tester, first, then):
    player.options = first
    game = player.start("--leave-unfinished").type("buy 2")
    game.wait_for("10 Credits: purchased. You have 10 monkey credits.")
    game.kill()
    player.options = then
    game = player.start()
    game.wait_for("came again, and was delivered before. You have 10 monkey credits.")
    wait_until(lambda: not unfinished(shop, tester))
    game.end()
    player.options = first
    assert "came again" not in player.play("credits")[0]


@pytest.mark.rows("X1")
@BOTH
def test_what_is_refunded_is_taken_back_while_the_app_runs(shop, player, tester):
    game = player.start().type("buy 3")
    game.wait_for("Jungle: purchased.")
    wait_until(lambda: not unfinished(shop, tester))
    shop.till("transactions", "refund", transactions(shop, tester)[0]["transactionId"])
    game.wait_for("Jungle.*taken back")
    assert game.type("credits").end()[0].endswith("You have 0 monkey credits.\n")


@pytest.mark.rows("X5")
@pytest.mark.parametrize("api", [STOREKIT_2], indirect=True)
def test_credits_that_are_refunded_are_taken_back_and_a_club_that_ends_is_over(shop, player, tester):
    game = player.start().type("buy 2 3")
    game.wait_for("You have 30 monkey credits.")
    game.type("buy 5").wait_for("You have 40 monkey credits, banana club.")
    wait_until(lambda: not unfinished(shop, tester))
    credits, club = sorted((one["transactionId"] for one in transactions(shop, tester)), key=int)
    shop.till("transactions", "refund", credits)
    game.wait_for("10 Credits: was taken back. You have 10 monkey credits, banana club.")
    shop.till("subscriptions", "expire", club)
    game.wait_for("has ended. You have 10 monkey credits.")
    assert game.type("credits").end()[0].endswith("You have 10 monkey credits.\n")


def test_a_restore_of_nothing_ends_and_says_so(player):
    assert "There is nothing to restore.\n" in player.play("restore")[0]


def test_without_an_account_nothing_is_restored_or_bought(profile, tmp_path):
    said, status = Player(SAMPLE, tmp_path / "nobody", profile).play("restore", "buy 1")
    assert status == 1
    why = "STOREKIT_PROMPT=automatic needs STOREKIT_ACCOUNT and STOREKIT_PASSWORD to sign a tester in."
    assert said.count(why) == 2, said
    sentence = "The purchase could not be confirmed automatically. Nothing was charged."
    assert f"Nothing was restored. {sentence}\n" in said
    assert f"  5 Credits: failed. {sentence}\n" in said


def test_says_what_to_do_while_the_store_is_away_and_goes_on_when_it_is_back(player, tmp_path):
    own = Shop(TILL, tmp_path / "own", "--log-level", "error")
    file = tmp_path / "own.tillprofile"
    file.write_text(own.profile)
    tester = own.add_tester()
    player = Player(SAMPLE, tmp_path / "patient", file, (tester["email"], Shop.PASSWORD))
    own.stop()
    try:
        game = player.start()
        game.wait_for("Network down?.*make run")
        game.type("buy 1").wait_for("no price for it yet")
        own.start()
        game.type("list").wait_for("Buy \\$0.99")
        game.type("buy 1").wait_for("purchased. You have 5 monkey credits.")
        own.stop()
        game.type("restore").wait_for("Nothing was restored.")
        assert game.end()[1] == 1
    finally:
        own.stop()


def test_without_a_profile_nothing_is_for_sale(tmp_path):
    said, status = Player(SAMPLE, tmp_path / "lost", None).play("buy 1")
    assert status == 1
    assert "Invalid product id: com.example.monkeycredits.credits5\n" in said
    assert "make sample APP=MonkeyCredits" in said


@pytest.mark.rows("P41")
@BOTH
def test_what_is_chosen_outside_the_app_is_bought_in_it_at_once_or_at_the_next_start(shop, player, tester):
    def promote(product: str):
        words = [str(TILL), "device", "promote", product, "--app", Shop.BUNDLE, "--json"]
        done = subprocess.run(words, env=player.environment, check=True, capture_output=True, text=True)
        assert json.loads(done.stdout)["productId"] == product

    promote(f"{Shop.BUNDLE}.credits5")
    game = player.start()
    game.wait_for("purchased. You have 5 monkey credits.")
    promote(f"{Shop.BUNDLE}.nothing")
    game.wait_for("nothing was chosen outside the app, and cannot be sold.")
    promote(f"{Shop.BUNDLE}.jungle")
    game.wait_for("Jungle: purchased.")
    wait_until(lambda: not unfinished(shop, tester))
    game.end()
    assert len(transactions(shop, tester)) == 2
    assert "purchasing" not in player.play("credits")[0]


def test_a_device_that_may_not_buy_says_so(player):
    command = [str(TILL), "device", "restrict"]
    subprocess.run([*command, "on"], env=player.environment, check=True, capture_output=True)
    said, status = player.play("buy 1")
    assert status == 1 and said.count("AppStore disabled") == 2 and "purchasing" not in said
    subprocess.run([*command, "off"], env=player.environment, check=True, capture_output=True)
    assert player.play("buy 1")[1] == 0


@pytest.mark.parametrize("line", ["dance", "buy", "buy 9", "0", "buy 1 0", "buy 1 11", "buy 1 1 1"])
def test_a_line_that_is_no_command_is_explained_and_buys_nothing(player, line):
    said, status = player.play(line, "credits")
    assert status == 1 and "purchasing" not in said
    assert said.endswith("You have 0 monkey credits.\n")


@pytest.mark.parametrize("content", ["", "no wallet"])
def test_a_wallet_that_does_not_open_at_all_is_set_aside(player, content):
    player.wallet.parent.mkdir(parents=True)
    player.wallet.write_text(content)
    said, status = player.play("buy 1")
    assert status == 0 and "could not be read, and was set aside" in said, said
    assert "You have 5 monkey credits.\n" in said
    assert player.wallet.with_name("wallet.damaged-1").read_text() == content
