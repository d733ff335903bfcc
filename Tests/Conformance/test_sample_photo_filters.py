"""The sample PhotoFilters against a store: filters are bought, restored and taken back, and really change pictures."""

import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag

from conftest import REPOSITORY, tool_path
from support.monkey_credits import Player
from support.pictures import colours, converted, points, write_picture
from support.purchase_vault import header_of, read_vault, recovered_key, vault_of
from support.shop import Shop
from support.waiting import PATIENCE

pytestmark = pytest.mark.rows("R9.2", "R4.4")

TILL = tool_path().with_name("till")
SAMPLE = tool_path().with_name("PhotoFilters")
BUNDLE = "com.example.photofilters"
PICTURES = REPOSITORY / "Documentation/Pictures"


def negative(r, g, b):
    return 255 - r, 255 - g, 255 - b


def sepia(r, g, b):
    return (
        min(255, (393 * r + 769 * g + 189 * b) // 1000),
        min(255, (349 * r + 686 * g + 168 * b) // 1000),
        min(255, (272 * r + 534 * g + 131 * b) // 1000),
    )


def mono(r, g, b):
    return ((299 * r + 587 * g + 114 * b) // 1000,) * 3


FILTERS = {"negative": negative, "sepia": sepia, "mono": mono}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture
def tester(shop):
    return shop.add_tester()


@pytest.fixture
def photographer(shop, tester, tmp_path):
    """Makes people with one account, each on a device of their own."""
    profile = tmp_path / "PhotoFilters.tillprofile"
    profile.write_text(shop.till("provision", BUNDLE, "--sandbox").stdout)
    account = (tester["email"], Shop.PASSWORD)
    return lambda name="device": Player(SAMPLE, tmp_path / name, profile, account)


def vault(player: Player) -> Path:
    return player.home / "data/PhotoFilters/filters.vault"


def bought_before(player: Player, home: Path) -> Player:
    """Somebody with the purchases of another home and no store."""
    other = Player(SAMPLE, home, None)
    shutil.copytree(vault(player).parent, vault(other).parent)
    return other


def changed(rows, rule):
    return [[rule(*point) for point in row] for row in rows]


def distance(one, other) -> float:
    """How far apart the parts of two pictures are, on average."""
    pairs = [(a, b) for r, s in zip(one, other, strict=True) for p, q in zip(r, s, strict=True) for a, b in zip(p, q)]
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


def test_filters_are_bought_and_change_every_point_of_a_png(photographer, tmp_path):
    player = photographer()
    before = tmp_path / "before.png"
    write_picture(before, colours())
    lines = [f"{name} {before} {tmp_path / name}.png" for name in FILTERS]
    said, status = player.play(*lines)
    assert status == 1 and "Sepia is not yours yet: buy 1" in said and "Black and White" in said
    assert (tmp_path / "negative.png").exists() and not (tmp_path / "sepia.png").exists()

    said, status = player.play("buy 1", "2", *lines)
    assert status == 0 and "  Sepia is yours." in said and "Black and White is yours." in said, said
    for name, rule in FILTERS.items():
        assert points(tmp_path / f"{name}.png") == changed(colours(), rule), name
    assert vault_of(vault(player)).unlocks == {f"{BUNDLE}.sepia", f"{BUNDLE}.mono"}


def test_all_filters_are_one_product(photographer, tmp_path):
    before, after = tmp_path / "before.png", tmp_path / "after.png"
    write_picture(before, colours())
    said, status = photographer().play("buy 3", f"mono {before} {after}", f"sepia {before} {after}", "list")
    assert status == 0 and "yours: mono IN OUT" in said, said
    assert points(after) == changed(colours(), sepia)


@pytest.mark.rows("X1")
def test_the_club_has_all_filters_for_a_free_week_is_upgraded_at_once_and_refunded(photographer, shop, tester, tmp_path):
    before = tmp_path / "before.png"
    write_picture(before, colours())
    lines = [f"{name} {before} {tmp_path / name}.png" for name in ("sepia", "mono")]
    player = photographer()
    said, status = player.play("club", *lines)
    assert status == 1 and "You are not in the Filter Club" in said and "Sepia is not yours yet" in said
    assert "1 week free, then $0.99 for 1 month: join monthly" in said, said
    assert "1 week free, then $7.99 for 1 year: join yearly" in said, said

    said, status = player.play("join monthly", *lines, "list")
    assert status == 0 and "You are in the Filter Club (monthly). It renews on " in said, said
    assert points(tmp_path / "mono.png") == changed(colours(), mono)
    # Nobody has the free week twice, and nothing of the club is in the vault.
    assert said.count("1 week free") == 2 and "$7.99 for 1 year: join yearly" in said.split("Sepia:")[1], said
    assert vault_of(vault(player)).unlocks == set()

    game = player.start().type("join yearly")
    game.wait_for(r"You are in the Filter Club \(yearly\)\. It renews on ")
    bought = shop.ask("GET", f"/transactions?customer={tester['email']}")["items"]
    assert len(bought) == 2, bought
    shop.till("transactions", "refund", "last")
    game.wait_for("You are not in the Filter Club")
    said, status = game.type(lines[0]).end()
    assert status == 1 and "Sepia is not yours yet" in said


def test_a_jpeg_is_changed_as_far_as_its_form_allows(photographer, tmp_path):
    before = tmp_path / "before.jpg"
    write_picture(before, colours())
    # A picture is written in the form that its name says.
    results = {(name, end): tmp_path / f"{name}.{end}" for name in FILTERS for end in ("JPEG", "png")}
    lines = [f"{name} {before} {after}" for (name, _), after in results.items()]
    assert photographer().play("buy 3", *lines)[1] == 0
    for (name, end), after in results.items():
        assert after.read_bytes().startswith(b"\xff\xd8" if end == "JPEG" else b"\x89PNG")
        assert distance(points(after), changed(points(before), FILTERS[name])) < (4 if end == "JPEG" else 2)


def test_what_is_transparent_stays_so_and_a_palette_is_no_limit(photographer, tmp_path):
    player = photographer()
    mask, rows = tmp_path / "mask.pgm", colours(16, 16)
    mask.write_bytes(b"P5 16 16 255\n" + bytes(255 * (x % 2) for _ in range(16) for x in range(16)))
    write_picture(tmp_path / "opaque.png", rows)
    picture = converted("pngtopnm", str(tmp_path / "opaque.png"))
    (tmp_path / "half.png").write_bytes(converted("pnmtopng", f"-alpha={mask}", data=picture))
    few = converted("pnmtopng", data=converted("pnmquant", "-quiet", "16", data=picture))
    (tmp_path / "few.png").write_bytes(few)
    assert few[25] == 3, "the picture has a palette"
    lines = [f"negative {tmp_path / name}.png {tmp_path / name}-after.png" for name in ("half", "few")]
    assert player.play(*lines)[1] == 0
    assert converted("pngtopnm", "-alpha", str(tmp_path / "half-after.png")).endswith(mask.read_bytes()[-256:])
    assert points(tmp_path / "few-after.png") == changed(points(tmp_path / "few.png"), negative)


def test_the_pictures_of_the_documentation_are_what_the_app_makes(photographer, tmp_path):
    player = photographer()
    lines = [f"{name} {PICTURES / 'filter-before.png'} {tmp_path / name}.png" for name in FILTERS]
    assert player.play("buy 3", *lines)[1] == 0
    for name in ("sepia", "mono"):
        assert points(tmp_path / f"{name}.png") == points(PICTURES / f"filter-{name}.png")
        assert f"filter-{name}.png" in (REPOSITORY / "README.md").read_text()


def huge_png() -> bytes:
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))


def test_a_picture_that_is_none_is_explained_and_leaves_nothing(photographer, tmp_path):
    good, jpeg = tmp_path / "good.png", tmp_path / "good.jpg"
    write_picture(good, colours())
    write_picture(jpeg, colours())
    faults = {
        "missing": None,
        "empty": b"",
        "text": b"no picture",
        "cut png": good.read_bytes()[:200],
        "endless png": good.read_bytes()[:-12],
        "cut jpeg": jpeg.read_bytes()[:-300],
        "head of jpeg": jpeg.read_bytes()[:30],
        "huge": huge_png(),
    }
    lines = [f"negative {tmp_path} {tmp_path / 'folder.png'}", f"negative {good} /nowhere/a.png"]
    for name, content in faults.items():
        picture = tmp_path / name.replace(" ", "-")
        if content is not None:
            picture.write_bytes(content)
        lines.append(f"negative {picture} {picture}-after.png")
    player = photographer()
    said, status = player.play(*lines)
    answers = [line for line in said.splitlines() if str(tmp_path) in line or "/nowhere" in line]
    assert status == 1 and len(answers) == len(lines), said
    assert "million are taken" in answers[-1] and "/nowhere/a.png cannot be written" in answers[1], said
    assert "gd-" not in said and list(tmp_path.glob("*-after.png")) == []


def test_another_device_gets_filters_back_by_what_was_bought_originally(photographer, tester, shop):
    player = photographer()
    assert player.play("buy 1", "buy 2")[1] == 0
    other = photographer("other")
    said, status = other.play("restore", "restore")
    assert status == 0 and "  Sepia is yours again." in said and "  Black and White is yours again." in said
    assert said.count("Restored: 2.") == 2
    assert vault_of(vault(other)) == vault_of(vault(player))


def test_a_refunded_filter_is_locked_again(photographer, tester, shop, tmp_path):
    player = photographer()
    game = player.start().type("buy 1")
    game.wait_for("Sepia is yours.")
    shop.till("transactions", "refund", "last")
    game.wait_for("Sepia was refunded, and is locked again.")
    said = game.type("sepia a b").wait_for("Sepia is not yours yet")
    assert vault_of(vault(player)).unlocks == set() and "buy 1" in said
    game.kill()


def test_a_restored_home_filters_at_once_and_without_a_store(photographer, tmp_path):
    player = photographer()
    assert player.play("buy 1")[1] == 0
    before, after = tmp_path / "before.png", tmp_path / "after.png"
    write_picture(before, colours())
    said = bought_before(player, tmp_path / "new").play(f"sepia {before} {after}")[0]
    assert "What you bought comes from a backup, and is yours at once." in said
    assert points(after) == changed(colours(), sepia)


def test_on_a_machine_without_the_key_a_passphrase_opens_what_was_bought(photographer, tmp_path):
    player = photographer()
    assert player.play("buy 1", "protect correct horse battery staple")[1] == 0
    other = bought_before(player, tmp_path / "new")
    vault(other).with_suffix(".key").unlink()
    record = vault(other).read_bytes()
    # Another program opens it by the same words.
    assert read_vault(record, recovered_key(record, "correct horse battery staple")).unlocks == {f"{BUNDLE}.sepia"}

    said, status = other.play()
    assert status == 1 and "is not on this machine" in said and "PHOTOFILTERS_PASSPHRASE" in said
    other.environment["PHOTOFILTERS_PASSPHRASE"] = "correct horse battery stable"
    said, status = other.play()
    assert status == 1 and "is another one" in said and vault(other).read_bytes() == record
    other.environment["PHOTOFILTERS_PASSPHRASE"] = "correct horse battery staple"
    said = other.play("list")[0]
    assert "came from the recovery passphrase" in said and "yours: sepia IN OUT" in said
    del other.environment["PHOTOFILTERS_PASSPHRASE"]
    assert "came from the file beside the record" in other.play()[0]


def test_who_has_neither_key_nor_passphrase_begins_anew_and_restores(photographer, tmp_path):
    player = photographer()
    assert player.play("buy 1")[1] == 0
    vault(player).with_suffix(".key").unlink()
    record = vault(player).read_bytes()
    game = player.start("--begin-anew").type("restore")
    game.wait_for("Sepia is yours again.")
    assert game.end()[1] == 0
    assert vault(player).with_suffix(".damaged-1").read_bytes() == record
    assert header_of(vault(player).read_bytes())[0] != header_of(record)[0]
    assert vault_of(vault(player)).unlocks == {f"{BUNDLE}.sepia"}


def traced(player: Player, line: str, files: list[Path], *options: str) -> subprocess.CompletedProcess:
    """Runs the app under strace, which looks at what it does to these files."""
    command = ["strace", "-f", "-qq", *options]
    for file in files:
        command += ["-P", str(file)]
    return subprocess.run(
        [*command, str(SAMPLE)],
        input=f"{line}\n",
        env=player.environment,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=PATIENCE,
    )


def opens(record: bytes, passphrase: str) -> bool:
    try:
        return bool(recovered_key(record, passphrase))
    except InvalidTag:
        return False


def test_killed_at_any_step_of_a_change_it_has_what_was_before_or_after(photographer, tmp_path):
    player = photographer()
    assert player.play("buy 1", "protect the first passphrase")[1] == 0
    player.environment["STOREKIT_PROFILE"] = str(tmp_path / "missing.tillprofile")
    log, passphrase = tmp_path / "calls", "the first passphrase"
    # What is touched by changes alone: strace counts the calls of each thread by itself.
    places = {
        "openat,write,fsync,rename,unlink": [vault(player).with_suffix(".vault.new"), vault(player).parent],
        "pwrite64": [vault(player).with_suffix(".place")],
    }
    steps = []
    for names, files in places.items():
        traced(player, f"protect {passphrase}", files, "-e", f"trace={names}", "-o", str(log))
        calls = re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE)
        steps += [(name, calls[: at + 1].count(name), files) for at, name in enumerate(calls)]
    outcomes = []
    for name, number, files in steps:
        following = f"the passphrase of {name} {number}"
        kill = ("-e", f"trace={name}", "-e", f"inject={name}:signal=KILL:when={number}", "-o", "/dev/null")
        assert traced(player, f"protect {following}", files, *kill).returncode != 0
        record = vault(player).read_bytes()
        assert vault_of(vault(player)).unlocks == {f"{BUNDLE}.sepia"}, (name, number)
        outcomes.append(opens(record, following))
        assert opens(record, passphrase) != outcomes[-1], (name, number)
        passphrase = following if outcomes[-1] else passphrase
        said = player.play()[0]
        assert "yours: sepia IN OUT" in said and "comes from a backup" not in said, (name, number, said)
    # Some kills came too early and some too late to stop it.
    assert set(outcomes) == {False, True} and len(outcomes) >= 7, (steps, outcomes)


def test_a_line_that_is_no_command_is_explained(photographer):
    lines = ["dance", "join", "join weekly", "buy", "buy 4", "0", "sepia one", "negative a b c", "protect", "protect short"]
    said, status = photographer().play(*lines)
    answers = said.split("help shows what I do.\n", 1)[1].splitlines()
    assert status == 1 and len(answers) == len(lines) and "purchasing" not in said, said


def test_another_home_has_a_vault_of_its_own(photographer):
    player = photographer()
    del player.environment["XDG_DATA_HOME"]
    assert player.play("list")[1] == 0
    assert (player.home / ".local/share/PhotoFilters").is_dir()


def test_a_script_that_quits_is_told_that_something_failed(photographer):
    said, status = photographer().play("negative /nowhere/in.png out.png", "quit")
    assert status == 1, said
    assert photographer().play("list", "quit")[1] == 0
