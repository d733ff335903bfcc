"""Somebody at the pages of a storefront, without a browser."""

import html
import re

import requests

from support.shop import Shop
from support.waiting import PATIENCE


class Visitor:
    """A browser in which a tester is signed in."""

    def __init__(self, shop: Shop):
        self.shop, self.session = shop, requests.Session()
        self.email = shop.add_tester(paymentMethod="test_approved")["email"]
        answer = self.send("/us/sign-in?to=/library", email=self.email, password=Shop.PASSWORD)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/us/library")

    def get(self, path: str, **headers) -> requests.Response:
        return self.session.get(self.shop.address + path, headers=headers, timeout=PATIENCE, allow_redirects=False)

    def send(self, path: str, **form) -> requests.Response:
        return self.session.post(self.shop.address + path, data=form, timeout=PATIENCE, allow_redirects=False)

    def open(self, item: int) -> str:
        """Presses the button of an item; gives the address of its sheet."""
        answer = self.send("/us/buy", item=item)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    def agree(self, sheet: str):
        code = re.search(r'name="code" value="([^"]*)"', self.get(sheet).text)
        assert code, "the sheet does not ask"
        assert self.send(f"{sheet}/confirmation", code=html.unescape(code[1])).status_code == 303

    def has(self, title: str) -> bool:
        return title in self.get("/us/library").text


def item(shop: Shop, term: str, entity: str) -> int:
    found = requests.get(
        f"{shop.address}/search", {"term": term, "entity": entity, "country": "us"}, timeout=PATIENCE
    ).json()["results"][0]
    return found.get("trackId") or found["collectionId"]
