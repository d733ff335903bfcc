"""`till listen` and `till trigger` against a running store: what is made to happen arrives on this machine, verified."""

import json
import os
import signal
import subprocess
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from conftest import tool_path
from support.shop import Shop
from support.till import run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("listen") / "store")
    yield shop
    assert shop.stop() == 0


class Listening:
    """`till listen` as a process of its own; it is told of everything from the moment this is made."""

    def __init__(self, shop, *options: str, environment: dict[str, str] | None = None):
        arguments = [shop.program, "listen", "--json", *options]
        self.process = subprocess.Popen(
            [str(word) for word in arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})},
        )
        assert "Listening" in self.process.stderr.readline()

    def heard(self) -> dict:
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0 and "Ended." in errors


class Taking(BaseHTTPRequestHandler):
    """A developer's server that takes all that is posted to it."""

    def do_POST(self):
        assert json.loads(self.rfile.read(int(self.headers["Content-Length"])))["signedPayload"]
        assert self.headers["Content-Type"] == "application/json"
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def backend():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/till"
    server.shutdown()
    server.server_close()
    thread.join(PATIENCE)


def test_every_trigger_makes_its_notification_arrive(shop, backend):
    listed = json.loads(run(shop.program, "trigger", "list", "--json").stdout)
    assert len(listed) > 30
    with closing(Listening(shop, "--data", str(shop.data), "--forward-to", backend)) as listening:
        for one in listed:
            done = json.loads(shop.till("trigger", one["trigger"], "--json").stdout)
            assert "notificationUUID" in done, done
            heard = listening.heard()
            while heard["notificationUUID"] != done["notificationUUID"]:
                heard = listening.heard()
            assert heard["isGenuine"] and heard["forwarded"]["status"] == 201, heard
            named = (heard["notificationType"], heard.get("subtype"))
            assert named == (one["notificationType"], one.get("subtype"))
            payload = heard["payload"]
            assert (payload["notificationType"], payload.get("subtype")) == named


def test_a_store_elsewhere_is_heard_with_a_token(shop):
    environment = {"TILL_TOKEN": shop.token}
    with closing(Listening(shop, "--store", shop.address, environment=environment)) as listening:
        done = run(shop.program, "trigger", "test", "--json", "--store", shop.address, environment=environment)
        assert listening.heard()["notificationUUID"] == json.loads(done.stdout)["notificationUUID"]
    refused = run(shop.program, "listen", "--store", shop.address, environment={"TILL_TOKEN": "till_" + "a" * 43})
    assert refused.returncode == 77


def test_nothing_is_made_to_happen_in_production(shop):
    local = run(shop.program, "trigger", "subscribed", "--environment", "production", "--data", shop.data)
    assert local.returncode == 64 and "production" in local.stderr
    address = f"http://127.0.0.1:{shop.production}"
    elsewhere = run(
        shop.program, "trigger", "subscribed", "--store", address, environment={"TILL_TOKEN": shop.tokens["production"]}
    )
    assert elsewhere.returncode != 0 and "Made" not in elsewhere.stdout
