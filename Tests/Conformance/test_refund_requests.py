"""Refund requests with foreign clients: a customer asks, the developer answers, the store decides, a dispute turns it round."""

import json
import subprocess

import pytest

from conftest import tool_path
from support.device import payload
from support.shop import Shop

TILL = tool_path().with_name("till")
CREDITS = f"{Shop.BUNDLE}.credits5"


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("refunds") / "store")
    yield shop
    assert shop.stop() == 0


def curl(shop, method: str, path: str, body: dict | None = None) -> tuple[int, dict]:
    command = ["curl", "-s", "-X", method, "-H", f"Authorization: Bearer {shop.token}", "-w", "\n%{http_code}"]
    if body is not None:
        command += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
    command.append(f"http://127.0.0.1:{shop.sandbox}/control/v1{path}")
    text, _, status = subprocess.run(command, capture_output=True, text=True, check=True).stdout.rpartition("\n")
    return int(status), json.loads(text)


@pytest.mark.rows("X7")
def test_a_refund_is_asked_for_answered_approved_and_reversed(shop):
    device, tester = shop.signed_in()
    bought = payload(device.confirm(device.open(CREDITS))["signedTransaction"])["transactionId"]
    customer = str(tester["customerId"])
    asked = json.loads(
        shop.till("refunds", "request", bought, "--customer", customer, "--reason", "unintended", "--json").stdout)
    number = asked["refundRequestId"]
    assert (asked["state"], asked["reason"]) == ("asked", "UNINTENDED_PURCHASE")
    waiting = json.loads(shop.till("refunds", "list", "--json").stdout)["items"]
    assert [one["refundRequestId"] for one in waiting] == [number]

    # What is taken back before it is decided is asked for anew under another number.
    taken = json.loads(shop.till("refunds", "withdraw", str(number), "--json").stdout)
    assert (taken["state"], taken["history"][-1]["actor"]) == ("withdrawn", "owner")
    assert curl(shop, "POST", f"/refund-requests/{number}/approval", {"because": "Late"})[0] == 409
    asked = json.loads(
        shop.till("refunds", "request", bought, "--customer", customer, "--reason", "unintended", "--json").stdout)
    assert asked["refundRequestId"] != number
    number = asked["refundRequestId"]

    path = f"/refund-requests/{number}"
    told = {"customerConsented": False, "sampleContentProvided": False, "deliveryStatus": "DELIVERED"}
    status, refused = curl(shop, "PUT", f"{path}/consumption", told)
    assert (status, refused["error"]["parameter"]) == (400, "customerConsented")
    told |= {"customerConsented": True, "consumptionPercentage": 50000, "refundPreference": "GRANT_FULL"}
    status, answered = curl(shop, "PUT", f"{path}/consumption", told)
    assert (status, answered["consumption"][0]["consumptionPercentage"]) == (200, 50000)

    status, approved = curl(shop, "POST", f"{path}/approval", {"because": "A mistake"})
    assert (status, approved["state"]) == (200, "refunded")
    assert curl(shop, "POST", f"{path}/withdrawal")[0] == 409
    said = payload(device.events()["events"][-1]["signedTransaction"])
    assert (said["transactionId"], said["revocationType"]) == (bought, "REFUND_FULL")

    done = json.loads(shop.till("refunds", "reverse", str(number), "--because", "The bank says so", "--json").stdout)
    assert done["state"] == "reversed"
    last = device.events()["events"][-1]
    said = payload(last["signedTransaction"])
    assert (last["kind"], said["transactionId"]) == ("transaction", bought)
    assert "revocationDate" not in said
    assert json.loads(shop.till("ledger", "check", "--json").stdout)["isInOrder"]
