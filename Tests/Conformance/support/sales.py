"""Rows of sales, written into the databases of a store as the store itself writes them."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

APP = 4242
BUNDLE = "com.example.monkey"
SECRET = "0123456789abcdef0123456789abcdef"
DEVICE_IDENTIFIER = bytes(range(16))
FIRST_TRANSACTION = {"production": 170_000_000_000_001, "sandbox": 2_000_000_000_000_001}
PURCHASED = 1_790_000_000_123
MONTH_LATER = 1_792_592_000_123


class Sales:
    """The sales of one environment: customer 7 on a device whose token is known."""

    def __init__(self, data: Path, environment: str):
        self.path = data / "databases" / f"{environment}.sqlite"
        self.catalogue = data / "databases" / "catalogue.sqlite"
        self.environment = environment
        self.token = f"token-of-{environment}"
        self.transactions: list[dict] = []

    def begin(self):
        insert(
            self.catalogue,
            "INSERT OR IGNORE INTO app (app_id, bundle_id, name, primary_language, capabilities_revision, created_at) "
            "VALUES (?, ?, 'Monkey', 'en', 1, 0)",
            (APP, BUNDLE),
        )
        insert(
            self.catalogue,
            "INSERT INTO app_secret (app_id, environment, secret) VALUES (?, ?, ?)",
            (APP, self.environment, SECRET),
        )
        insert(
            self.path,
            "INSERT INTO customer (id, email, email_key, kind, first_name, last_name, storefront, purchases_allowed, "
            "interrupts_purchases, clock_id, created_at) "
            "VALUES (7, 'ann@example.com', 'ann@example.com', 'tester', 'Ann', 'M', 'USA', 1, 0, 0, 0)",
        )
        token = hashlib.sha256(self.token.encode()).digest()
        insert(
            self.path,
            "INSERT INTO device (id, app_id, bundle_id, public_key, key_hash, identifier, vendor_identifier, "
            "token_hash, token_expires_at, customer_id, storefront, language, app_version, original_app_version, "
            "app_transaction_id, purchases_allowed, is_simulator, registered_at, seen_at) "
            "VALUES (3, ?, ?, x'00', x'00', ?, ?, ?, ?, 7, 'USA', 'en', '2.1', '1.4', ?, 1, 0, 0, 0)",
            (
                APP,
                BUNDLE,
                DEVICE_IDENTIFIER,
                "00010203-0405-0607-0809-0A0B0C0D0E0F",
                token,
                2**60,
                FIRST_TRANSACTION[self.environment],
            ),
        )

    def sell(self, product: str, kind: str = "Consumable", quantity: int = 1) -> dict:
        identifier = FIRST_TRANSACTION[self.environment] + len(self.transactions)
        renews = kind == "Auto-Renewable Subscription"
        row = {
            "id": identifier,
            "original_id": identifier,
            "order_id": identifier,
            "customer_id": 7,
            "device_id": 3,
            "app_id": APP,
            "bundle_id": BUNDLE,
            "item_id": 5151,
            "product_id": f"{BUNDLE}.{product}",
            "kind": kind,
            "quantity": quantity,
            "purchase_date": PURCHASED + 1000 * len(self.transactions),
            "original_purchase_date": PURCHASED + 1000 * len(self.transactions),
            "expires_date": MONTH_LATER if renews else None,
            "web_order_line_item_id": identifier if renews else None,
            "group_id": "20001" if renews else None,
            "storefront": "USA",
            "price": 199,
            "currency": "USD",
            "account_token": "00000000-0000-4000-8000-0000000000ff",
            "reason": "PURCHASE",
        }
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        insert(self.path, f"INSERT INTO store_transaction ({names}) VALUES ({marks})", tuple(row.values()))
        self.transactions.append(row)
        return row

    def revoke(self, transaction: dict, at: int):
        insert(
            self.path,
            "INSERT INTO transaction_revocation (transaction_id, reason, revoked_at) VALUES (?, 1, ?)",
            (transaction["id"], at),
        )


def insert(path: Path, statement: str, values: tuple = ()):
    with closing(sqlite3.connect(path, timeout=30)) as database, database:
        database.execute(statement, values)
