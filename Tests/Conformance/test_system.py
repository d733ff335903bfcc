"""A store as a program that runs: its health, settings, backups, self-test and requests, from outside."""

import json
import re
from pathlib import Path

import pytest

from conftest import tool_path
from support.shop import Shop
from support.till import Till, run
from support.waiting import wait_until

TILL = tool_path().with_name("till")
CLUB = f"{Shop.BUNDLE}.club"


def till(data: Path, *words, **options):
    return run(TILL, *words, "--data", data, **options)


@pytest.mark.rows("X6")
def test_a_running_store_says_how_it_is_and_where_its_settings_came_from(tmp_path):
    data = tmp_path / "store"
    store = Till(TILL, data, "--drain-seconds", "7", environment={"TILL_COMMISSION": "15"})
    (data / "till.conf").write_text("# Ours\nhosts = store.example.com\n")
    for environment in ("sandbox", "production"):
        said = till(data, "system", "--environment", environment)
        assert said.returncode == 0 and f"{environment} keys: in order" in said.stdout, said
        assert f"Data: {data}" in said.stdout, "paths are whole"
        # Every remedy is a command that runs.
        for line in re.findall(r"to replace it: till (.*)", said.stdout):
            assert run(TILL, *line.split(), "--help").returncode == 0

    found = json.loads(till(data, "settings", "show", "--json").stdout)["items"]
    settings = {setting["name"]: setting for setting in found}
    assert settings["drain-seconds"] == {
        "name": "drain-seconds", "value": "7", "source": "option", "place": "--drain-seconds", "isSecret": False,
    }
    assert settings["commission"]["source"] == "variable" and settings["commission"]["place"] == "TILL_COMMISSION"
    assert settings["hosts"]["source"] == "default", "it was started before the file was there"
    assert store.stop() == 0
    # Now none runs: it is what the next one would be set to.
    shown = till(data, "settings", "show", environment={"TILL_DATABASE": ""}).stdout
    assert f"hosts = store.example.com  (file {data}/till.conf:2)" in shown
    secret = run(
        TILL, "settings", "show", "--data", data, "--database", "postgresql://ada:lovelace@127.0.0.1:1/till")
    assert "lovelace" not in secret.stdout and "database = (secret)  (option --database)" in secret.stdout


@pytest.mark.rows("X6")
def test_the_self_test_passes_in_both_environments_and_leaves_nothing(tmp_path):
    data = tmp_path / "store"
    store = Till(TILL, data)
    for environment in ("sandbox", "production"):
        said = till(data, "self-test", "--environment", environment)
        assert said.returncode == 0 and "Bought, verified and refunded" in said.stdout, said
        assert f"signed under the root of {environment}" in said.stdout
        assert json.loads(till(data, "transactions", "list", "--environment", environment, "--json").stdout)["items"] == []
    assert "there is none here" in said.stdout, "production has no processor, and is tested all the same"
    assert store.stop() == 0


@pytest.mark.rows("X10")
def test_a_backup_is_made_looked_into_and_put_back(tmp_path):
    data = tmp_path / "store"
    store = Till(TILL, data, "--demo")
    made = json.loads(till(data, "backups", "make", "--json").stdout)
    assert Path(made["path"]).parent == data / "backups" and made["hasKeys"]
    whole = till(data, "backups", "verify", "newest")
    assert whole.returncode == 0 and " products" in whole.stdout, whole
    assert made["path"] in till(data, "backups", "list").stdout, "the path is whole"
    assert till(data, "backups", "show", "..").returncode != 0
    restored = tmp_path / "restored"
    put = run(TILL, "database", "restore", made["path"], "--data", restored)
    assert put.returncode == 0, put
    with open(Path(made["path"]) / "databases/catalogue.sqlite", "r+b") as file:
        file.write(b"damage")
    damaged = till(data, "backups", "verify", "newest")
    assert damaged.returncode == 65 and "databases/catalogue.sqlite" in damaged.stdout, damaged
    assert store.stop() == 0


@pytest.mark.rows("X4")
def test_a_dry_run_says_what_the_advance_does(tmp_path):
    shop = Shop(TILL, tmp_path / "store")
    for name, method in [("ada", "test_approved"), ("eve", "test_approved"), ("bob", "test_approved")]:
        shop.add_tester(f"{name}@example.com", paymentMethod=method)
        shop.ask("POST", "/purchases", {"customer": f"{name}@example.com", "bundleId": Shop.BUNDLE, "productId": CLUB})
    shop.ask("POST", "/customers/bob@example.com/payment-methods", {"token": "test_declined"})
    frozen = shop.ask("PATCH", "/clock", {"rate": 0})["time"]
    forecast = shop.ask("GET", "/clock/forecast?by=6m")
    said = shop.till("clock", "advance", "6m", "--dry-run")
    assert forecast["summary"] in said.stdout and "Nothing was changed." in said.stdout
    assert shop.ask("GET", "/clock")["time"] == frozen
    before = len(shop.ask("GET", "/transactions?limit=1000")["items"])
    shop.ask("POST", "/clock/advances", {"by": "6m"})
    after = shop.ask("GET", "/transactions?limit=1000")["items"]
    assert len(after) - before == forecast["renewals"] > 0
    assert shop.stop() == 0


@pytest.mark.rows("X6", "X8")
def test_requests_have_bodies_without_secrets_and_polls_are_one_row(tmp_path):
    shop = Shop(TILL, tmp_path / "store")
    device, _ = shop.signed_in("ada@example.com")
    cursor = device.call("GET", "/events").json()["cursor"]
    for _ in range(4):
        device.call("GET", f"/events?after={cursor}")
    rows = shop.ask("GET", "/requests?limit=1000")["items"]
    polls = [row for row in rows if row["path"].startswith("/device/v1/events")]
    assert [row["repeats"] for row in polls] == [5]
    listed = shop.till("requests").stdout
    assert polls[0]["requestId"] in listed, "rows show their ids"
    everything = [shop.ask("GET", f"/requests?id={row['requestId']}")["items"][0] for row in rows]
    signed_in = next(row for row in everything if row["path"] == "/device/v1/sign-in")
    assert json.loads(signed_in["requestBody"]) == {"email": "ada@example.com", "password": "(hidden)"}
    text = json.dumps(everything)
    assert Shop.PASSWORD not in text and device.token not in text
    assert "(hidden)" in shop.till("requests", signed_in["requestId"]).stdout
    assert shop.stop() == 0


@pytest.mark.rows("X18")
def test_servers_of_one_database_know_each_others_requests(cluster, tmp_path):
    address = ("--database", cluster.create("requests"))
    one, other = tmp_path / "one", tmp_path / "other"
    first = Till(TILL, one, "--demo", *address)
    bundle = tmp_path / "keys.json"
    assert till(one, "keys", "export", bundle).returncode == 0
    assert till(other, "keys", "import", bundle).returncode == 0
    second = Till(TILL, other, "--processor-data", str(one), *address)
    answer = first.get("/control/v1/apps", "sandbox")
    request = answer.headers["X-Request-Id"]

    def known():
        return request in till(other, "requests", "--json").stdout

    wait_until(known)
    assert second.stop() == 0 and first.stop() == 0
