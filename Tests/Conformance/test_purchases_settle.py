"""`till purchases settle --as voided`: the way out of a purchase whose money the processor does not let go of."""

import json
import re
import subprocess

import pytest

from conftest import tool_path
from support.shop import Shop
from support.till import run
from support.waiting import PATIENCE, wait_until

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X10", "X13")


@pytest.fixture
def shop(tmp_path_factory):
    # curl takes the path of a socket with at most 107 bytes.
    shop = Shop(TILL, tmp_path_factory.mktemp("shop") / "store")
    yield shop
    assert shop.stop() == 0


def script(shop: Shop, step: str, fault: str):
    """Has the test processor fail a step from now on; curl says so."""
    body = {"step": step, "key": "*charge/*", "count": 1000, "fault": fault}
    subprocess.run(
        ["curl", "--silent", "--fail", "--unix-socket", shop.data / "processor/sandbox/processor.sock"]
        + ["--header", "Content-Type: application/json", "--data", json.dumps(body), "http://processor/v1/scripts"],
        check=True,
        timeout=PATIENCE,
    )


def test_a_purchase_whose_money_stays_reserved_is_listed_and_ended_with_a_reason(shop):
    script(shop, "capture", "refuse")
    script(shop, "void", "lost_without_effect")
    tester = shop.add_tester()
    order = {"customer": tester["email"], "bundleId": shop.BUNDLE, "productId": f"{shop.BUNDLE}.credits5"}
    number = shop.ask("POST", "/purchases", order)["purchaseId"]

    listed = shop.till("purchases", "list").stdout
    assert re.search(rf"^ *{number} .* lets go of the money +till purchases settle {number} --as voided --because TEXT$", listed, re.M)

    settled = shop.till("purchases", "settle", number, "--as", "voided", "--because", "the bank says it lapsed")
    assert f"Purchase {number} has failed" in settled.stdout
    assert "Settled as voided by the owner (the bank says it lapsed)" in settled.stdout
    assert "--because" not in shop.till("purchases", "list").stdout
    assert "In order." in shop.till("ledger", "check").stdout


@pytest.mark.rows("X10", "X11")
def test_a_purchase_under_way_comes_to_its_end_after_a_kill_and_a_restore(shop, tmp_path):
    script(shop, "capture", "lost")
    order = {"customer": shop.add_tester()["email"], "bundleId": shop.BUNDLE, "productId": f"{shop.BUNDLE}.credits5"}
    number = shop.ask("POST", "/purchases", order)["purchaseId"]
    assert re.search(rf"^ +{number}  .*  being paid  ", shop.till("purchases", "list", "--waiting").stdout, re.MULTILINE)
    shop.till("database", "backup", tmp_path / "backup")
    shop.kill()
    shop.till("database", "restore", tmp_path / "backup", "--replace")
    shop.start()
    wait_until(lambda: shop.till("purchases", "list", "--waiting", "--json").stdout.count(str(number)) == 0)
    assert shop.ask("GET", f"/purchases/{number}")["state"] == "purchased"
    assert "In order." in shop.till("ledger", "check").stdout


@pytest.mark.rows("X10")
def test_a_purchase_without_an_answer_says_what_it_waits_for_and_can_be_ended(shop):
    device, tester = shop.signed_in()
    shop.till("testers", "pay-with", tester["email"], "test_lost_nothing")
    opened = device.open(f"{Shop.BUNDLE}.credits5")
    assert device.confirm(opened)["state"] == "processing"
    said = shop.till("transactions", "why", "last").stdout
    assert "waits for an answer of the processor, which is asked again at " in said
    number = re.search("Purchase ([0-9]+) ", said)[1]
    command = re.search("till (purchases cancel [0-9]+)", said)[1].split()
    assert command[-1] == number
    # What was asked a moment ago has its answer soon.
    assert run(TILL, *command, "--data", shop.data).returncode == 1
    wait_until(lambda: run(TILL, *command, "--data", shop.data).returncode == 0)
    assert device.ask("GET", f"/purchases/{opened['key']}")["state"] == "cancelled"
    assert "waits for an answer" not in shop.till("transactions", "why", number).stdout
    check = shop.ask("POST", "/ledger/check")
    assert check["isInOrder"] and check["entries"] == 0
    warnings = [line for line in shop.process.log() if line["level"] == "warning"]
    assert len(warnings) < 6, warnings


@pytest.mark.rows("X6", "X10")
def test_a_capture_without_an_answer_is_found_with_its_way_out(shop):
    for step in ("capture", "void"):
        script(shop, step, "lost_without_effect")
    tester = shop.add_tester()
    order = {"customer": tester["email"], "bundleId": shop.BUNDLE, "productId": f"{shop.BUNDLE}.credits5"}
    number = shop.ask("POST", "/purchases", order)["purchaseId"]
    assert re.search(rf"^ *{number} .* being paid ", shop.till("purchases", "list", "--waiting").stdout, re.M)
    doctor = run(TILL, "doctor", "--data", shop.data).stdout
    assert "the processor owes an answer to 1 of them" in doctor and "till purchases list --waiting" in doctor
    refused = shop.control("GET", "/purchases?waiting=perhaps")
    assert refused.status_code == 400 and "waiting" in refused.text
    assert f"till purchases settle {number} --as voided" in shop.till("transactions", "why", number).stdout
    # What was asked a moment ago has its answer soon.
    command = ["purchases", "settle", number, "--as", "voided", "--because", "nothing was taken, says the processor"]
    assert run(TILL, *command, "--data", shop.data).returncode == 1
