"""Content on its way to a store, over bad lines and with stores and commands that are killed."""

import hashlib
import json
import random
import re
import subprocess

import pytest
import requests

from support.content import NUMBERS, TILL, content, made, make_project, rules
from support.cutting_proxy import CuttingProxy
from support.till import Till, run
from support.waiting import PATIENCE, wait_until

BUNDLE = "com.example.book"


@pytest.fixture
def product():
    """A product of its own for each test, since all share a store."""
    return f"com.example.book.chapter{next(NUMBERS)}"


@pytest.fixture
def project(tmp_path, product):
    return make_project(tmp_path / "chapter1", product)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store that runs, with an app."""
    data = tmp_path_factory.mktemp("store") / "data"
    process = Till(TILL, data)

    def command(*words, **options):
        result = run(TILL, *words, "--data", data, **options)
        assert result.returncode == 0, result.stderr
        return result.stdout

    command.process = process
    command.data = data
    command("apps", "create", BUNDLE, "Book")
    token = json.loads(command("control-token", "create", "push", "--environment", "production", "--json"))["token"]
    command.token = data.parent / "token"
    command.token.write_text(token + "\n")
    yield command
    assert command.process.stop() == 0


@pytest.fixture
def shop(store, product):
    """The store with a product that waits for its content."""
    store(*f"products put {BUNDLE} {product} --type non-consumable --title Chapter --price 0.99".split())
    store("products", "hosting", BUNDLE, product, "on")
    return store


def port(shop) -> int:
    return int(shop.process.ready["production"].rsplit(":", 1)[1])


def kept(shop, product) -> int:
    """How many bytes of its first upload the store has written down."""
    answer = requests.get(
        f"{shop.process.ready['production']}/control/v1/apps/{BUNDLE}/products/{product}/content/uploads/1",
        headers={"Authorization": f"Bearer {shop.token.read_text().strip()}"}, timeout=PATIENCE,
    )
    upload = answer.json() if answer.ok else {"received": [], "begun": []}
    return (len(upload["received"]) << 23) + sum(part["bytes"] for part in upload["begun"])


@pytest.fixture
def big(tmp_path, product):
    """A package of five parts."""
    folder = tmp_path / "big"
    made("new", folder, "--product", product)
    (folder / "Contents" / "film.mp4").write_bytes(random.Random(2).randbytes(36 << 20))
    made("pack", folder)
    return tmp_path / "big.pkg"


@pytest.mark.rows("R6.3")
def test_content_is_pushed_from_its_folder_and_a_newer_version_has_to_be_above_it(shop, project, product):
    said = made("push", project, "--data", shop.data, "--wait")
    assert f"submitted: {product} version 1.0" in said and "next:" in said
    assert re.search(r"^ +1  1\.0 ", shop("content", "versions", BUNDLE, product), re.MULTILINE)
    # The same package is not sent twice.
    assert "upload 1" in made("push", project, "--data", shop.data)
    (project / "Contents" / "1.html").write_text("changed")
    result = content("push", project, "--data", shop.data)
    assert rules(result) == {"version_not_raised"}
    info = project / "ContentInfo.plist"
    info.write_text(info.read_text().replace(">1.0<", ">1.1<"))
    said = made("push", project, "--data", shop.data, "--app", BUNDLE, "--wait", "--working-folder", project.parent)
    assert "upload 2" in said and "the sandbox delivers it" in said
    shop("content", "withdraw", BUNDLE, product, "2")
    assert re.search(r"^ +2  1\.1 +withdrawn ", shop("content", "versions", BUNDLE, product), re.MULTILINE)


@pytest.mark.rows("R6.3")
def test_a_push_survives_cut_connections_and_sends_little_twice(shop, big):
    proxy = CuttingProxy(port(shop), [1000, 9 << 20, 12 << 20, None])
    words = ["push", big, "--store", proxy.address, "--token-file", shop.token, "--json"]
    answer = json.loads(made(*words))
    proxy.close()
    assert answer["packageDigest"] == hashlib.sha256(big.read_bytes()).hexdigest()
    assert proxy.connections_cut == 3
    # Of each cut no more than a part is lost.
    assert proxy.sent < big.stat().st_size + 3 * (8 << 20)


@pytest.mark.rows("R6.3")
def test_a_push_that_was_killed_goes_on_within_the_part_where_it_stopped(shop, big, product):
    proxy = CuttingProxy(port(shop), [20 << 20])
    proxy.may_go_on.clear()
    words = ["content", "push", big, "--store", proxy.address, "--token-file", shop.token]
    first = subprocess.Popen([str(word) for word in [TILL, *words]], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    proxy.wait_for_cut(PATIENCE)
    wait_until(lambda: kept(shop, product) > 19 << 20)
    first.kill()
    first.communicate(timeout=PATIENCE)
    proxy.may_go_on.set()
    result = run(TILL, *words)
    proxy.close()
    assert result.returncode == 0, result.stderr
    assert re.search(r"going on: 2\d\.\d MB of 37\.\d MB are there", result.stderr)
    # Less than the third part, most of which was there, comes twice.
    assert proxy.sent < big.stat().st_size + (8 << 20)


@pytest.mark.rows("R6.3")
def test_a_push_survives_a_store_that_is_killed_and_sends_only_what_was_not_written(shop, big, product):
    proxy = CuttingProxy(port(shop), [20 << 20])
    proxy.may_go_on.clear()
    words = [TILL, "content", "push", big, "--store", proxy.address, "--token-file", shop.token]
    push = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    proxy.wait_for_cut(PATIENCE)
    wait_until(lambda: kept(shop, product) > 19 << 20)
    shop.process.send(9)
    shop.process.stop()
    shop.process = Till(TILL, shop.data)
    proxy.port_behind = port(shop)
    proxy.may_go_on.set()
    output, errors = push.communicate(timeout=PATIENCE)
    proxy.close()
    assert push.returncode == 0, errors
    assert "trying again" in errors and "submitted:" in output
    assert proxy.sent < big.stat().st_size + (8 << 20)


@pytest.mark.rows("R6.3")
def test_a_push_that_waits_survives_a_store_that_is_restarted(tmp_path, product):
    data = tmp_path / "data"
    process = Till(TILL, data, "--content-processing", "4s")
    for words in (
        f"apps create {BUNDLE} Book",
        f"products put {BUNDLE} {product} --type non-consumable --title Chapter --price 0.99",
        f"products hosting {BUNDLE} {product} on",
    ):
        assert run(TILL, *words.split(), "--data", data).returncode == 0
    project = make_project(tmp_path / "chapter1", product)
    words = [TILL, "content", "push", project, "--data", data, "--wait"]
    push = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: "processing" in run(TILL, "content", "versions", BUNDLE, product, "--data", data).stdout)
    process.send(9)
    process.stop()
    assert "trying again" in push.stderr.readline()
    process = Till(TILL, data)
    output, errors = push.communicate(timeout=PATIENCE)
    assert push.returncode == 0, errors
    assert "submitted:" in output and "the sandbox delivers it" in output
    assert process.stop() == 0


def test_a_push_elsewhere_needs_a_token_and_a_safe_line(shop, project, product):
    place = shop.process.ready["production"]
    assert content("push", project, "--store", place).returncode == 77
    assert content("push", project, "--store", place, environment={"TILL_TOKEN": "wrong"}).returncode == 77
    far = content("push", project, "--store", "http://store.example.com", environment={"TILL_TOKEN": "x"})
    assert far.returncode == 64 and "https" in far.stderr


def test_a_product_of_no_app_and_a_product_that_hosts_nothing_are_told(shop, project, product):
    shop("products", "hosting", BUNDLE, product, "off")
    result = content("push", project, "--data", shop.data)
    assert result.returncode == 1 and "hosting" in result.stderr
    info = project / "ContentInfo.plist"
    info.write_text(info.read_text().replace(product, "com.example.other"))
    result = content("push", project, "--data", shop.data)
    assert result.returncode == 66 and "com.example.other" in result.stderr
