"""R7.5, R7.6: the partner feed over HTTP, read by the rules of Apple's importer, and what partners see of their sales."""

import hashlib
import json
import re

import pytest
import requests

from conftest import tool_path
from support.feed_importer import extracted, imported, streamed
from support.shop import Shop
from support.visitor import Visitor, item
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")


class Partner:
    """Somebody who fetches the feed of a sandbox."""

    def __init__(self, shop: Shop):
        self.shop = shop
        made = shop.ask("POST", "/partners", {"name": "Game Guide", "email": "guide@example.com", "commission": 7000})
        self.token = made["token"]
        self.key = shop.ask("POST", f"/partners/{self.token}/approval")["key"]

    def get(self, path: str, root: str = "/feeds/epf/v5/", **options) -> requests.Response:
        options.setdefault("auth", (self.token, self.key))
        return requests.get(f"{self.shop.address}{root}{path}", timeout=PATIENCE, **options)

    def links(self, path: str) -> list[str]:
        """As crawlers read a folder: the links of table > tr > td > a."""
        answer = self.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return re.findall(r'<tr><td><a href="([^"]+)">', answer.text)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("feed") / "store")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def partner(shop) -> Partner:
    return Partner(shop)


def make(shop: Shop, *words: str) -> dict:
    made = shop.till("feed", "make", *words, "--json")
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


def test_every_archive_of_the_feed_is_what_importers_and_loaders_read(shop, partner):
    feed = make(shop, "--mode", "full")
    assert feed["state"] == "ready"
    date, tables = feed["date"], {table["name"]: table for table in feed["tables"]}
    assert partner.links("") == ["current/", f"{date}/"]
    found = {}
    for group in partner.links("current/"):
        assert re.fullmatch(rf"(itunes|match|popularity|pricing){date}/", group)
        names = [name for name in partner.links(f"current/{group}") if name.endswith(".tbz")]
        for name in names:
            archive = partner.get(f"current/{group}{name}").content
            told = partner.get(f"current/{group}{name}.md5").text
            assert told == f"MD5 ({name}) = {hashlib.md5(archive).hexdigest()}\n"
            table = name.removesuffix(".tbz")
            content = extracted(archive, table)
            assert streamed(archive) == content
            found[table] = imported(content)
            assert len(found[table].records) == tables[table]["records"]
    assert found.keys() == tables.keys()
    assert found["storefront"].rows()[0].keys() == {"export_date", "storefront_id", "country_code", "name"}
    assert len(found["storefront"].records) == 175
    if "application" in found:
        apps = {row["application_id"] for row in found["application"].rows()}
        assert {row["application_id"] for row in found["application_price"].rows()} <= apps
        assert all(row["view_url"].startswith(shop.address) for row in found["application"].rows())
    genres = {row["genre_id"] for row in found["genre"].rows()}
    for table in ("genre_application", "genre_collection", "genre_video", "genre_artist"):
        if table in found:
            assert {row["genre_id"] for row in found[table].rows()} <= genres


def test_an_interrupted_fetch_goes_on_where_it_was(shop, partner):
    make(shop, "--mode", "full")
    group = partner.links("current/")[0]
    place = f"current/{group}storefront.tbz"
    whole = partner.get(place)
    first = partner.get(place, headers={"Range": "bytes=0-99"})
    assert first.status_code == 206 and first.content == whole.content[:100]
    rest = partner.get(place, headers={"Range": "bytes=100-", "If-Range": first.headers["ETag"]})
    assert rest.status_code == 206 and first.content + rest.content == whole.content
    head = requests.head(
        f"{shop.address}/feeds/epf/v5/{place}", auth=(partner.token, partner.key), timeout=PATIENCE
    )
    assert head.status_code == 200 and int(head.headers["Content-Length"]) == len(whole.content)
    unchanged = partner.get(place, headers={"If-None-Match": whole.headers["ETag"]})
    assert unchanged.status_code == 304


def test_nobody_but_an_approved_partner_is_let_in(shop, partner):
    make(shop, "--mode", "full")
    waiting = shop.ask("POST", "/partners", {"name": "New", "email": "new@example.com", "commission": 1000})
    nearly = partner.key[:-1] + ("0" if partner.key[-1] != "0" else "1")
    shown = [
        None, (partner.token, "wrong"), (partner.token, nearly), (waiting["token"], partner.key),
        ("", partner.key), (partner.token, ""),
    ]
    for place in ("", "current/", "nowhere", "/partners", "/partners/report.csv"):
        root = "" if place.startswith("/") else "/feed/epf/v5/"
        for auth in shown:
            answer = requests.get(f"{shop.address}{root}{place}", auth=auth, timeout=PATIENCE)
            assert answer.status_code == 401, f"{place} {auth}"
            assert answer.headers["WWW-Authenticate"].startswith("Basic ")
            assert partner.key not in answer.text
    assert partner.get("", root="/partners").status_code == 200
    ended = Partner(shop)
    assert ended.get("").status_code == 200
    shop.ask("POST", f"/partners/{ended.token}/end")
    assert ended.get("").status_code == 401


