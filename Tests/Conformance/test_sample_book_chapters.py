"""The sample BookChapters against a store: chapters are loaded, kept by version, and got back."""

import random
import shutil
import socket
import threading

import pytest

from conftest import tool_path
from support.monkey_credits import Player
from support.shop import Shop, free_port
from support.till import run
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.rows("R9.3", "R6.9")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("BookChapters")
BUNDLE = "com.example.bookchapters"
FIRST, SECOND = f"{BUNDLE}.chapter1", f"{BUNDLE}.chapter2"


class Valve:
    """A line to the store on which only so many bytes come, until more are let through."""

    def __init__(self, port: int):
        self.port, self.upstream = free_port(), port
        self.left, self.changed = 1 << 40, threading.Condition()
        self.server = socket.create_server(("127.0.0.1", self.port))
        self.open: set[socket.socket] = set()
        self.acceptor = threading.Thread(target=self._serve, daemon=True)
        self.acceptor.start()

    def allow(self, count: int):
        with self.changed:
            self.left = count
            self.changed.notify_all()

    def close(self):
        self.allow(1 << 40)
        # Closing alone does not end a thread that waits in accept.
        self.server.shutdown(socket.SHUT_RDWR)
        for one in list(self.open):
            shut(one)
        self.acceptor.join(PATIENCE)
        self.server.close()

    def _serve(self):
        carriers = []
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                break
            carriers.append(threading.Thread(target=self._connect, args=(client,), daemon=True))
            carriers[-1].start()
        for carrier in carriers:
            carrier.join(PATIENCE)

    def _connect(self, client: socket.socket):
        with client, socket.create_connection(("127.0.0.1", self.upstream)) as store:
            self.open |= {client, store}
            back = threading.Thread(target=self._carry, args=(store, client, True), daemon=True)
            back.start()
            self._carry(client, store, False)
            back.join(PATIENCE)
            self.open -= {client, store}

    def _carry(self, source: socket.socket, goal: socket.socket, is_counted: bool):
        try:
            while piece := source.recv(16384):
                if is_counted:
                    with self.changed:
                        self.changed.wait_for(lambda: self.left >= len(piece))
                        self.left -= len(piece)
                goal.sendall(piece)
        except OSError:
            pass
        shut(source)
        shut(goal)


def shut(one: socket.socket):
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # The other side was faster.


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    shop.valve = Valve(shop.sandbox)
    yield shop
    shop.valve.close()
    assert shop.stop() == 0


@pytest.fixture
def tester(shop):
    return shop.add_tester()


@pytest.fixture
def reader(shop, tester, tmp_path):
    """Makes readers with one account, each on a device of their own, behind the valve."""
    profile = tmp_path / "BookChapters.tillprofile"
    address = f"http://127.0.0.1:{shop.valve.port}"
    profile.write_text(shop.till("provision", BUNDLE, "--sandbox", "--store-url", address).stdout)
    account = (tester["email"], Shop.PASSWORD)
    return lambda name="device": Player(SAMPLE, tmp_path / name, profile, account)


def chapter(player: Player, product: str):
    return player.home / "data/BookChapters/Documents" / product


def push(shop: Shop, product: str, version: str, text: str, folder, noise: bytes = b""):
    """Brings a newer version to the store; in the sandbox it counts as soon as it was looked at."""
    shutil.rmtree(folder, ignore_errors=True)
    made = run(TILL, "content", "new", folder, "--product", product, "--content-version", version)
    assert made.returncode == 0, made.stderr
    (folder / "Contents/chapter.txt").write_text(text)
    (folder / "Contents/picture.png").write_bytes(b"\x89PNG\r\n" + noise)
    shop.till("content", "push", folder)

    def is_offered():
        listed = shop.ask("GET", f"/apps/{BUNDLE}/products/{product}/content")["items"]
        return any(one.get("contentVersion") == version and one["state"] != "processing" for one in listed)

    wait_until(is_offered)


