"""The vault of an app, with MonkeyCredits: what is in it, what a backup brings back, and where its key is."""

import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import tool_path
from support.monkey_credits import Player
from support.purchase_vault import VaultContents, key_of, read_vault, vault_of
from support.randomness import SOAK
from support.shop import Shop
from support.waiting import PATIENCE, eventually

pytestmark = pytest.mark.rows("R4.4")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("MonkeyCredits")


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
def player(profile, tester, tmp_path):
    return Player(SAMPLE, tmp_path / "device", profile, (tester["email"], Shop.PASSWORD))


def bought_before(player: Player, tmp_path: Path, name: str) -> Player:
    """Somebody with the files of another home and no store."""
    other = Player(SAMPLE, tmp_path / name, None)
    shutil.copytree(player.wallet.parent, other.wallet.parent)
    return other


class Keyring:
    """GNOME Keyring on a bus of its own, unlocked as at the login of somebody with this home."""

    def __init__(self, player: Player):
        self.player, self.run = player, player.home / "run"
        self.run.mkdir(mode=0o700)
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        player.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().decode().strip()
        player.environment["XDG_RUNTIME_DIR"] = str(self.run)
        # A daemon that does not unlock its keyring never will, and another one does.
        for _ in range(5):
            self.daemon = self.unlocked()
            if eventually(self.keeps, patience=10):
                return
            end(self.daemon)
        raise AssertionError("no daemon has unlocked its keyring")

    def unlocked(self) -> subprocess.Popen:
        daemon = subprocess.Popen(
            ["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.player.environment,
        )
        daemon.stdin.write(b"password of the login")
        daemon.stdin.close()
        return daemon

    def keeps(self) -> bool:
        """Whether it keeps a secret; a keyring that is locked asks on a desktop, which there is not."""
        try:
            done = self.tool("store", "--label", "a test", "test", "yes", stdin="yes", patience=5)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def tool(self, *words: str, stdin: str = "", patience: float = PATIENCE) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["secret-tool", *words],
            input=stdin,
            capture_output=True,
            text=True,
            env=self.player.environment,
            timeout=patience,
        )

    def stop(self):
        for process in (self.daemon, self.bus):
            end(process)
        self.bus.stdout.close()


def end(process: subprocess.Popen):
    process.terminate()
    process.wait(PATIENCE)


@pytest.fixture
def keyring():
    """Gives somebody a keyring."""
    made = []

    def give(player: Player) -> Keyring:
        made.append(Keyring(player))
        return made[-1]

    yield give
    for one in made:
        one.stop()


def test_the_vault_of_the_app_is_what_its_page_says(shop, player, tester):
    assert player.play("buy 2", "buy 3")[1] == 0
    kept = vault_of(player.wallet)
    assert (kept.unlocks, kept.balances) == ({"jungle"}, {"credits": (10, False)})
    listed = shop.ask("GET", f"/transactions?customer={tester['email']}")["items"]
    assert kept.deliveries == {one["transactionId"] for one in listed}
    assert b"jungle" not in player.wallet.read_bytes()


def test_a_restored_home_shows_at_once_and_offline_what_is_owned(player, tmp_path):
    assert player.play("buy 1", "buy 3")[1] == 0
    # Here the credits are trusted, and there they are once a restore has confirmed them.
    assert "MonkeyCredits: 5 monkey credits, jungle\n" in player.play()[0]
    other = bought_before(player, tmp_path, "new")
    said = other.play()[0]
    stale = "5 monkey credits (from a backup, until you restore), jungle"
    assert f"MonkeyCredits: {stale}\n" in said and "(yours)" not in said
    assert vault_of(other.wallet) == VaultContents(
        {"jungle"}, vault_of(player.wallet).deliveries, {"credits": (5, True)}
    )
    other.environment |= {
        name: value for name, value in player.environment.items() if name.startswith("STOREKIT_")
    }
    said, status = other.play("restore", "credits")
    assert status == 0 and said.endswith("You have 5 monkey credits, jungle.\n"), said


def test_damage_costs_what_it_hits_and_a_restore_brings_back_what_lasts(player):
    assert player.play("buy 1", "buy 3")[1] == 0
    record = bytearray(player.wallet.read_bytes())
    # The first entry is what is unlocked.
    record[record.index(b"TVe1") + 20] ^= 1
    player.wallet.write_bytes(record)
    said = player.play("credits")[0]
    assert "A part of what you had could not be read" in said
    assert "You have 5 monkey credits (from a backup, until you restore).\n" in said
    assert player.wallet.with_suffix(".damaged-1").read_bytes() == record
    said, status = player.play("restore", "credits")
    assert status == 0 and said.endswith("You have 5 monkey credits, jungle.\n"), said


# On a machine without a desktop the daemon of GNOME Keyring now and then never unlocks what it keeps.
@pytest.mark.skipif(not SOAK, reason="a desktop's keyring is asked in a soak")
def test_the_key_is_in_the_secret_service_of_the_desktop_and_comes_back_with_the_home(player, keyring, tmp_path):
    service = keyring(player)
    assert player.play("buy 3")[1] == 0
    assert not player.wallet.with_suffix(".key").exists()
    # Another program finds it by the identity in the record.
    record = player.wallet.read_bytes()
    identity, key = key_of(service.tool("lookup", "vault", record[10:26].hex()).stdout)
    assert identity == record[10:26] and read_vault(record, key).unlocks == {"jungle"}

    # A home that comes back has its keyrings, and the same password of the login opens them.
    other = bought_before(player, tmp_path, "same")
    shutil.copytree(player.home / "data/keyrings", other.home / "data/keyrings")
    keyring(other)
    assert "MonkeyCredits: 0 monkey credits, jungle\n" in other.play()[0]


def test_without_a_secret_service_the_key_is_in_a_file_of_the_owner_alone(player):
    assert player.play("buy 3")[1] == 0
    key = player.wallet.with_suffix(".key")
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o644)
    said, status = player.play()
    assert status == 1 and "chmod 600" in said
