"""The interface of `till backend serve` as it describes itself, held against what it answers by schemathesis."""

import json

import pytest
import requests
import schemathesis

from conftest import tool_path
from support.own_server import OwnServer
from support.randomness import SEED, cases
from support.till import lend_keys, run
from support.waiting import PATIENCE
from test_interfaces_schemathesis import EXAMPLES, asked

TILL = tool_path().with_name("till")
APP = "com.example.magazines"
MAY = f"{APP}.may"

pytestmark = pytest.mark.rows("X13")


class OwnInterface:
    """A server with a product, its content and a user, and its description."""

    def __init__(self, folder):
        lend_keys(TILL, folder / "store")
        root = folder / "root.der"
        self.typed("keys", "root", "--environment", "sandbox", "--der", "--output", root, "--data", folder / "store")
        data = folder / "backend"
        products = {"bundleId": APP, "products": [{"productId": MAY, "kind": "Non-Consumable", "content": "may"}]}
        (folder / "products.json").write_text(json.dumps(products))
        self.typed("backend", "products", "publish", folder / "products.json", "--data", data)
        self.typed("backend", "content", "add", "may", folder / "products.json", "--version", "1.0", "--data", data)
        self.shop = OwnServer(
            TILL, data, "--bundle", APP, "--root", str(root), "--offline", "--accounts-per-minute", "0",
            "--proofs-per-minute", "0", "--requests-per-minute", "0")
        self.user = self.shop.sign_up("lisa")
        self.document = requests.get(f"{self.shop.address}/openapi.json", timeout=PATIENCE).json()
        self.schema = schemathesis.openapi.from_dict(self.document)
        self.operations = {
            found.ok().definition.raw["operationId"]: found.ok() for found in self.schema.get_all_operations()
        }

    def typed(self, *words):
        done = run(TILL, *words)
        assert done.returncode == 0, done.stderr

    def known(self, operation) -> dict[str, str]:
        """Values for the parts of a path of which there is something."""
        known = {"bundleId": APP, "productId": MAY, "version": "1.0", "name": "coins"}
        return {name: value for name, value in known.items() if "{" + name + "}" in operation.path}

    def token(self, operation) -> dict[str, str]:
        needs = any("userToken" in entry for entry in operation.definition.raw.get("security", []))
        return {"Authorization": f"Bearer {self.user}"} if needs else {}

    def renew(self):
        """Somebody who is signed in: one of the operations signs out."""
        if self.shop.call("GET", "/v1/user", self.user).status_code == 401:
            answer = self.shop.call("POST", "/v1/sessions", json={"name": "lisa", "password": "correct horse"})
            self.user = answer.json()["token"]


@pytest.fixture(scope="module")
def interface(tmp_path_factory):
    interface = OwnInterface(tmp_path_factory.mktemp("own-interface"))
    yield interface
    assert interface.shop.stop() == 0, interface.shop.log_text()


@pytest.mark.parametrize("mode", ["of nothing", "of something", "against the description"])
def test_answers_are_as_they_are_described(interface, mode):
    print(f"TILL_SEED={SEED}")
    wrong = {}
    for name, operation in interface.operations.items():
        interface.renew()
        if found := asked(interface, operation, mode, cases(EXAMPLES)):
            wrong[name] = found
    assert not wrong, "\n".join(f"{name}: {found}" for name, found in wrong.items())
    assert len(interface.operations) > 15