def test_a_chapter_is_bought_loaded_and_read(shop, reader):
    player = reader()
    # A number alone does what its line says: buy, then read.
    said, status = player.play("1", "1", "list")
    assert status == 0, said
    assert "Chapter 1: The Island is yours. It is loaded now.\n" in said
    assert "Chapter 1: The Island is here, version 1.0: read 1\n" in said
    assert "The ship went down at four in the afternoon" in said and "picture.png" in said
    folder = chapter(player, FIRST)
    assert (folder / "current").readlink().name == "1.0"
    assert "The ship went down" in (folder / "1.0/chapter.txt").read_text()
    assert (player.home / "data/BookChapters/Documents/CACHEDIR.TAG").exists()
    # What is not owned is not loaded, and a script is told so.
    said, status = player.play("get 2")
    assert status == 1 and "is not yours yet: buy 2" in said


@pytest.mark.rows("R6.4")
def test_a_newer_version_is_seen_got_by_a_restore_and_not_hidden_by_the_file_that_exists(shop, reader, tmp_path):
    player = reader()
    assert player.play("buy 1")[1] == 0
    push(shop, FIRST, "1.1", "The ship did not go down at all.\n", tmp_path / "content")
    said, status = player.play("list", "read 1")
    assert status == 0 and "version 1.0: read 1; there is 1.1: get 1" in said and "politely" in said, said
    said, status = player.play("get 1", "read 1")
    assert status == 0 and "The ship did not go down at all." in said and "politely" not in said, said
    folder = chapter(player, FIRST)
    assert sorted(one.name for one in folder.iterdir()) == ["1.1", "current"]


@pytest.mark.rows("R3.5")
def test_a_restore_gives_back_what_is_owned_and_loads_nothing_by_itself(shop, reader, tester):
    game = reader().start().type("buy 1").type("buy 2")
    game.wait_for("Chapter 2: The Storm is here")

    def is_all_finished():
        bought = shop.ask("GET", f"/transactions?customer={tester['email']}")["items"]
        return len(bought) == 2 and all("finishedDate" in one for one in bought)

    # What is not finished comes to every device of the account, and is loaded there as if it had been bought there.
    wait_until(is_all_finished)
    assert game.end()[1] == 0
    other = reader("other device")
    said, status = other.play("restore", "list")
    assert status == 0, said
    assert "Restored: 2." in said and "It can be loaded: get 1" in said and "It can be loaded: get 2" in said
    assert not chapter(other, FIRST).exists() and not chapter(other, SECOND).exists()
    said, status = other.play("get 2", "read 2")
    assert status == 0 and "a light far out at sea" in said, said
    assert chapter(other, SECOND).exists() and not chapter(other, FIRST).exists()


@pytest.mark.rows("R6.7")
def test_loading_is_paused_goes_on_after_the_end_of_the_app_and_is_cancelled(shop, reader, tmp_path):
    # Bytes that hardly get shorter by being packed.

    noise = random.Random(1).randbytes(3_000_000)
    push(shop, SECOND, "1.1", "It stood quite still.\n", tmp_path / "content", noise)
    player = reader()
    game = player.start("--eager")
    game.wait_for("help shows")
    shop.valve.allow(1_500_000)
    game.type("buy 2")
    game.wait_for("Chapter 2: The Storm: (25|50) %")
    game.type("pause 2")
    game.wait_for("is paused: resume 2")
    game.kill()

    shop.valve.allow(1 << 40)
    game = player.start("--eager")
    game.wait_for("paused: resume 2")
    shop.valve.allow(1_000_000)
    # What is paused goes on, by whichever word.
    game.type("get 2")
    game.wait_for("Chapter 2: The Storm: (50|75) %")
    game.type("cancel 2")
    game.wait_for("is loaded no more: get 2")
    assert not chapter(player, SECOND).exists()
    shop.valve.allow(1 << 40)
    game.type("get 2")
    game.wait_for("is here, version 1.1")
    assert game.end()[1] == 0
    assert (chapter(player, SECOND) / "current/picture.png").read_bytes().endswith(noise)
