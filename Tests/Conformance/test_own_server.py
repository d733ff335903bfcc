"""`till backend serve` as developers, apps and the store see it: its page is followed to the letter."""

import hashlib
import json
import re

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from conftest import REPOSITORY, tool_path
from support.own_server import OwnServer
from support.shop import Shop, free_port
from support.till import run
from test_documented_care import shell

pytestmark = pytest.mark.rows("R5.1", "R5.2", "R5.3", "R5.4", "R5.5", "R5.7", "R5.8")

TILL = tool_path().with_name("till")
PAGE = (REPOSITORY / "Documentation/YourOwnServer.md").read_text()
JUNGLE = f"{Shop.BUNDLE}.jungle"
CONTENT = bytes(range(256)) * 400


def blocks() -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def shop(folder):
    """A store in the data directory that commands use where none is named."""
    shop = Shop(TILL, folder / "till_data")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def server(folder, shop):
    """The first block of the page, typed; its last command is the server."""
    (folder / "jungle.zip").write_bytes(CONTENT)
    lines, serve = blocks()[0].split("till backend serve")
    port = free_port()
    done = shell(folder, [lines.replace(":8090", f":{port}")])
    assert done.returncode == 0, done.stderr
    serve = serve.replace("\\\n", " ").replace(":8081", f":{shop.sandbox}").replace(":8080", f":{shop.production}")
    words = serve.split()
    words = [str(folder / word) if word.endswith((".der", ".txt")) else word for word in words]
    server = OwnServer(TILL, folder / "till_backend", *words, listen=f"127.0.0.1:{port}")
    yield server
    assert server.stop() == 0, server.log_text()


def typed(folder, server, word: str, token: str | None = None):
    [block] = [block for block in blocks() if word in block]
    before = [f"TOKEN={token}"] if token else []
    done = shell(folder, [*before, block.replace("127.0.0.1:8090", server.listen)])
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def token(folder, server):
    typed(folder, server, "user.json")
    return json.loads((folder / "user.json").read_text())["token"]


def test_an_app_gets_the_list_of_the_page(folder, server):
    listed = json.loads(typed(folder, server, "appVersion=1.4"))
    assert [one["productId"] for one in listed["products"]] == [f"{Shop.BUNDLE}.credits5", JUNGLE]
    assert listed["products"][1]["contentBytes"] == len(CONTENT)


def test_what_was_paid_for_is_downloaded_with_its_receipt_and_goes_on_where_it_broke_off(folder, server, token):
    typed(folder, server, "jungle.zip.part", token)
    assert (folder / "jungle.zip.part").read_bytes() == CONTENT
    (folder / "rest.part").write_bytes(CONTENT[:5])
    typed(folder, server, "--continue-at", token)
    assert (folder / "rest.part").read_bytes() == CONTENT
    steps = [entry["event"] for entry in server.events() if entry["event"] not in ("request", "listener.started")]
    first = steps.index("proof.received")
    assert steps[first:first + 5] == [
        "proof.received", "proof.asked", "proof.answered", "purchase.recorded", "content.granted"]
    assert "content.sent" in steps
    assert token not in server.log_text()


def test_credits_are_credited_once_and_spent_once(folder, server, token):
    typed(folder, server, "level-4", token)
    # Typed again it is another purchase, and the same spending.
    typed(folder, server, "level-4", token)
    balances = server.call("GET", "/v1/balances", token).json()["balances"]
    assert balances == [{"name": "credits", "amount": 8}]


def test_the_operator_sees_users_and_what_was_done(folder, server, token):
    told = typed(folder, server, "backend audit")
    assert "lisa" in told and JUNGLE in told and "content_granted" in told and "credited" in told


