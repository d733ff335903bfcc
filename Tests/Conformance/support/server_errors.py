"""How each error of the App Store Server API is brought about: an endpoint, the number, and what is asked.

`Documentation/ServerAPI.md` and `/openapi.json` name the same errors for each endpoint; a test holds all three together.
"""

import re
import time
from dataclasses import dataclass
from functools import partial

import requests

from support.backend import Backend
from support.life import CLUB, Life, identifier

DAY = 24 * 60 * 60 * 1000
NOWHERE = "2000000009999999"
# A fault alone brings these about: the store finds what it has at once, and a token is good for longer than a test lasts.
BY_FAULT = {4000017, 4040002}


@dataclass
class Situation:
    """A life, and what it takes besides for all that can be refused."""

    life: Life
    # Transactions: a member of the family has it, an extension is not possible twice more, it is over, it is a renewal.
    shared: str
    extended: str
    ended: str
    renewed: str
    # The account of whoever bought it was deleted.
    gone: str
    # An app whose notifications go nowhere.
    unheard: Backend

    def number(self, name: str) -> str:
        """The number of a transaction, by its name in the life or here."""
        return getattr(self, name, None) or getattr(self.life, name)


def asking(endpoint: str, *values: str, body=None, **query):
    """A request of an endpoint, with these values for what it has in braces: what is in braces itself is a name."""
    method, path = endpoint.split(" ")
    fixed = re.split(r"\{[^}]*\}", path)

    def ask(situation: Situation) -> requests.Response:
        known = [situation.number(value[1:-1]) if value.startswith("{") else value for value in values]
        asked = "".join(part + value for part, value in zip(fixed, [*known, ""], strict=True))
        return situation.life.backend.request(method, asked, body, params=query)

    return ask


TRANSACTION = "GET /inApps/v1/transactions/{transactionId}"
HISTORY = "GET /inApps/v2/history/{transactionId}"
OLD_HISTORY = "GET /inApps/v1/history/{transactionId}"
STATUSES = "GET /inApps/v1/subscriptions/{transactionId}"
APP_TRANSACTION = "GET /inApps/v1/transactions/appTransactions/{transactionId}"
REFUNDS = "GET /inApps/v2/refund/lookup/{transactionId}"
OLD_REFUNDS = "GET /inApps/v1/refund/lookup/{transactionId}"
EXTENSION = "PUT /inApps/v1/subscriptions/extend/{originalTransactionId}"
MASS = "POST /inApps/v1/subscriptions/extend/mass"
MASS_STATUS = "GET /inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}"
CONSUMPTION = "PUT /inApps/v2/transactions/consumption/{transactionId}"
OLD_CONSUMPTION = "PUT /inApps/v1/transactions/consumption/{transactionId}"
TOKEN = "PUT /inApps/v1/transactions/{originalTransactionId}/appAccountToken"
FINISH = "POST /inApps/v1/transactions/{transactionId}/finish"
TEST = "POST /inApps/v1/notifications/test"
TEST_STATUS = "GET /inApps/v1/notifications/test/{testNotificationToken}"
NOTIFICATIONS = "POST /inApps/v1/notifications/history"


def numbers(endpoint: str) -> dict:
    """What every endpoint says of a number that is none, and of one that nothing has."""
    return {4000006: asking(endpoint, "abc"), 4040010: asking(endpoint, NOWHERE)}


def of_customer(endpoint: str) -> dict:
    """What an endpoint says besides that is asked about a customer, by any of what they have."""
    return numbers(endpoint) | {4040001: asking(endpoint, "{gone}")}


def filters(endpoint: str) -> dict:
    ask = partial(asking, endpoint, "{club}")
    return of_customer(endpoint) | {
        4000005: ask(revision="never"), 4000013: ask(startDate=2, endDate=1), 4000015: ask(startDate="soon"),
        4000016: ask(endDate="late"), 4000021: ask(sort="UP"), 4000022: ask(productType="CAR"),
        4000023: ask(productId=""), 4000024: ask(subscriptionGroupIdentifier=""), 4000025: ask(excludeRevoked="maybe"),
        4000026: ask(inAppOwnershipType="STOLEN"), 4000030: ask(revoked="maybe"),
    }


def extension(**changed) -> dict:
    return {"extendByDays": 7, "extendReasonCode": 1, "requestIdentifier": identifier()} | changed


def mass(**changed) -> dict:
    return extension(productId=CLUB) | changed


def consumed(**changed) -> dict:
    return {"customerConsented": True, "sampleContentProvided": False, "deliveryStatus": "DELIVERED"} | changed


def old_consumed(**changed) -> dict:
    return {
        "customerConsented": True, "consumptionStatus": 0, "platform": 1, "sampleContentProvided": False,
        "deliveryStatus": 0, "appAccountToken": "", "accountTenure": 0, "playTime": 0, "lifetimeDollarsRefunded": 0,
        "lifetimeDollarsPurchased": 0, "userStatus": 0, "refundPreference": 0,
    } | changed


def period(**changed) -> dict:
    now = int(time.time() * 1000)
    return {"startDate": now - DAY, "endDate": now + DAY} | changed


