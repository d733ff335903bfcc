"""The sample MonkeyCredits at a terminal, where StoreKit asks a person."""

import signal
import subprocess

import pytest

from conftest import tool_path
from support.monkey_credits import Player
from support.shop import Shop
from support.terminal import Terminal

pytestmark = pytest.mark.rows("R9.1", "P28")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("MonkeyCredits")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture
def tester(shop):
    return shop.add_tester()


@pytest.fixture
def player(shop, tester, tmp_path):
    profile = tmp_path / "MonkeyCredits.tillprofile"
    profile.write_text(shop.profile)
    return Player(SAMPLE, tmp_path / "device", profile, (tester["email"], Shop.PASSWORD))


def transactions(shop: Shop, tester: dict) -> list[dict]:
    return shop.ask("GET", f"/transactions?customer={tester['email']}")["items"]


@pytest.fixture
def at_terminal(player, tmp_path):
    """Starts the app on a terminal of its own, where StoreKit asks a person."""
    words = [f"{name}={player.environment[name]}" for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "STOREKIT_PROFILE")]
    started = []

    def start() -> Terminal:
        started.append(Terminal("env", *words, str(SAMPLE), folder=tmp_path, path=TILL.parent))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


def test_a_person_signs_in_says_no_and_says_yes(at_terminal, tester):
    terminal = at_terminal()
    terminal.wait_for("Type a number to buy, or help.\\s+> $")
    terminal.type("1\n").wait_for("E-mail .*: $")
    terminal.type(f"{tester['email']}\n").wait_for("Password .*: $")
    terminal.type("wrong password\n").wait_for("E-mail .*: $")
    terminal.type(f"{tester['email']}\n").wait_for("Password .*: $")
    shown = terminal.type(f"{Shop.PASSWORD}\n").wait_for("Buy it.*] $")
    assert Shop.PASSWORD not in shown
    terminal.type("no\n").wait_for("cancelled. Nothing was charged.\\s+> $")
    terminal.type("1\n").wait_for("Buy it.*] $")
    terminal.type("yes\n").wait_for("purchased. You have 5 monkey credits.\\s+> $")


def test_a_question_that_nobody_waited_for_gets_its_first_answer(shop, player, at_terminal, tester):
    terminal = at_terminal()
    terminal.wait_for("Type a number to buy, or help.\\s+> $")
    words = [str(TILL), "device", "promote", f"{Shop.BUNDLE}.nothing", "--app", Shop.BUNDLE]
    subprocess.run(words, env=player.environment, check=True, capture_output=True)
    # What StoreKit says comes above the prompt.
    terminal.wait_for("StoreKit: .*cannot be sold.*\\n> $")
    # What is half typed is no answer.
    terminal.type("cred").wait_for("cred$")
    words[3] = f"{Shop.BUNDLE}.credits10"
    subprocess.run(words, env=player.environment, check=True, capture_output=True)
    terminal.wait_for("E-mail .*: $")
    terminal.type(f"{tester['email']}\n").wait_for("Password .*: $")
    terminal.type(f"{Shop.PASSWORD}\n").wait_for("Buy it.*] $")
    terminal.type("yes\n").wait_for("purchased. You have 10 monkey credits.\\s+> $")
    # Then lines are commands again, and the next question has its first answer too.
    terminal.type("credits\n").wait_for("You have 10 monkey credits.\\s+> $")
    subprocess.run(words, env=player.environment, check=True, capture_output=True)
    terminal.wait_for("Buy it.*] $")
    assert "is not a command" not in terminal.type("yes\n").wait_for("You have 20 monkey credits.\\s+> $")
    assert len(transactions(shop, tester)) == 2


@pytest.mark.rows("P29")
@pytest.mark.parametrize("question", ["E-mail .*: $", "Buy it.*] $"])
def test_who_leaves_at_a_question_is_not_asked_at_the_next_start(shop, at_terminal, tester, question):
    def buy(terminal: Terminal):
        terminal.wait_for("Type a number to buy, or help.\\s+> $")
        return terminal.type("1\n")

    def sign_in(terminal: Terminal):
        terminal.wait_for("E-mail .*: $")
        terminal.type(f"{tester['email']}\n").wait_for("Password .*: $")
        terminal.type(f"{Shop.PASSWORD}\n").wait_for("Buy it.*] $")

    terminal = buy(at_terminal())
    if question.startswith("Buy"):
        sign_in(terminal)
    terminal.wait_for(question)
    assert terminal.interrupt() == signal.SIGINT

    terminal = at_terminal()
    # The news of the payment and the list of goods, with their names, come in either order.
    shown = terminal.wait_for("(?s)(?=.*5 [Cc]redits: cancelled. Nothing was charged.)(?=.*Type a number to buy).*> $")
    assert "Buy it" not in shown and "E-mail" not in shown
    assert shop.ask("GET", "/purchases/last")["state"] == "cancelled"
    assert transactions(shop, tester) == []

    terminal.type("1\n")
    if question.startswith("E-mail"):
        sign_in(terminal)
    terminal.wait_for("Buy it.*] $")
    terminal.type("yes\n").wait_for("purchased. You have 5 monkey credits.\\s+> $")
    assert len(transactions(shop, tester)) == 1