def test_the_description_is_valid(server):
    document = server.call("GET", "/openapi.json").json()
    assert [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    assert {"/v1/purchases", "/v1/content/{productId}", "/healthz"} <= set(document["paths"])


def test_it_is_well_and_says_so(server):
    assert server.call("GET", "/healthz").text == "ok\n"
    ready = server.call("GET", "/readyz").json()
    assert ready["ready"] and [check["name"] for check in ready["checks"]] == ["database", "disk"]
    assert "till_http_request_seconds" in server.call("GET", "/metrics").text


def test_a_second_server_of_the_folder_is_refused(folder, server):
    words = ["--data", folder / "till_backend", "--bundle", Shop.BUNDLE, "--listen", "127.0.0.1:0"]
    done = run(TILL, "backend", "serve", *words)
    assert done.returncode == 75
    assert "another process serves" in done.stderr


def test_it_ends_and_begins_without_losing_anything(folder, server, token):
    server.kill()
    server.start()
    answer = server.call("POST", f"/v1/content/{JUNGLE}", token, allow_redirects=True)
    assert answer.status_code == 200 and hashlib.sha256(answer.content).digest() == hashlib.sha256(CONTENT).digest()


def test_what_is_published_while_it_runs_is_listed_at_once(folder, server):
    shown = run(TILL, "backend", "products", "show", Shop.BUNDLE, "--data", folder / "till_backend", "--json")
    changed = json.loads(shown.stdout)
    changed["products"].append({"productId": f"{Shop.BUNDLE}.ghost", "kind": "Non-Consumable"})
    (folder / "more.json").write_text(json.dumps(changed))
    done = run(TILL, "backend", "products", "publish", folder / "more.json", "--data", folder / "till_backend")
    assert done.returncode == 0, done.stderr
    listed = server.call("GET", f"/v1/apps/{Shop.BUNDLE}/products").json()
    assert listed["products"][-1]["productId"] == f"{Shop.BUNDLE}.ghost"
    unknown = {"productIds": [f"{Shop.BUNDLE}.ghost", "nobody.knows.this"]}
    assert server.call("POST", f"/v1/apps/{Shop.BUNDLE}/products/unknown", json=unknown).status_code == 204
    told = run(TILL, "backend", "products", "unknown", Shop.BUNDLE, "--data", folder / "till_backend").stdout
    assert f"{Shop.BUNDLE}.ghost" in told and "nobody" not in told


@pytest.mark.parametrize(
    "words, status, reason",
    [
        (["serve", "--listen", "127.0.0.1:0"], 64, "--bundle"),
        (["serve", "--bundle", "a.b", "--offline"], 64, "--root"),
        (["serve", "--bundle", "a.b", "--listen", "127.0.0.1:0", "--store", "store"], 65, "store"),
        (["serve", "--bundle", "a.b", "--listen", "127.0.0.1:0", "--database", "postgresql://127.0.0.1:1/"], 74, "SQL"),
        (["serve", "--bundle", "a.b", "--listen", "127.0.0.1:0", "--root", "/etc/passwd"], 65, "/etc/passwd"),
        (["serve", "--bundle", "a.b", "--listen", "127.0.0.1:0", "--shared-secret-file", "/dev/null"], 65, "/dev/null"),
        # What reads makes no server: the name may be mistyped.
        (["users", "list"], 66, "no server in"),
        (["products", "show", "a.b"], 66, "no server in"),
        (["content", "add", "may", "/nowhere", "--version", "1.0"], 66, "/nowhere"),
    ],
)
def test_a_command_that_cannot_be_carried_out_says_why(tmp_path, words, status, reason):
    done = run(TILL, "backend", *words, "--data", tmp_path / "data")
    assert (done.returncode, reason in done.stderr) == (status, True), done.stderr
    assert status != 66 or words[0] == "content" or not (tmp_path / "data").exists()


def test_what_begins_a_server_says_so_and_a_list_that_cannot_be_delivered_warns(tmp_path):
    listed = {"bundleId": "a", "products": [{"productId": "a.b", "kind": "Non-Consumable", "content": "jungel"}]}
    (tmp_path / "list.json").write_text(json.dumps(listed))
    data = ["--data", tmp_path / "data"]
    first = run(TILL, "backend", "products", "publish", tmp_path / "list.json", *data)
    assert first.returncode == 0 and "no content jungel" in first.stderr and "new server begins" in first.stderr
    (tmp_path / "jungle").write_text("leaves")
    assert run(TILL, "backend", "content", "add", "jungel", tmp_path / "jungle", "--version", "1", *data).returncode == 0
    again = run(TILL, "backend", "products", "publish", tmp_path / "list.json", *data)
    assert (again.returncode, again.stderr) == (0, "")
    unknown = run(TILL, "backend", "products", "show", "a.c", *data)
    assert unknown.returncode == 66 and "no list of a.c" in unknown.stderr
    nobody = run(TILL, "backend", "users", "show", "nobody", *data)
    assert nobody.returncode == 66 and "nobody" in nobody.stderr


@pytest.mark.parametrize("text", ["one two three", "secret\nother", "no.bundle! secret"])
def test_a_file_of_secrets_that_is_none_is_refused(tmp_path, text):
    (tmp_path / "secrets").write_text(text)
    words = ["--data", tmp_path / "data", "--bundle", "a.b", "--listen", "127.0.0.1:0"]
    done = run(TILL, "backend", "serve", *words, "--shared-secret-file", tmp_path / "secrets")
    assert done.returncode == 65 and "bundle id and its secret" in done.stderr


@pytest.mark.parametrize(
    "text, reason",
    [
        ("[]", "no object"), ('{"bundleId": "a", "products": [], "x": 1}', "a member x"),
        ('{"bundleId": "a", "products": [{"productId": "a.b", "kind": "Consumable", "titel": "B"}]}', "a member titel"),
        ('{"bundleId": "a"}', "products is missing"), ('{"bundleId": "a b", "products": []}', "bundleId"),
    ],
)
def test_a_list_that_is_wrong_is_refused_with_the_place(tmp_path, text, reason):
    (tmp_path / "list.json").write_text(text)
    done = run(TILL, "backend", "products", "publish", tmp_path / "list.json", "--data", tmp_path / "data")
    assert done.returncode == 65 and reason in done.stderr, done.stderr
