"""Time as a control: the commands and routes of clocks, against a running store."""

import json

import pytest
import requests

from conftest import tool_path
from support.till import Till, run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")
TESTER = "tester@example.com"
START = "2030-01-31T12:00:00Z"


@pytest.mark.rows("X4")
def test_a_clock_is_controlled_by_commands_and_by_requests(tmp_path):
    data = tmp_path / "store"
    store = Till(TILL, data, "--demo")

    def clock(*words):
        return run(TILL, "clock", *words, "--data", data)

    def shown(*words):
        return json.loads(clock("show", "--json", *words).stdout)

    assert not shown()["isSet"]
    assert clock("freeze").returncode == 0
    # That is more than two years ahead.
    refused = clock("set", START)
    assert refused.returncode == 64 and "--yes" in refused.stderr, refused.stderr
    assert shown()["time"] < 1896091200000
    assert clock("set", START, "--yes").returncode == 0
    frozen = shown()
    assert frozen["time"] == 1896091200000 and frozen["rate"] == 0
    advanced = json.loads(clock("advance", "1mo", "--json").stdout)
    # The last day of February.
    assert advanced["to"] == advanced["clock"]["time"] == 1898510400000
    assert "keptBusyBy" not in advanced
    assert shown("--tester", TESTER)["time"] == 1898510400000

    bought = run(
        TILL, "buy", "com.example.monkeycredits.credits5", "--app", "com.example.monkeycredits",
        "--customer", TESTER, "--data", data)  # fmt: skip
    assert "is purchased" in bought.stdout, bought.stderr
    last = json.loads(run(TILL, "transactions", "show", "last", "--json", "--data", data).stdout)
    assert "1898510400000" in json.dumps(last)

    assert "All is quiet." in clock("advance", "1d", "--tester", TESTER).stdout
    assert shown("--tester", TESTER)["time"] == 1898510400000 + 86400000
    assert shown()["time"] == 1898510400000

    assert clock("set", "2029-01-01T00:00:00Z").returncode == 65
    assert "never goes back" in clock("set", "2029-01-01T00:00:00Z").stderr
    assert "2099" in clock("advance", "500y").stderr
    assert clock("rate", "-5").returncode != 0
    refused = clock("freeze", "--environment", "production")
    assert refused.returncode == 1 and "sandbox" in refused.stderr

    token = run(TILL, "control-token", "create", "clock", "--environment", "sandbox", "--data", data)
    address = store.ready["sandbox"]
    asked = requests.get(
        f"{address}/control/v1/clock", headers={"Authorization": f"Bearer {token.stdout.split()[-1]}"}, timeout=PATIENCE
    )
    assert asked.status_code == 200 and asked.json()["time"] == 1898510400000

    def advance(body):
        return requests.post(
            f"{address}/control/v1/clock/advances", json=body, headers=dict(asked.request.headers), timeout=PATIENCE)

    refused = advance({"by": "3y"})
    assert refused.status_code == 409 and refused.json()["error"]["code"] == "confirmation_missing", refused.text
    assert refused.json()["error"]["parameter"] == "confirmed"
    assert shown()["time"] == 1898510400000
    assert advance({"by": "3y", "confirmed": True}).status_code == 200
    assert shown()["time"] > 1898510400000
    assert store.stop() == 0
