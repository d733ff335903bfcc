"""Customers on the pages of the store with the real program: what they buy outlives kills, and is theirs alone."""

import re

import pytest
import requests

from conftest import tool_path
from support.shop import Shop
from support.visitor import Visitor, item
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("R7.7", "X5")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("storefront") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


def test_what_is_bought_on_a_page_outlives_kills_and_goes_with_a_refund(shop):
    ada, book = Visitor(shop), item(shop, "dot and the kangaroo", "ebook")
    sheet = ada.open(book)
    shop.kill()
    shop.start()
    assert ada.open(book) == sheet, "the button opens the sheet that waits"
    ada.agree(sheet)
    shop.kill()
    shop.start()
    wait_until(lambda: ada.has("Dot and the Kangaroo"))
    page = ada.get(sheet).text
    assert f"/us/book/dot-and-the-kangaroo/id{book}" in page

    address = f"/us/library/{book}/file/package/1"
    whole = ada.get(address)
    assert whole.status_code == 200 and whole.headers["Content-Disposition"].startswith("attachment")
    first = ada.get(address, Range="bytes=0-99")
    rest = ada.get(address, **{"Range": "bytes=100-", "If-Range": first.headers["ETag"]})
    assert (first.status_code, rest.status_code) == (206, 206)
    assert first.content + rest.content == whole.content

    sold = [one for one in shop.ask("GET", "/transactions")["items"] if one["productId"] == f"item.{book}"]
    assert len(sold) == 1, "one press, one sale"
    shop.till("transactions", "refund", sold[0]["transactionId"])
    assert not ada.has("Dot and the Kangaroo")
    gone = ada.get(address)
    assert gone.status_code == 403 and "This is not in your library" in gone.text, gone.text
    assert "In order." in shop.till("ledger", "check").stdout


def test_a_stranger_with_the_address_of_a_file_gets_nothing(shop):
    ada, ben, album = Visitor(shop), Visitor(shop), item(shop, "low tide", "album")
    ada.agree(ada.open(album))
    wait_until(lambda: ada.has("Low Tide"))
    song = item(shop, "ebb", "song")
    address = f"/us/library/{song}/file/package/1"
    assert ada.get(address).status_code == 200, "a song comes with its album"
    assert ben.get(address).status_code == 403
    form = ben.get(f"/us/review?item={album}")
    assert form.status_code == 403 and "This is not in your library" in form.text, "nobody writes what is refused then"
    assert not ben.has("Low Tide")
    nobody = requests.get(shop.address + address, timeout=PATIENCE, allow_redirects=False)
    assert (nobody.status_code, nobody.headers["Location"]) == (303, "/us/sign-in?to=%2Flibrary")
    production = requests.get(
        f"http://127.0.0.1:{shop.production}{address}", cookies=ada.session.cookies, timeout=PATIENCE,
        allow_redirects=False,
    )
    assert production.status_code == 303, "a session of the sandbox is nobody's in production"


def test_a_review_is_written_by_those_who_have_the_item_and_reported_by_anybody(shop):
    ada, ben, book = Visitor(shop), Visitor(shop), item(shop, "dot and the kangaroo", "ebook")
    ada.agree(ada.open(book))
    wait_until(lambda: ada.has("Dot and the Kangaroo"))
    said = {"item": book, "stars": 2, "title": "Too short", "body": "<b>Not</b> enough kangaroos", "nickname": "ada"}
    assert ada.send("/us/review?to=/library", **said).status_code == 303
    page = f"/us/reviews/{book}"
    text = ben.get(page).text
    assert "&lt;b&gt;Not&lt;/b&gt; enough kangaroos" in text and ada.email not in text
    review = int(re.search(r"review=(\d+)", text)[1])
    assert ben.send("/us/report", review=review, reason="offensive").status_code == 303
    refused = ben.send("/us/review", **said)
    assert refused.status_code == 400, "only those review an item who have it"
    assert "Too short" in refused.text, "the form is as it was left"
