"""Two servers on one PostgreSQL: the same keys, one processor."""

import json

import pytest

from conftest import tool_path
from support.till import Till, run

TILL = tool_path().with_name("till")


@pytest.mark.rows("X18", "X5")
def test_two_servers_have_the_same_keys_and_one_processor(cluster, tmp_path):
    address = ("--database", cluster.create("shared"))
    one, other = tmp_path / "one", tmp_path / "other"
    first = Till(TILL, one, "--demo", *address)

    alone = run(
        TILL, "serve", "--data", other, "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0", *address)
    assert alone.returncode == 78 and "till keys import" in alone.stderr, alone.stderr
    bundle = tmp_path / "keys.json"
    assert run(TILL, "keys", "export", bundle, "--data", one).returncode == 0
    assert bundle.stat().st_mode & 0o777 == 0o600
    assert run(TILL, "keys", "export", bundle, "--data", one).returncode == 73
    taken = run(TILL, "keys", "import", bundle, "--data", other, "--json")
    assert json.loads(taken.stdout) == {"added": ["production", "sandbox"]}, taken.stderr
    assert "there already" in run(TILL, "keys", "import", bundle, "--data", other).stdout

    second = Till(TILL, other, *address)
    assert second.wait_for("processor.other")["environment"] == "sandbox"
    assert second.stop() == 0
    second = Till(TILL, other, "--processor-data", str(one), *address)
    tester = "tester@example.com"
    for data in (one, other):
        bought = run(
            TILL, "buy", "com.example.monkeycredits.credits5", "--app", "com.example.monkeycredits",
            "--customer", tester, "--data", data)  # fmt: skip
        assert "is purchased" in bought.stdout, bought.stderr
        assert "In order." in run(TILL, "ledger", "check", "--data", data).stdout

    # A key that leaked counts nowhere any more; a server without another one signs nothing until it is brought.
    revoked = run(TILL, "keys", "rotate", "--environment", "sandbox", "--revoke", "--data", one)
    assert revoked.returncode == 0 and "signs nothing until it has" in revoked.stdout, revoked
    assert second.get("/readyz", "sandbox").status_code == 503 and second.wait_for("keys.void")
    assert first.get("/readyz", "sandbox").status_code == 200
    exported = run(TILL, "keys", "export", "-", "--data", one)
    taken = run(TILL, "keys", "import", "-", "--data", other, "--json", input=exported.stdout)
    assert json.loads(taken.stdout) == {"added": ["sandbox"]}, taken.stderr
    assert second.get("/readyz", "sandbox").status_code == 200
    assert second.stop() == 0 and not second.log("processor.other")
    assert first.stop() == 0 and not first.log("keys.other")

    foreign = json.loads(bundle.read_text())
    foreign["environments"][0]["files"]["receipt-leaf-1.key"] = foreign["environments"][1]["files"][
        "receipt-leaf-1.key"
    ]
    wrong = tmp_path / "wrong"
    refused = run(TILL, "keys", "import", "-", "--data", wrong, input=json.dumps(foreign))
    assert refused.returncode == 78 and "not the key of its certificate" in refused.stderr
    assert not list((wrong / "keys").glob("*[!k]"))
