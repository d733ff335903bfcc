"""`till backend serve` beside a store: what becomes of a subscriber arrives there, whatever way it takes."""

import contextlib
import sqlite3

import pytest
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest

from conftest import tool_path
from support.backend import Backend
from support.own_server import OwnServer
from support.randomness import generator
from support.shop import Shop
from support.waiting import PATIENCE, wait_until
from test_subscriber_year import play, plan, shop, steps

pytestmark = pytest.mark.rows("R5.6", "P12", "P23")

TILL = tool_path().with_name("till")


class Subscribers(OwnServer):
    """The server of an app's developer, which has the key of the app and the root of its sandbox."""

    def __init__(self, shop: Shop, backend: Backend):
        backend.root()
        folder, key = backend.folder, f"{backend.bundle}-{backend.environment}.p8"
        super().__init__(
            TILL, folder / "own", "--bundle", backend.bundle, "--store-sandbox", shop.address,
            "--root", str(folder / "sandbox-root.der"), "--key", str(folder / key), "--key-id", backend.key_id,
            "--issuer", backend.issuer_id)
        backend.receive(f"{self.address}/notifications")

    def rows(self, statement: str) -> list[tuple]:
        path = next(self.data.rglob("*.sqlite"))
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=PATIENCE)) as database:
            return database.execute(statement).fetchall()

    def periods(self) -> dict[str, tuple]:
        found = self.rows("SELECT transaction_id, product_id, expires_at, revoked_at FROM backend_purchase")
        return {str(row[0]): row[1:] for row in found}

    def renewals(self) -> dict[str, tuple]:
        found = self.rows(
            "SELECT original_transaction_id, renews, next_product_id, renewal_date, grace_period_ends,"
            " is_in_billing_retry FROM backend_renewal")
        return {str(row[0]): row[1:] for row in found}


def said_by_the_store(backend: Backend, originals: list[str]) -> tuple[dict, dict]:
    """The same as Apple's library reads it from the store."""
    client, verifier = backend.client(), backend.verifier()
    periods, renewals = {}, {}
    for original in originals:
        revision, more = None, True
        while more:
            page = client.get_transaction_history(original, revision, TransactionHistoryRequest())
            for signed in page.signedTransactions:
                one = verifier.verify_and_decode_signed_transaction(signed)
                periods[one.transactionId] = (one.productId, one.expiresDate, one.revocationDate)
            revision, more = page.revision, page.hasMore
        for group in client.get_all_subscription_statuses(original).data:
            for item in group.lastTransactions:
                one = verifier.verify_and_decode_renewal_info(item.signedRenewalInfo)
                renewals[one.originalTransactionId] = (
                    one.rawAutoRenewStatus, one.autoRenewProductId, one.renewalDate, one.gracePeriodExpiresDate,
                    int(one.isInBillingRetryPeriod or False))
    return periods, renewals


@pytest.fixture(scope="module")
def backend(shop, tmp_path_factory):
    return Backend(shop, tmp_path_factory.mktemp("backend"))


@pytest.fixture(scope="module")
def server(shop, backend):
    server = Subscribers(shop, backend)
    yield server
    assert server.stop() == 0, server.log_text()


def test_a_year_that_comes_twice_and_again_in_any_order_is_what_the_store_says(shop, backend, server):
    shop.till("faults", "add", "--notifications", "--duplicate")
    number = None
    for step in steps():
        play(shop, backend, step.act.replace("$SUBSCRIPTION", str(number)))
        backend.settle()
        number = number or backend.rows("SELECT original_id FROM notification ORDER BY written_at LIMIT 1")[0][0]
    told = [row[0] for row in backend.rows("SELECT uuid FROM notification WHERE state = 'delivered'")]
    assert len(told) > 30
    assert server.rows("SELECT count(*) FROM backend_notification") == [(len(told),)]
    recorded = (server.periods(), server.renewals())
    periods, renewals = said_by_the_store(backend, sorted(recorded[1]))
    assert recorded[0] == periods and set(recorded[1]) == set(renewals)
    # Whoever lost what the family shared is not told how it goes on.
    assert recorded[1][str(number)] == renewals[str(number)]
    shop.till("faults", "clear")
    generator("resent").shuffle(told)
    for uuid in told:
        shop.ask("POST", f"/apps/{Shop.BUNDLE}/notifications/{uuid}/resend")
    backend.settle()
    assert (server.periods(), server.renewals()) == recorded
    assert len(server.events("notification.received")) >= 3 * len(told)


def test_what_the_store_told_while_it_was_away_is_asked_for_when_it_is_back(tmp_path):
    shop = Shop(TILL, tmp_path / "store", "--log-level", "error")
    try:
        groups = [{"id": "G1", "name": "Magazine", "localizations": [], "subscriptions": [plan("news", "4.99", 1)]}]
        content = {"version": {"major": 2, "minor": 0}, "products": [], "subscriptionGroups": groups}
        shop.ask("PUT", f"/apps/{Shop.BUNDLE}/import", content)
        shop.add_tester("ann@example.com", paymentMethod="test_approved")
        shop.till("testers", "change", "ann@example.com", "--renewal-rate", "real-time")
        backend = Backend(shop, tmp_path)
        server = Subscribers(shop, backend)
        shop.till("buy", "news", "--customer", "ann@example.com")
        wait_until(lambda: server.renewals())
        [number] = server.renewals()
        assert server.stop() == 0
        shop.till("subscriptions", "cancel", number)
        shop.till("transactions", "refund", number)
        backend.settle()
        server.start()
        wait_until(lambda: server.events("notifications.caught_up"))
        [found] = server.events("notifications.caught_up")
        assert (found["missed"], found["known"], found["refused"]) == (2, 1, 0)
        assert (server.periods(), server.renewals()) == said_by_the_store(backend, [number])
        assert server.periods()[number][2] and server.renewals()[number][0] == 0
        assert server.stop() == 0
    finally:
        shop.stop()
