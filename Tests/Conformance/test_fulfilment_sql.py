"""The printed SQL of fulfilment, used as its page says by programs in another language, on both engines."""

import importlib.util
import re
import sqlite3
import threading
from contextlib import closing
from types import SimpleNamespace

import psycopg
import pytest
from appstoreserverlibrary.models.Environment import Environment

from conftest import REPOSITORY
from support.waiting import PATIENCE
from test_documented_care import shell

pytestmark = pytest.mark.rows("X5", "P12")

PAGE = (REPOSITORY / "Documentation/Fulfilment.md").read_text()
CREDIT = "UPDATE account SET credits = credits + {} WHERE name = 'me'"
ACCOUNT = ["CREATE TABLE account (name TEXT PRIMARY KEY, credits BIGINT)", "INSERT INTO account VALUES ('me', 0)"]


def block(language: str) -> str:
    [text] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return text


def transaction(number: int, stated: int, is_refunded: bool = False) -> SimpleNamespace:
    """What Apple's library gives of a verified transaction, as far as it is used."""
    return SimpleNamespace(
        environment=Environment.SANDBOX,
        transactionId=str(number),
        signedDate=stated,
        revocationDate=stated if is_refunded else None,
        isUpgraded=None,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The commands of the page, typed."""
    folder = tmp_path_factory.mktemp("fulfilment")
    done = shell(folder, [block("sh")])
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def program(folder, monkeypatch):
    """The program of the page, as a module."""
    (folder / "fulfilment.py").write_text(block("python"))
    monkeypatch.chdir(folder)
    spec = importlib.util.spec_from_file_location("fulfilment", folder / "fulfilment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Postgres:
    """The program of the page on PostgreSQL."""

    def __init__(self, program, address: str):
        self.program, self.address = program, address
        with psycopg.connect(address, autocommit=True) as connection:
            program.prepare(connection)
            for statement in ACCOUNT:
                connection.execute(statement)

    def fulfil(self, *transactions) -> list[str]:
        def credit(cursor, act):
            cursor.execute(CREDIT.format(100 if act == "grant" else -100))
            return act

        with psycopg.connect(self.address, autocommit=True) as connection:
            return [self.program.fulfil(connection, one, credit) for one in transactions]

    def balance(self) -> int:
        with psycopg.connect(self.address) as connection:
            return connection.execute("SELECT credits FROM account").fetchone()[0]


class SQLite:
    """The same statements with SQLite's own driver, whose parameters are question marks."""

    def __init__(self, folder, path):
        self.path = path
        text = (folder / "fulfilment-sqlite.sql").read_text()
        found = re.findall(r"^-- name: (\w+).*\n([^;]+);", text, re.MULTILINE)
        self.statements = {name: re.sub(r"\$\d+", "?", statement) for name, statement in found}
        with closing(self.connect()) as connection:
            for statement in [v for k, v in self.statements.items() if k.startswith("table_")] + ACCOUNT:
                connection.execute(statement)

    def connect(self):
        return sqlite3.connect(self.path, isolation_level=None, timeout=PATIENCE)

    def fulfil(self, *transactions) -> list[str]:
        with closing(self.connect()) as connection:
            return [self.fulfil_one(connection, one) for one in transactions]

    def fulfil_one(self, connection, one) -> str:
        def run(name: str, *values):
            return connection.execute(self.statements[name], values).fetchone()

        key = (one.environment.value.lower(), one.transactionId)
        run("begin")
        run("state", *key, 0 if one.revocationDate else 1, one.signedDate)
        claim = run("claim", 1, *key)
        if claim and claim[1]:
            connection.execute(CREDIT.format(100 if claim[1] == "grant" else -100))
            run("keep", claim[1], *key, claim[0])
        result = run("newest", *key)[2]
        run("commit")
        return result

    def balance(self) -> int:
        with closing(self.connect()) as connection:
            return connection.execute("SELECT credits FROM account").fetchone()[0]


@pytest.fixture(params=["sqlite", "postgres"])
def shop(request, folder, program, cluster, tmp_path):
    if request.param == "sqlite":
        return SQLite(folder, tmp_path / "shop.sqlite")
    return Postgres(program, cluster.create(f"fulfilment_{request.node.originalname.lower()[:40]}"))


def test_a_purchase_is_credited_once_and_a_refund_takes_back(shop):
    statements = [
        transaction(1, 10),
        transaction(1, 12),
        transaction(1, 20, is_refunded=True),
        transaction(1, 15),
        transaction(1, 20, is_refunded=True),
        transaction(1, 30),
        transaction(2, 10, is_refunded=True),
        transaction(2, 5),
    ]
    acts = ["grant", "grant", "take_back", "take_back", "take_back", "grant", None, None]
    assert shop.fulfil(*statements) == acts
    assert shop.balance() == 100


def test_many_clients_at_once_credit_each_purchase_once(shop):
    purchases = [transaction(number, 10) for number in range(20)]
    failures = []

    def bring(turn: int):
        try:
            shop.fulfil(*(purchases[turn:] + purchases[:turn]))
        except Exception as failure:
            failures.append(failure)

    clients = [threading.Thread(target=bring, args=(turn,)) for turn in range(8)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert not failures
    assert shop.balance() == 100 * len(purchases)


def test_a_crash_of_the_caller_leaves_nothing(program, cluster):
    shop = Postgres(program, cluster.create("fulfilment_crash"))

    def crash(cursor, act):
        cursor.execute(CREDIT.format(100))
        raise KeyboardInterrupt

    with psycopg.connect(shop.address, autocommit=True) as connection, pytest.raises(KeyboardInterrupt):
        program.fulfil(connection, transaction(1, 10), crash)
    assert shop.balance() == 0
    assert shop.fulfil(transaction(1, 10)) == ["grant"]
    assert shop.balance() == 100
