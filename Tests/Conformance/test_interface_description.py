"""Descriptions of interfaces, judged by the validator of the OpenAPI community."""

import json

import pytest
import requests
from openapi_spec_validator import OpenAPIV31SpecValidator
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError

from conftest import tool_path
from support.till import Till
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")


@pytest.fixture(scope="module")
def document(store):
    return json.loads(store.tool.ask("interface.describe"))


def test_the_description_of_an_interface_is_valid(document):
    assert document["openapi"].startswith("3.1.")
    assert [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_the_validator_would_find_a_missing_part_of_the_path(document):
    broken = json.loads(json.dumps(document))
    broken["paths"]["/items/{item}"]["get"]["parameters"].pop(0)
    with pytest.raises(OpenAPIValidationError):
        OpenAPIV31SpecValidator(broken).validate()


def test_every_operation_of_the_routes_is_described(document):
    operations = {
        operation["operationId"] for methods in document["paths"].values() for operation in methods.values()
    }
    assert operations == {"readItem", "makeItem", "changeItem", "readFile"}


def test_the_same_routes_give_the_same_bytes(store):
    assert store.tool.ask("interface.describe") == store.tool.ask("interface.describe")


@pytest.fixture(scope="module")
def till(tmp_path_factory):
    process = Till(TILL, tmp_path_factory.mktemp("description") / "data")
    yield process
    assert process.stop() == 0, process.log_text()


@pytest.mark.rows("X13")
@pytest.mark.parametrize("environment", ["production", "sandbox"])
def test_what_a_running_store_says_of_its_interfaces_is_valid(till, environment):
    answer = requests.get(f"{till.ready[environment]}/openapi.json", timeout=PATIENCE)
    assert answer.headers["Content-Type"] == "application/json"
    document = answer.json()
    assert [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    operations = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert len(operations) == len(set(operations)) > 60
    assert {"registerDevice", "buy", "verifyReceipt", "describe", "health"} <= set(operations)
