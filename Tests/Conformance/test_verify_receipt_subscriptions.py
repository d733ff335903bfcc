"""What `verifyReceipt` says of subscriptions in each of their states: every key, and none besides, as servers read them."""

import json

import pytest
import requests
from appstoreserverlibrary.receipt_utility import ReceiptUtility

from conftest import tool_path
from support.sales import BUNDLE, SECRET, Sales, insert
from support.subscriptions import BEGUN, DAY, END, RENEWED, Subscription
from support.till import Till, run
from support.waiting import PATIENCE
from test_verify_receipt import dates, verify

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("R4.2")

# A.7: what is always there, and what is there only where it applies.
ALWAYS = {"auto_renew_product_id", "product_id", "original_transaction_id", "auto_renew_status"}
GRACE = {"grace_period_expires_date", "grace_period_expires_date_ms", "grace_period_expires_date_pst"}
OVER = {"expiration_intent", "is_in_billing_retry_period"}

# A.6: what every period has.
DATES = [f"{name}{form}" for name in ("purchase_date", "original_purchase_date", "expires_date") for form in ("", "_ms", "_pst")]
PERIOD = {
    "quantity",
    "product_id",
    "transaction_id",
    "original_transaction_id",
    "web_order_line_item_id",
    "is_trial_period",
    "is_in_intro_offer_period",
    "in_app_ownership_type",
    "app_account_token",
    *DATES,
}
CANCELLED = {"cancellation_date", "cancellation_date_ms", "cancellation_date_pst", "cancellation_reason"}