def extending(*values, **changed):
    return asking(EXTENSION, *values, body=extension(**changed))


def extending_all(**changed):
    return asking(MASS, body=mass(**changed))


def consuming(endpoint: str, body: dict, number: str = "{asked}"):
    return asking(endpoint, number, body=body)


def told(**changed):
    return asking(NOTIFICATIONS, body=period(**changed))


ERRORS: dict[str, dict] = {
    TRANSACTION: numbers(TRANSACTION) | {4000048: asking(TRANSACTION, "{app_transaction}")},
    HISTORY: filters(HISTORY),
    OLD_HISTORY: filters(OLD_HISTORY),
    STATUSES: of_customer(STATUSES) | {4000031: asking(STATUSES, "{club}", status=6)},
    APP_TRANSACTION: of_customer(APP_TRANSACTION) | {4040019: asking(APP_TRANSACTION, "{shared}")},
    REFUNDS: of_customer(REFUNDS) | {4000005: asking(REFUNDS, "{club}", revision="never")},
    OLD_REFUNDS: of_customer(OLD_REFUNDS),
    EXTENSION: {
        4000008: extending("abc"), 4000009: extending("{club}", extendByDays=91),
        4000010: extending("{club}", extendReasonCode=4), 4000011: extending("{club}", requestIdentifier="x" * 129),
        4030004: extending("{ended}"), 4030005: extending("{extended}"), 4030007: extending("{shared}"),
        4040005: extending(NOWHERE),
    },
    MASS: {
        4000009: extending_all(extendByDays=0), 4000010: extending_all(extendReasonCode="1"),
        4000011: extending_all(requestIdentifier="often"), 4000023: extending_all(productId="nothing"),
        4000027: extending_all(storefrontCountryCodes=[]), 4000028: extending_all(storefrontCountryCodes=["US"]),
    },
    MASS_STATUS: {
        4000023: asking(MASS_STATUS, "no%20product", identifier()),
        4040009: asking(MASS_STATUS, CLUB, identifier()),
    },
    CONSUMPTION: {
        4000000: consuming(CONSUMPTION, consumed(consumptionPercentage=100_001)),
        4000006: consuming(CONSUMPTION, consumed(), "abc"), 4040010: consuming(CONSUMPTION, consumed(), NOWHERE),
        4000035: consuming(CONSUMPTION, consumed(customerConsented=False)),
        4000036: consuming(CONSUMPTION, consumed(deliveryStatus="LOST")),
        4000041: consuming(CONSUMPTION, consumed(sampleContentProvided="no")),
        4000047: consuming(CONSUMPTION, consumed(), "{jungle}"),
        4000185: consuming(CONSUMPTION, consumed(), "{shared}"),
    },
    OLD_CONSUMPTION: {
        4000006: consuming(OLD_CONSUMPTION, old_consumed(), "abc"),
        4040010: consuming(OLD_CONSUMPTION, old_consumed(), NOWHERE),
        4000047: consuming(OLD_CONSUMPTION, old_consumed(), "{jungle}"),
        4000185: consuming(OLD_CONSUMPTION, old_consumed(), "{shared}"),
        **{
            number: consuming(OLD_CONSUMPTION, old_consumed(**{field: value}))
            for number, field, value in [
                (4000032, "accountTenure", 8), (4000033, "appAccountToken", "x"), (4000034, "consumptionStatus", 4),
                (4000035, "customerConsented", False), (4000036, "deliveryStatus", 6),
                (4000037, "lifetimeDollarsPurchased", 8), (4000038, "lifetimeDollarsRefunded", 8),
                (4000039, "platform", 3), (4000040, "playTime", 8), (4000041, "sampleContentProvided", "no"),
                (4000042, "userStatus", 5), (4000000, "refundPreference", 4),
            ]
        },
    },
    TOKEN: {
        4000006: asking(TOKEN, "abc", body={"appAccountToken": identifier()}),
        4000183: asking(TOKEN, "{jungle}", body={"appAccountToken": "me"}),
        4000185: asking(TOKEN, "{shared}", body={"appAccountToken": identifier()}),
        4000187: asking(TOKEN, "{renewed}", body={"appAccountToken": identifier()}),
        4040010: asking(TOKEN, NOWHERE, body={"appAccountToken": identifier()}),
    },
    FINISH: numbers(FINISH),
    TEST: {4040007: lambda situation: situation.unheard.request("POST", "/inApps/v1/notifications/test")},
    TEST_STATUS: {
        4000020: asking(TEST_STATUS, "never"), 4040008: asking(TEST_STATUS, f"{identifier()}_1700000000000"),
    },
    NOTIFICATIONS: {
        4000006: told(transactionId="abc"), 4000012: told(startDate=1), 4000013: told(endDate=period()["startDate"] - 1),
        4000014: asking(NOTIFICATIONS, body=period(), paginationToken="never"), 4000015: told(startDate="soon"),
        4000016: told(endDate="late"), 4000018: told(notificationType="RUMOUR"),
        4000019: told(transactionId=NOWHERE, notificationType="REFUND"),
    },
}
