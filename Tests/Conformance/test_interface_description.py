"""Descriptions of interfaces, judged by the validator of the OpenAPI community."""

import json

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError


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
