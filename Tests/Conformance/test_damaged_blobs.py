"""Blobs whose bytes are not what their names say, as `till database check` and `till doctor` name them."""

import json
import sqlite3

import pytest

from conftest import tool_path
from support.till import Till, run

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("X9", "X11")


def test_damaged_and_missing_blobs_are_named(tmp_path):
    data = tmp_path / "demo"
    till = Till(TILL, data, "--demo")
    assert run(TILL, "database", "backup", tmp_path / "backup", "--data", data).returncode == 0
    with sqlite3.connect(f"file:{data}/databases/catalogue.sqlite?mode=ro", uri=True) as catalogue:
        damaged, missing, *_ = [row[0] for row in catalogue.execute("SELECT DISTINCT digest FROM product_image")]
    catalogue.close()
    with open(data / "blobs" / damaged[:2] / damaged[2:4] / damaged, "r+b") as file:
        file.seek(100)
        byte = file.read(1)
        file.seek(100)
        file.write(bytes([byte[0] ^ 1]))
    (data / "blobs" / missing[:2] / missing[2:4] / missing).unlink()
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
