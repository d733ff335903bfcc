"""A subscription of the customer of :mod:`support.sales`, written into the database as the store itself writes it."""

import time

from support.sales import APP, BUNDLE, Sales, insert

DAY = 24 * 60 * 60 * 1000
# Long ago, so that it is over on every machine.
BEGUN = 1_700_000_000_123
RENEWED = BEGUN + 30 * DAY
END = RENEWED + 31 * DAY


class Subscription:
    """Two periods, the second of which runs to :data:`END`, and the row of the subscription."""

    def __init__(self, sales: Sales):
        self.sales = sales
        first = self._period(BEGUN, RENEWED, "PURCHASE")
        self.original = first["id"]
        self.latest = self._period(RENEWED, END, "RENEWAL")["id"]
        self._insert(
            "subscription",
            original_id=self.original,
            customer_id=7,
            app_id=APP,
            bundle_id=BUNDLE,
            group_key="20001",
            group_id="20001",
            storefront="USA",
            latest_id=self.latest,
            orders=1,
            counts_until=END,
            history_count=2,
            state="active",
            currency="USD",
            renews=1,
            item_id=5151,
            product_id=f"{BUNDLE}.monthly",
            period="P1M",
            level=2,
            price=499,
            starts_at=RENEWED,
            ends_at=END,
            anchor=BEGUN,
            number=2,
            scale="calendar",
            offer_left=0,
            renewals=1,
            began_at=BEGUN,
            charge_state="none",
        )

    def _period(self, start: int, end: int, reason: str) -> dict:
        row = self.sales.sell("monthly", "Auto-Renewable Subscription")
        original = getattr(self, "original", row["id"])
        self._execute(
            "UPDATE store_transaction SET original_id = ?, purchase_date = ?, original_purchase_date = ?, "
            "expires_date = ?, reason = ? WHERE id = ?",
            (original, start, BEGUN, end, reason, row["id"]),
        )
        return row

    def set(self, counts_until_now: bool = False, **columns):
        """Changes the row. Where the subscription is to count today, its period does not end for long."""
        if counts_until_now:
            later = int(time.time() * 1000) + 10 * DAY
            columns["grace_ends_at" if columns.get("state") == "grace" else "ends_at"] = later
        for name, value in columns.items():
            self._execute(f"UPDATE subscription SET {name} = ? WHERE original_id = ?", (value, self.original))

    def set_period(self, **columns):
        """Changes the newest period."""
        for name, value in columns.items():
            self._execute(f"UPDATE store_transaction SET {name} = ? WHERE id = ?", (value, self.latest))

    def upgrade(self, transaction: int):
        self._insert("transaction_upgrade", transaction_id=transaction, upgraded_to=self.latest, upgraded_at=RENEWED)

    def revoke(self, transaction: int, at: int):
        self._insert("transaction_revocation", transaction_id=transaction, reason=1, revoked_at=at)

    def remove(self):
        """Leaves nothing of it, so that the next one begins anew."""
        for table in ("transaction_upgrade", "transaction_revocation"):
            self._execute(f"DELETE FROM {table} WHERE transaction_id IN (?, ?)", (self.original, self.latest))
        self._execute("DELETE FROM store_transaction WHERE id IN (?, ?)", (self.original, self.latest))
        self._execute("DELETE FROM subscription WHERE original_id = ?", (self.original,))

    def _insert(self, table: str, **row):
        marks = ", ".join("?" * len(row))
        self._execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))

    def _execute(self, statement: str, values: tuple):
        insert(self.sales.path, statement, values)
