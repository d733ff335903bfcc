"""`make sample`: the script that gives an app of the samples its store, and the magazine its own server."""

import os
import shutil
import subprocess

import pytest

from conftest import REPOSITORY, tool_path
from support.monkey_credits import Player
from support.shop import Shop, free_port
from support.waiting import PATIENCE

pytestmark = pytest.mark.rows("R9.1", "R9.5")

TILL = tool_path().with_name("till")


@pytest.fixture
def shop(tmp_path):
    shop = Shop(TILL, tmp_path / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture
def checkout(tmp_path):
    """A checkout of its own, in which everything is built."""
    checkout = tmp_path / "checkout"
    (checkout / "Scripts").mkdir(parents=True)
    shutil.copy(REPOSITORY / "Scripts/sample.sh", checkout / "Scripts")
    (checkout / "Samples").symlink_to(REPOSITORY / "Samples")
    (checkout / "swift").write_text(f"#!/bin/sh\necho '{TILL.parent}'\n")
    (checkout / "swift").chmod(0o755)
    return checkout


def test_the_script_says_what_to_do_when_no_store_runs(tmp_path):
    done = subprocess.run(
        [REPOSITORY / "Scripts/sample.sh"],
        env={**os.environ, "TILL_DATA": str(tmp_path / "nothing")},
        capture_output=True, text=True, timeout=PATIENCE,
    )
    assert done.returncode == 1 and "make run" in done.stderr


def test_the_magazine_s_own_server_is_started_and_a_subscription_is_delivered(shop, checkout, tmp_path):
    reader = Player(TILL, tmp_path / "device", None, (shop.add_tester()["email"], Shop.PASSWORD))
    variables = {
        "APP": "Magazines", "TILL_DATA": shop.data, "PATH": f"{checkout}:{os.environ['PATH']}",
        "TILL_BACKEND_LISTEN": f"127.0.0.1:{free_port()}", "TILL_BACKEND_STORE_SANDBOX": shop.address,
        "TILL_BACKEND_STORE": f"http://127.0.0.1:{shop.production}",
    }
    done = subprocess.run(
        ["bash", "-c", "umask 022; exec Scripts/sample.sh"], input="join ann correct-horse\nbuy 2\n", cwd=checkout,
        env=reader.environment | {name: str(value) for name, value in variables.items()},
        capture_output=True, text=True, timeout=PATIENCE,
    )
    assert done.returncode == 0 and "Monthly is yours until" in done.stdout, done.stdout + done.stderr
    assert (checkout / ".build/samples/magazine-server").stat().st_mode & 0o077 == 0
