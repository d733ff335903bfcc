"""Blobs whose bytes are not what their names say, as `till database check` and `till doctor` name them."""

import functools
import json
import sqlite3

import pytest

from conftest import tool_path
from support.till import Till, run
from support.waiting import wait_until

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X9", "X11")


def is_told(till: Till, digest: str) -> bool:
    return any("the picture of" in line.get("of", "") for line in till.log("blob.damaged") if line.get("blob") == digest)


def test_damaged_and_missing_blobs_are_named(tmp_path):
    data = tmp_path / "demo"
    till = Till(TILL, data, "--demo")
    assert run(TILL, "database", "backup", tmp_path / "backup", "--data", data).returncode == 0
    with sqlite3.connect(f"file:{data}/databases/catalogue.sqlite?mode=ro", uri=True) as catalogue:
        pictures = catalogue.execute(
            "SELECT digest, min(bundle_id || '/products/' || product_id) FROM product_image JOIN product USING (item_id) "
            "JOIN app USING (app_id) WHERE product_image.kind = 'promotional' GROUP BY digest LIMIT 2"
        )
        (damaged, first), (missing, second) = pictures.fetchall()
    catalogue.close()
    with open(data / "blobs" / damaged[:2] / damaged[2:4] / damaged, "r+b") as file:
        file.seek(100)
        byte = file.read(1)
        file.seek(100)
        file.write(bytes([byte[0] ^ 1]))
    (data / "blobs" / missing[:2] / missing[2:4] / missing).unlink()
    # What cannot be sent is named at once, with what uses it, and not when its turn comes.
    for digest, product in [(damaged, first), (missing, second)]:
        place = f"http://till/sandbox/control/v1/apps/{product}/images/promotional"
        unsent = run("curl", "--silent", "--unix-socket", "admin.sock", place, cwd=data)
        assert json.loads(unsent.stdout)["error"]["code"] == "internal", unsent
        wait_until(functools.partial(is_told, till, digest))
    wait_until(lambda: "till_blobs_damaged 2" in till.get("/metrics").text)
    for is_running in [True, False]:
        checked = run(TILL, "database", "check", "--data", data, "--json")
        assert checked.returncode == 1 and "blobs: not in order" in checked.stderr
        faults = json.loads(checked.stdout)["blobs"]["faults"]
        assert {fault["digest"]: fault["kind"] for fault in faults} == {damaged: "damaged", missing: "missing"}
        assert all(fault["usedBy"][0].startswith("the picture of com.example.") for fault in faults)
        examined = run(TILL, "doctor", "--data", data, "--json")
        [finding] = [one for one in json.loads(examined.stdout)["findings"] if one["part"] == "blobs"]
        assert examined.returncode == 1 and finding["level"] == "problem"
        assert is_running is False or till.stop() == 0
    restored = run(TILL, "database", "restore", tmp_path / "backup", "--replace", "--data", data)
    assert restored.returncode == 0, restored.stderr
    checked = run(TILL, "database", "check", "--data", data)
    assert checked.returncode == 0 and "blobs: in order" in checked.stdout
