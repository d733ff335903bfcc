"""The device and the control interface as they describe themselves, held against what they answer by schemathesis.

TILL_SEED repeats a run, TILL_SOAK=1 asks twenty times as often.
"""

import copy

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from conftest import REPOSITORY, tool_path
from support.device import payload
from support.randomness import SEED, cases
from support.server_key import ServerKey
from support.shop import Shop
from support.waiting import PATIENCE

# What it keeps for itself is no part of the repository.
set_hypothesis_home_dir(REPOSITORY / ".build/hypothesis")
TILL = tool_path().with_name("till")
CREDITS = f"{Shop.BUNDLE}.credits5"
# What the catalogue may lose without anybody noticing.
SPARE_TEAM, SPARE_APP = "spare", "com.example.spare"
SPARE = f"{SPARE_APP}.credits10"
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
]
# What is asked of each operation, with values that keep to the description and with values that do not.
EXAMPLES = 2
REQUEST = "x-request-id"


class Interface:
    """A store with something in it, and its description."""

    def __init__(self, folder):
        self.shop = Shop(TILL, folder / "store")
        self.document = requests.get(f"{self.shop.address}/openapi.json", timeout=PATIENCE).json()
        self.schema = schemathesis.openapi.from_dict(self.document)
        self.operations = {
            found.ok().definition.raw["operationId"]: found.ok() for found in self.schema.get_all_operations()
        }
        described = sum(len(methods) for methods in self.document["paths"].values())
        assert len(self.operations) == described, "two operations have one name"
        self.shop.ask("POST", "/teams", {"teamId": SPARE_TEAM, "name": "Spare"})
        self.shop.ask("POST", "/apps", {"bundleId": SPARE_APP, "name": "Spare", "teamId": SPARE_TEAM})
        self.shop.ask("PUT", f"/apps/{SPARE_APP}/groups/spare", {"referenceName": "Spare"})
        coins = {"productID": SPARE, "referenceName": "Spare", "type": "Consumable", "displayPrice": "0.99"}
        self.shop.ask("PUT", f"/apps/{SPARE_APP}/import", {"identifier": "1", "products": [coins], "version": {"major": 2, "minor": 0}})
        team = self.shop.ask("GET", f"/apps/{Shop.BUNDLE}")["teamId"]
        self.server = ServerKey(self.shop, team=team)
        self.furnish()

    def furnish(self):
        """Somebody who is signed in and has bought something."""
        self.device, customer = self.shop.signed_in()
        self.email = customer["email"]
        bought = self.device.buy(CREDITS)
        self.transaction = payload(bought["signedTransaction"])["transactionId"]
        self.purchase, self.key = bought["purchaseId"], bought["key"]
        self.number = self.device.ask("GET", "/device")["deviceId"]

    @property
    def is_furnished(self) -> bool:
        return self.device.call("GET", f"/purchases/{self.key}").ok

    def known(self, operation) -> dict[str, str]:
        """Values for the parts of a path of which there is something."""
        all_known = {
            "customer": self.email, "device": self.number, "purchase": self.purchase, "key": self.key,
            "transactionId": self.transaction, "bundleId": SPARE_APP, "productId": SPARE, "storefront": "USA",
            "teamId": SPARE_TEAM, "groupId": "spare",
        }
        named = {parameter["name"] for parameter in operation.definition.raw.get("parameters", [])}
        return {name: value for name, value in all_known.items() if name in named and "{" + name + "}" in operation.path}

    def token(self, operation) -> dict[str, str]:
        schemes = [name for entry in operation.definition.raw.get("security", []) for name in entry]
        tokens = {"deviceToken": self.device.token, "operatorToken": self.shop.token, "serverToken": self.server.token()}
        return {"Authorization": f"Bearer {tokens[name]}" for name in schemes}


@pytest.fixture(scope="module")
def interface(tmp_path_factory):
    interface = Interface(tmp_path_factory.mktemp("interfaces"))
    yield interface
    assert interface.shop.stop() == 0


def judge(interface, operation, case, is_known):
    if is_known:
        case.path_parameters = {**(case.path_parameters or {}), **interface.known(operation)}
    # What frames the message is not of the interface: a length that is no number ends in the library below, with its own page.
    for name in [name for name in case.headers or {} if name.lower() in {"content-length", "transfer-encoding", "connection"}]:
        del case.headers[name]
    # A wait would only cost time.
    if case.query and str(case.query.get("wait", 0)).isdigit():
        case.query["wait"] = 0
    answer = case.call(base_url=interface.shop.address, headers=interface.token(operation), timeout=PATIENCE)
    case.validate_response(answer, checks=CHECKS)
    assert answer.headers.get(REQUEST), "an answer without the id of its request"


def asked(interface, operation, mode: str, draw: int):
    """Asks an operation so many times and gives what was wrong, if anything was."""
    generation = GenerationMode.NEGATIVE if mode == "against the description" else GenerationMode.POSITIVE

    @seed(SEED)
    @settings(
        max_examples=draw, deadline=None, database=None, suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=generation))
    def ask(case):
        judge(interface, operation, case, mode == "of something")

    try:
        ask()
    except Unsatisfiable:
        # What takes nothing cannot be asked wrongly.
        assert "parameters" not in operation.definition.raw and "requestBody" not in operation.definition.raw
    except (Exception, BaseExceptionGroup) as error:
        return repr(error)
    return None


@pytest.mark.parametrize("mode", ["of nothing", "of something", "against the description"])
def test_answers_are_as_they_are_described(interface, mode):
    print(f"TILL_SEED={SEED}")
    wrong = {}
    for name, operation in interface.operations.items():
        if not interface.is_furnished:
            interface.furnish()
        if found := asked(interface, operation, mode, cases(EXAMPLES)):
            wrong[name] = found
    assert not wrong, "\n".join(f"{name}: {found}" for name, found in wrong.items())


@pytest.mark.parametrize(
    "operation, damage",
    [
        ("showDevice", lambda described: described["responses"].pop("200")),
        ("showDevice", lambda described: schema(described, "200")["required"].append("colour")),
        ("showDevice", lambda described: schema(described, "200")["properties"].update(isSignedIn={"type": "string"})),
        ("metrics", lambda described: described["responses"]["200"].update(content={"application/json": {}})),
    ],
)
def test_a_description_that_is_wrong_is_found(interface, operation, damage):
    document = copy.deepcopy(interface.document)
    [described] = [
        one for methods in document["paths"].values() for one in methods.values() if one["operationId"] == operation
    ]
    damage(described)
    [damaged] = [
        found.ok()
        for found in schemathesis.openapi.from_dict(document).get_all_operations()
        if found.ok().definition.raw["operationId"] == operation
    ]
    assert asked(interface, damaged, "of something", 1)


def schema(described: dict, status: str) -> dict:
    return described["responses"][status]["content"]["application/json"]["schema"]