# The columns of the row, and what `pending_renewal_info` has besides the ids.
STATES = {
    "active": ({}, {"auto_renew_status": "1"}),
    "cancelled": ({"renews": 0}, {"auto_renew_status": "0"}),
    "grace": (
        {"state": "grace", "grace_ends_at": END + 3 * DAY, "retry_ends_at": END + 60 * DAY},
        {
            "auto_renew_status": "1",
            "expiration_intent": "2",
            "is_in_billing_retry_period": "1",
            **dates("grace_period_expires_date", (END + 3 * DAY) // 1000 * 1000),
        },
    ),
    "retry": (
        {"state": "retry", "grace_ends_at": END + 3 * DAY, "retry_ends_at": END + 60 * DAY},
        {"auto_renew_status": "1", "expiration_intent": "2", "is_in_billing_retry_period": "1"},
    ),
    **{
        f"expired-{intent}": (
            {"state": "expired", "renews": 0, "intent": intent},
            {"auto_renew_status": "0", "expiration_intent": str(intent), "is_in_billing_retry_period": "0"},
        )
        for intent in range(1, 6)
    },
    "revoked": (
        {"state": "revoked", "renews": 0, "revoked_at": END - DAY},
        {"auto_renew_status": "0", "expiration_intent": "1", "is_in_billing_retry_period": "0"},
    ),
    "downgraded": (
        {
            "next_item_id": 5252,
            "next_product_id": f"{BUNDLE}.basic",
            "next_period": "P1M",
            "next_level": 3,
            "next_price": 99,
        },
        {"auto_renew_status": "1", "auto_renew_product_id": f"{BUNDLE}.basic"},
    ),
    "raised": (
        {"raised_price": 999, "raise_needs_consent": 0, "raise_asked_at": RENEWED, "raise_agreed": 0},
        {"auto_renew_status": "1", "price_increase_status": "1"},
    ),
    "consent-asked": (
        {"raised_price": 999, "raise_needs_consent": 1, "raise_asked_at": RENEWED, "raise_agreed": 0},
        {"auto_renew_status": "1", "price_consent_status": "0", "price_increase_status": "0"},
    ),
    "consented": (
        {"raised_price": 999, "raise_needs_consent": 1, "raise_asked_at": RENEWED, "raise_agreed": 1},
        {"auto_renew_status": "1", "price_consent_status": "1", "price_increase_status": "1"},
    ),
    "promoted": (
        {
            "next_offer_type": 2,
            "next_offer_id": "stay",
            "next_offer_mode": "PAY_AS_YOU_GO",
            "next_offer_period": "P1M",
            "next_offer_count": 2,
            "next_offer_price": 99,
        },
        {"auto_renew_status": "1", "promotional_offer_id": "stay"},
    ),
    "code-redeemed": (
        {
            "offer_type": 3,
            "offer_id": "Summer",
            "offer_mode": "PAY_AS_YOU_GO",
            "offer_period": "P1M",
            "offer_count": 3,
            "offer_price": 99,
            "offer_left": 2,
        },
        {"auto_renew_status": "1", "offer_code_ref_name": "Summer"},
    ),
}

# The columns of the newest period, and how it differs from one at the full price.
OFFERS = {
    "full": ((None, None, None), {}),
    "trial": ((1, None, "FREE_TRIAL"), {"is_trial_period": "true"}),
    "intro": ((1, None, "PAY_AS_YOU_GO"), {"is_in_intro_offer_period": "true"}),
    "intro-up-front": ((1, None, "PAY_UP_FRONT"), {"is_in_intro_offer_period": "true"}),
    "promotional": ((2, "stay", "PAY_AS_YOU_GO"), {"promotional_offer_id": "stay"}),
    "promotional-free": ((2, "gift", "FREE_TRIAL"), {"promotional_offer_id": "gift"}),
    "code": ((3, "Summer", "PAY_UP_FRONT"), {"offer_code_ref_name": "Summer"}),
    "win-back": ((4, "return", "PAY_AS_YOU_GO"), {}),
}


@pytest.fixture(scope="module")
def till(tmp_path_factory):
    data = tmp_path_factory.mktemp("subscriptions") / "data"
    assert run(TILL, "keys", "init", "--data", data).returncode == 0
    process = Till(TILL, data)
    yield process
    assert process.stop() == 0, process.log_text()


@pytest.fixture(scope="module")
def sales(till):
    made = Sales(till.data, "sandbox")
    made.begin()
    made.sell("coins")
    insert(made.path, "UPDATE store_transaction SET purchase_date = ?", (BEGUN - DAY,))
    return made


@pytest.fixture
def subscription(sales):
    made = Subscription(sales)
    yield made
    made.remove()


def receipt_of(till, sales, path: str = "/receipt") -> str:
    headers = {"Authorization": f"Bearer {sales.token}"}
    response = requests.get(till.ready["sandbox"] + f"/device/v1{path}", headers=headers, timeout=PATIENCE)
    assert response.status_code == 200, response.text
    return response.json()["receipt"]


def told(till, sales, **members) -> dict:
    response = verify(till, "sandbox", receipt_of(till, sales), password=SECRET, **members)
    answer = response.json()
    assert answer["status"] == 0
    # Each key stands there once: no reader can be told two things.
    json.loads(response.text, object_pairs_hook=unique)
    assert set(answer) == {
        "status",
        "environment",
        "receipt",
        "latest_receipt",
        "latest_receipt_info",
        "pending_renewal_info",
    }
    return answer


def unique(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), names
    return dict(pairs)


@pytest.mark.parametrize("state", STATES)
def test_each_state_has_its_keys_and_values(till, sales, subscription, state):
    columns, expected = STATES[state]
    subscription.set(**columns)
    (pending,) = told(till, sales)["pending_renewal_info"]
    assert pending == {
        "auto_renew_product_id": f"{BUNDLE}.monthly",
        "product_id": f"{BUNDLE}.monthly",
        "original_transaction_id": str(subscription.original),
        **expected,
    }
    assert set(pending) >= ALWAYS
    assert (set(pending) & GRACE) in (set(), GRACE)
    assert (set(pending) & OVER) in (set(), OVER)


@pytest.mark.parametrize("offer", OFFERS)
def test_the_offer_of_a_period_is_told_of_that_period(till, sales, subscription, offer):
    (kind, name, mode), expected = OFFERS[offer]
    subscription.set_period(offer_type=kind, offer_id=name, offer_mode=mode, offer_period="P1M" if kind else None)
    answer = told(till, sales)
    newest, first, coins = answer["latest_receipt_info"]
    plain = {"is_trial_period": "false", "is_in_intro_offer_period": "false"}
    for period, differs in ((newest, expected), (first, {})):
        assert set(period) == PERIOD | {"subscription_group_identifier"} | set(differs)
        assert (plain | differs).items() <= period.items()
        (listed,) = (one for one in answer["receipt"]["in_app"] if one["transaction_id"] == period["transaction_id"])
        assert listed == {name: value for name, value in period.items() if name != "subscription_group_identifier"}
    assert all(isinstance(value, str) for one in (newest, first, coins) for value in one.values())
    assert not {"is_in_intro_offer_period", "expires_date", "web_order_line_item_id"} & set(coins)


def test_periods_come_newest_first_and_the_old_ones_can_be_left_out(till, sales, subscription):
    coins = str(sales.transactions[0]["id"])
    periods = [str(subscription.latest), str(subscription.original)]
    assert [one["transaction_id"] for one in told(till, sales)["latest_receipt_info"]] == [*periods, coins]
    assert {one["original_transaction_id"] for one in told(till, sales)["latest_receipt_info"]} == {periods[1], coins}
    excluding = told(till, sales, **{"exclude-old-transactions": True})
    assert [one["transaction_id"] for one in excluding["latest_receipt_info"]] == [periods[0], coins]
    assert len(excluding["pending_renewal_info"]) == 1


def test_an_upgrade_is_told_in_the_latest_and_cancels_nothing(till, sales, subscription):
    subscription.upgrade(subscription.original)
    answer = told(till, sales)
    newest, upgraded, _ = answer["latest_receipt_info"]
    assert set(upgraded) == PERIOD | {"subscription_group_identifier", "is_upgraded"}
    assert upgraded["is_upgraded"] == "true" and "is_upgraded" not in newest
    assert all("is_upgraded" not in one for one in answer["receipt"]["in_app"])


def test_what_was_taken_back_has_its_cancellation_everywhere(till, sales, subscription):
    receipt = receipt_of(till, sales)
    subscription.revoke(subscription.latest, END - DAY)
    answer = verify(till, "sandbox", receipt, password=SECRET).json()
    newest = answer["latest_receipt_info"][0]
    (listed,) = (one for one in answer["receipt"]["in_app"] if one["transaction_id"] == str(subscription.latest))
    for period in (newest, listed):
        assert set(period) & CANCELLED == CANCELLED
        assert dates("cancellation_date", (END - DAY) // 1000 * 1000).items() <= period.items()


def test_the_newest_receipt_is_read_by_others_and_verifies(till, sales, subscription):
    answer = told(till, sales)
    named = ReceiptUtility().extract_transaction_id_from_app_receipt(answer["latest_receipt"])
    assert named in {one["transaction_id"] for one in answer["latest_receipt_info"]}
    again = verify(till, "sandbox", answer["latest_receipt"], password=SECRET).json()
    assert again["latest_receipt_info"] == answer["latest_receipt_info"]
    old = receipt_of(till, sales, f"/transactions/{subscription.original}/receipt")
    assert ReceiptUtility().extract_transaction_id_from_transaction_receipt(old) == str(subscription.original)


# A.8: what stands beside the receipt, and the status.
FLAT = {
    "active": (0, 1, {}),
    "cancelled": (0, 0, {}),
    "grace": (0, 1, {"expiration_intent": "2", "is_in_billing_retry_period": "1"}),
    "retry": (21006, 1, {"expiration_intent": "2", "is_in_billing_retry_period": "1"}),
    **{
        f"expired-{intent}": (21006, 0, {"expiration_intent": str(intent), "is_in_billing_retry_period": "0"})
        for intent in range(1, 6)
    },
    "revoked": (21006, 0, {"expiration_intent": "1", "is_in_billing_retry_period": "0"}),
}


@pytest.mark.parametrize("state", FLAT)
def test_the_old_form_has_one_object_and_its_own_keys(till, sales, subscription, state):
    receipt = receipt_of(till, sales, f"/transactions/{subscription.original}/receipt")
    status, renews, expected = FLAT[state]
    subscription.set(**STATES[state][0], counts_until_now=status == 0)
    for password in (None, "0" * 32):
        assert verify(till, "sandbox", receipt, password=password).text == '{"status":21004}'
    answer = verify(till, "sandbox", receipt, password=SECRET).json()
    active = {"latest_receipt", "latest_receipt_info"} if status == 0 else {"latest_expired_receipt_info"}
    beside = {"auto_renew_status": renews, "auto_renew_product_id": f"{BUNDLE}.monthly", **expected}
    assert set(answer) == {"status", "environment", "receipt"} | active | set(beside)
    assert answer["status"] == status
    assert beside.items() <= answer.items()
    newest = answer["latest_receipt_info" if status == 0 else "latest_expired_receipt_info"]
    assert newest["transaction_id"] == str(subscription.latest)
    assert answer["receipt"]["transaction_id"] == str(subscription.original)
    assert newest["expires_date"].isdigit() and newest["original_transaction_id"] == str(subscription.original)
    assert set(newest) == set(answer["receipt"])