def test_paths_of_the_feed_lead_nowhere_else(shop, partner):
    make(shop, "--mode", "full")
    for path in ("%2e%2e/", "current/..%2f..%2f", "current//", "20200101/", "current/x.tbz"):
        assert partner.get(path).status_code in (400, 404), path
    moved = partner.get("current", allow_redirects=False)
    assert moved.status_code == 301 and moved.headers["Location"] == "/feeds/epf/v5/current/"


def test_a_store_that_is_killed_makes_its_feed_to_the_end(shop, partner):
    before = make(shop, "--mode", "full")["number"]
    begun = make(shop, "--mode", "full", "--no-wait")
    assert begun["number"] > before
    shop.kill()
    shop.start()
    wait_until(lambda: shop.ask("GET", f"/partner-feeds/{begun['number']}")["state"] == "ready")


def test_the_commands_tell_what_the_routes_do(shop):
    made = shop.till("partners", "create", "Song Letter", "--email", "song@example.com", "--share", "2.5", "--json")
    token = json.loads(made.stdout)["token"]
    approved = shop.till("partners", "approve", token)
    assert approved.stdout.startswith("tillp_") and token in approved.stderr
    assert shop.till("partners", "share", token, "5").returncode == 0
    assert token in shop.till("partners", "list").stdout
    assert "approved by" in shop.till("partners", "show", token).stdout
    report = shop.till("partners", "report", token, "--csv")
    assert report.stdout.splitlines() == ["at,kind,campaign,item,storefront,paid,commission,currency"]
    assert shop.till("partners", "end", token).returncode == 0
    with pytest.raises(AssertionError, match="must be the token of a partner"):
        shop.till("partners", "approve", "nothing")
    assert "full" in shop.till("feed", "list").stdout


def test_a_link_of_a_partner_earns_and_a_refund_takes_it_back(shop, partner):
    """R7.6, over the pages: the link, the cookie, the sale, the books, what the partner sees, and the refund."""
    ada, book = Visitor(shop), item(shop, "dot and the kangaroo", "ebook")
    page = ada.get(f"/us/book/id{book}?at={partner.token}&ct=letter_1")
    if page.status_code in (301, 302, 303, 307, 308):
        page = ada.get(page.headers["Location"])
    assert ada.session.cookies.get("till_sandbox_referral"), "the link leaves a ticket"
    ada.agree(ada.open(book))
    wait_until(lambda: ada.has("Dot and the Kangaroo"))
    rows = partner.get("report.csv", root="/partners/").text.splitlines()
    at, kind, campaign, number, storefront, paid, share, currency = rows[1].split(",")
    assert (kind, campaign, storefront, currency) == ("sale", "letter_1", "USA", "USD")
    assert float(share) == round(float(paid) * 0.07 + 1e-9, 2) and float(share) > 0
    shown = partner.get("", root="/partners").text
    assert f"You are owed {share} USD." in shown and ada.email not in shown

    sold = [one for one in shop.ask("GET", "/transactions")["items"] if one["productId"] == f"item.{book}"]
    shop.till("transactions", "refund", sold[0]["transactionId"])
    report = json.loads(shop.till("partners", "report", partner.token, "--json").stdout)
    assert report["items"][0]["refunds"] == 1 and report["totals"] == [{"commission": "0.00", "currency": "USD"}]
    assert "In order." in shop.till("ledger", "check").stdout


def test_a_sale_without_a_ticket_of_the_store_is_nobodys(shop, partner):
    ben, book = Visitor(shop), item(shop, "dot and the kangaroo", "ebook")
    ben.agree(ben.open(book))
    wait_until(lambda: ben.has("Dot and the Kangaroo"))
    assert not ben.session.cookies.get("till_sandbox_referral")
    forged = requests.cookies.create_cookie("till_sandbox_referral", "1001.99999999999999.x.AAAA", domain="127.0.0.1")
    ben.session.cookies.set_cookie(forged)
    song = item(shop, "ebb", "song")
    ben.agree(ben.open(song))
    rows = partner.get("report.csv", root="/partners/").text
    assert str(song) not in rows
