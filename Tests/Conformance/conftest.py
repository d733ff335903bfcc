import os
import signal
from functools import cache
from pathlib import Path

import pytest

from support.cluster import Cluster
from support.instants import ISSUED_AT
from support.store import Store
from support.tool import Tool

REPOSITORY = Path(__file__).resolve().parents[2]

# What a shell starts in the background ignores these, and so would every program that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


# The files that take longest, which begin first: at the end of a run one of them would keep all other processes waiting.
LONGEST = [
    "test_page_journeys", "test_pages", "test_catalogue_commands", "test_dev", "test_attacks", "test_storefront_pages",
    "test_backend_killed", "test_scenarios", "test_owner_journey", "test_interfaces_schemathesis", "test_sale_killed",
]


def tool_path() -> Path:
    folder = Path(os.environ.get("TILL_BIN_DIR") or REPOSITORY / ".build/debug")
    path = Path(os.environ.get("TILL_CONFORMANCE_TOOL") or folder / "till-conformance")
    if not path.is_file():
        pytest.exit(
            f"There is no conformance tool at {path}. Build it with `swift build --product till-conformance`, "
            "or name it in TILL_CONFORMANCE_TOOL.",
            returncode=2,
        )
    return path


@pytest.fixture(scope="session")
def store():
    """StoreSigning, in one process for all tests; its end is checked too."""
    tool = Tool(tool_path())
    yield Store(tool)
    assert tool.close() == 0, "till-conformance did not end as it should"


@pytest.fixture(scope="module")
def cluster():
    """A PostgreSQL server of its own, for the tests of a file."""
    cluster = Cluster(REPOSITORY / "Scripts" / "postgres-cluster.sh")
    yield cluster
    cluster.close()


@pytest.fixture(scope="session")
def authority(store):
    """A chain of the store by environment and purpose, made once."""

    @cache
    def make(environment: str, purpose: str):
        return store.authority(environment, purpose, issued_at=ISSUED_AT)

    return make


def pytest_addoption(parser):
    parser.addoption("--rows", action="store_true", help="list the proven rows with their tests and run nothing")


def pytest_collection_modifyitems(items):
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


def pytest_collection_finish(session):
    if not session.config.getoption("--rows"):
        return
    tests: dict[str, list[str]] = {}
    for item in session.items:
        for marker in item.iter_markers("rows"):
            for row in marker.args:
                tests.setdefault(row, []).append(item.nodeid)
    for row in sorted(tests, key=lambda row: (row[0], [int(part) for part in row[1:].split(".")])):
        print(f"{row}  {len(tests[row])} tests", *tests[row], sep="\n    ")
    pytest.exit(f"{len(tests)} rows", returncode=0)
