"""Scenarios as files: all that are here go as written, in worlds of their own and at a sandbox that runs, and never touch
production."""

import json
import os
import re
from pathlib import Path

import pytest

from conftest import tool_path
from support.till import Till, run

TILL = tool_path().with_name("till")
REPOSITORY = Path(__file__).parents[2]
SCENARIOS = sorted((REPOSITORY / "Scenarios").glob("*.till"))


# Which worlds are compared between two processes: all of them take as long as all scenarios.
COMPARED = SCENARIOS if os.environ.get("TILL_SOAK") else [
    path for path in SCENARIOS if path.stem in ("clean-world", "offer-code")]


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    data = tmp_path_factory.mktemp("scenarios") / "store"
    store = Till(TILL, data)
    yield data, store
    store.stop()


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A scenario that shows what a world draws at random."""
    path = tmp_path_factory.mktemp("drawn") / "drawn.till"
    path.write_text("till testers add ada@example.com\nlet born = .birthDate\nlet name = .lastName\n")
    return path


@pytest.fixture(scope="module")
def reports(drawn):
    """What came of all scenarios and of one more, in one process: making its keys takes as long as ten worlds."""
    found = run(TILL, "scenario", "run", *SCENARIOS, drawn, "--json")
    assert found.returncode == 0, found.stderr
    answer = json.loads(found.stdout)
    assert answer["passed"]
    return {report["scenario"]: report for report in answer["scenarios"]}


def rows(path: Path) -> set[str]:
    return set(re.findall(r"\bP\d+\b", path.read_text().splitlines()[0]))


def comparable(report: dict) -> str:
    """A report without the ids of notifications, which are unique over all stores and so no part of a world."""
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid", json.dumps(report))


@pytest.mark.rows("X8")
def test_all_scenarios_go_as_they_are_written(reports):
    assert len(SCENARIOS) >= 25 and {str(path) for path in SCENARIOS} < reports.keys()
    assert not any(report["steps"] == [] for report in reports.values())
    page = (REPOSITORY / "Documentation/Scenarios.md").read_text()
    for path in SCENARIOS:
        row = next((line for line in page.splitlines() if f"(../Scenarios/{path.name})" in line), "")
        assert rows(path) and rows(path) <= set(re.findall(r"\bP\d+\b", row)), f"{path.name}: {row}"


@pytest.mark.rows("X8")
def test_a_world_is_the_same_in_every_run(reports, drawn):
    found = run(TILL, "scenario", "run", *COMPARED, drawn, "--json")
    assert found.returncode == 0, found.stderr
    again = json.loads(found.stdout)["scenarios"]
    assert len(again) == len(COMPARED) + 1
    for report in again:
        assert comparable(report) == comparable(reports[report["scenario"]])


@pytest.mark.rows("X8")
def test_a_line_that_does_not_hold_ends_the_run_and_is_named(reports, drawn, tmp_path):
    wrong = tmp_path / "wrong.till"
    text = (REPOSITORY / "Scenarios/introductory-once.till").read_text()
    assert text.count('"4.99"') == 1
    wrong.write_text(text.replace('"4.99"', '"0.00"'))
    (tmp_path / "Weather.json").write_text((REPOSITORY / "Scenarios/Weather.json").read_text())
    line = next(n for n, line in enumerate(wrong.read_text().splitlines(), 1) if '"0.00"' in line and n > 10)
    # Those that follow are run all the same; with another seed, other things are drawn.
    found = run(TILL, "scenario", "run", wrong, drawn, "--json", "--seed", "2")
    assert found.returncode == 1
    assert f'{wrong}:{line}:8: .total.amount: expected == "0.00", found "4.99"' in found.stderr
    broken, other = json.loads(found.stdout)["scenarios"]
    assert broken["fault"]["place"] == {"line": line, "column": 8} and not broken["passed"]
    assert other["passed"] and other["steps"] != reports[str(drawn)]["steps"]

    wrong.write_text("till testers list\nexpect .items count 0\ntill buy --quantity 0 com.example.weather.coins\n")
    for command in ("run", "check"):
        found = run(TILL, "scenario", command, wrong, "--json")
        assert found.returncode == 65 and f"{wrong}:3:10: --quantity: " in found.stderr
        assert [fault["place"] for fault in json.loads(found.stdout)["faults"]] == [{"line": 3, "column": 10}]
    assert run(TILL, "scenario", "run", tmp_path / "none.till").returncode == 66


@pytest.mark.rows("X8")
def test_a_scenario_runs_at_a_sandbox_that_runs_and_leaves_production_alone(running, tmp_path):
    data, store = running
    scenario = tmp_path / "some.till"
    (tmp_path / "Weather.json").write_text((REPOSITORY / "Scenarios/Weather.json").read_text())
    scenario.write_text(
        "till catalogue import Weather.json\ntill testers add ada@example.com\n"
        "till buy com.example.weather.coins\nexpect .state == \"purchased\"\n")

    def production():
        products = run(TILL, "why", "com.example.weather", "com.example.weather.coins", "--environment", "production",
                       "--json", "--data", data)
        return json.loads(products.stdout or '{"items": []}')["items"]

    assert run(TILL, "scenario", "run", scenario, "--data", data).returncode == 0
    assert all(not found["isSold"] for found in production())
    tokens = json.loads(run(TILL, "control-token", "list", "--json", "--data", data).stdout)["items"]
    assert tokens and all(token["environment"] == "sandbox" and "revokedAt" in token for token in tokens)

    # What only production may do is refused to the token of the run.
    scenario.write_text("till products approve com.example.weather com.example.weather.coins\nexpect error production_required\n")
    refused = run(TILL, "scenario", "run", scenario, "--data", data)
    assert refused.returncode == 0, refused.stderr
    reasons = {
        "till transactions list --environment production": "a scenario never touches production",
        "till customers list": "a scenario has no such command",
        f"till transactions list --data {data}": "the run says which store is meant",
    }
    refused = [tmp_path / f"{number}.till" for number in range(len(reasons))]
    for path, line in zip(refused, reasons):
        path.write_text(line + "\n")
    found = run(TILL, "scenario", "run", *refused, "--data", data)
    assert found.returncode == 65
    for path, reason in zip(refused, reasons.values()):
        assert re.search(re.escape(f"{path}:1:") + ".*" + re.escape(reason), found.stderr), found.stderr


@pytest.mark.rows("X8")
def test_a_token_of_production_runs_no_scenario(running, tmp_path):
    data, store = running
    scenario = tmp_path / "some.till"
    scenario.write_text("till testers list\n")
    tokens = {
        environment: run(TILL, "control-token", "create", environment, "--environment", environment, "--data", data)
        for environment in ("sandbox", "production")}
    for environment, address, is_taken in (
        ("sandbox", "sandbox", True), ("production", "sandbox", False),
        ("production", "production", False), ("sandbox", "production", False),
    ):
        found = run(TILL, "scenario", "run", scenario, "--store", store.ready[address],
                    environment={"TILL_TOKEN": tokens[environment].stdout.strip()})
        assert (found.returncode == 0) == is_taken, (environment, address, found.stderr)
