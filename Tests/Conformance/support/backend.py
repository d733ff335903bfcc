"""A developer's server beside a shop: a key that the store has made, Apple's library at the store's address, and a receiver."""

import contextlib
import json
import sqlite3
from pathlib import Path

import requests
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.CheckTestNotificationResponse import CheckTestNotificationResponse
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from support.shop import Shop
from support.waiting import PATIENCE, wait_until

ENVIRONMENTS = {"production": Environment.PRODUCTION, "sandbox": Environment.SANDBOX}


class Backend:
    """The server of one app in one environment."""

    def __init__(self, shop: Shop, folder: Path, bundle: str = Shop.BUNDLE, environment: str = "sandbox"):
        self.shop, self.folder, self.bundle, self.environment = shop, folder, bundle, environment
        self.address = f"http://127.0.0.1:{getattr(shop, environment)}"
        self.app = int(shop.ask("GET", f"/apps/{bundle}")["appId"])
        key = folder / f"{bundle}-{environment}.p8"
        made = shop.till("api-key", "create", "Backend", "--environment", environment, "--output", str(key), "--json")
        said = json.loads(made.stdout)["key"]
        self.key_id, self.issuer_id, self.private_key = said["keyId"], said["issuerId"], key.read_bytes()

    def client(self, kind=AppStoreServerAPIClient, **more):
        """Apple's client, unmodified but for its base address."""
        said = {"key_id": self.key_id, "issuer_id": self.issuer_id, "bundle_id": self.bundle, **more}
        client = kind(self.private_key, **said, environment=ENVIRONMENTS[self.environment])
        client._base_url = self.address
        return client

    def request(self, method: str, path: str, body=None, token: str | None = None, **options) -> requests.Response:
        headers = {"Authorization": f"Bearer {token or self.client()._generate_token()}", **options.pop("headers", {})}
        return requests.request(
            method, self.address + path, json=body, headers=headers, timeout=PATIENCE, allow_redirects=False, **options
        )

    def root(self) -> bytes:
        """The certificate that verifiers trust, in DER."""
        file = self.folder / f"{self.environment}-root.der"
        if not file.exists():
            self.shop.till("keys", "root", "--environment", self.environment, "--der", "--output", str(file))
        return file.read_bytes()

    def verifier(self, online: bool = True) -> SignedDataVerifier:
        return SignedDataVerifier([self.root()], online, ENVIRONMENTS[self.environment], self.bundle, self.app)

    def receive(self, url: str, **more):
        """Has the notifications of the app sent to a receiver."""
        answer = requests.put(
            f"{self.address}/control/v1/apps/{self.bundle}/notification-settings", json={"url": url, **more},
            headers={"Authorization": f"Bearer {self.shop.tokens[self.environment]}"}, timeout=PATIENCE)
        assert answer.ok, answer.text

    def test_notification(self) -> CheckTestNotificationResponse:
        """What Apple's client says of a test notification, once it was tried to be sent."""
        client = self.client()
        token = client.request_test_notification().testNotificationToken
        self.settle()
        return client.get_test_notification_status(token)

    def settle(self):
        """Waits until nothing is to be sent."""
        wait_until(lambda: self.rows("SELECT count(*) FROM notification WHERE state IN ('waiting', 'due')") == [(0,)])

    def rows(self, statement: str) -> list[tuple]:
        """What the database of the environment has."""
        path = next(self.shop.data.rglob(f"{self.environment}.sqlite"))
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=PATIENCE)) as database:
            return database.execute(statement).fetchall()
