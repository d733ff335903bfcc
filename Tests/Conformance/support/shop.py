import json
import random
import socket
import threading
import time
import uuid
from pathlib import Path

import requests

from support.device import Device, payload
from support.till import Till, run
from support.waiting import PATIENCE


def free_port() -> int:
    """A port that nobody gets while a store is started again: outgoing connections have theirs from a range above. Where
    that range leaves no room, it is one of theirs."""
    below = range(10_000, int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0]))
    while True:
        with socket.socket() as server:
            try:
                server.bind(("127.0.0.1", random.SystemRandom().choice(below) if below else 0))
            except OSError:
                continue
            return server.getsockname()[1]


class Shop:
    """A store with the demo, at addresses that stay the same when it is killed and started again."""

    BUNDLE = "com.example.monkeycredits"
    PASSWORD = "correct horse"

    def __init__(self, program: Path, data: Path, *options: str, environment: dict[str, str] | None = None):
        self.program, self.data, self.options, self.environment = program, data, options, environment
        self.production, self.sandbox = free_port(), free_port()
        self.start()
        self.profile = self.till("provision", self.BUNDLE, "--sandbox").stdout.strip()
        self.tokens = {
            environment: json.loads(
                self.till("control-token", "create", f"tests-{environment}", "--environment", environment, "--json").stdout
            )["token"]
            for environment in ("sandbox", "production")
        }
        self.token = self.tokens["sandbox"]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.sandbox}"

    def start(self):
        self.process = Till(
            self.program,
            self.data,
            "--demo",
            "--listen",
            f"127.0.0.1:{self.production}",
            "--sandbox-listen",
            f"127.0.0.1:{self.sandbox}",
            *self.options,
            environment=self.environment,
        )

    def kill(self):
        self.process.process.kill()
        self.process.stop()

    def stop(self) -> int:
        return self.process.stop()

    def till(self, *words: str):
        done = run(self.program, *words, "--data", self.data, environment=self.environment)
        assert done.returncode == 0, f"till {' '.join(words)}: {done.stderr}"
        return done

    def control(self, method: str, path: str, body=None, **options) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        return requests.request(
            method, f"{self.address}/control/v1{path}", json=body, headers=headers, timeout=PATIENCE, **options
        )

    def ask(self, method: str, path: str, body=None, **options) -> dict:
        """What the sandbox answers; production, where only its tokens may do what is asked for: the catalogue is of both."""
        answer = self.control(method, path, body, **options)
        if answer.status_code == 403 and answer.json()["error"]["code"] == "production_required":
            headers = {"Authorization": f"Bearer {self.tokens['production']}", **options.pop("headers", {})}
            address = f"http://127.0.0.1:{self.production}/control/v1{path}"
            answer = requests.request(method, address, json=body, headers=headers, timeout=PATIENCE, **options)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else {}

    def add_tester(self, email: str | None = None, **more) -> dict:
        email = email or f"{uuid.uuid4()}@example.com"
        return self.ask("POST", "/customers", {"email": email, "password": self.PASSWORD, **more})

    def device(self, **more) -> Device:
        device = Device(self.address, self.profile, self.BUNDLE, **more)
        device.register()
        return device

    def signed_in(self, email: str | None = None, **more) -> tuple[Device, dict]:
        tester = self.add_tester(email, **more)
        device = self.device()
        device.sign_in(tester["email"], self.PASSWORD)
        return device, tester


class Buyer(threading.Thread):
    """Somebody who buys without end over a bad line: requests are repeated, cut off and overtake each other."""

    def __init__(self, device: Device, products: list[str], seed: int, stop: threading.Event):
        super().__init__(daemon=True)
        self.device, self.products, self.stopping = device, products, stop
        self.random = random.Random(seed)
        # What the store has acknowledged: transaction by key. And all that was ever asked for.
        self.acknowledged: dict[str, str] = {}
        self.asked: set[str] = set()
        self.finished: set[str] = set()
        self.contradictions: list[str] = []

    def run(self):
        while not self.stopping.is_set():
            self.buy(str(uuid.UUID(int=self.random.getrandbits(128), version=4)))

    def buy(self, key: str, patience: float = 30):
        product = self.random.choice(self.products)
        self.asked.add(key)
        end = time.monotonic() + patience
        opened = None
        while time.monotonic() < end:
            # A line that breaks before the answer: the request may have arrived or not.
            cut = self.random.random() < 0.2
            answer = self.send("POST", "/purchases", {"productId": product}, key, cut)
            if answer is None:
                if self.stopping.is_set() and self.random.random() < 0.1:
                    return
                continue
            state = answer.get("state")
            if "confirmation" in answer and "token" in answer["confirmation"]:
                opened = answer["confirmation"]["token"]
            code = answer.get("confirmation", {}).get("code")
            if state == "purchased":
                return self.acknowledge(key, answer)
            if state in ("declined", "cancelled", "failed"):
                return None
            if state == "confirmation":
                # The token came once, in an answer that may be lost: then the password confirms.
                body = {"token": opened} if opened else {"password": Shop.PASSWORD, "code": code}
                for _ in range(self.random.choice([1, 1, 2])):
                    answer = self.send("POST", f"/purchases/{key}/confirmation", body, None, self.random.random() < 0.2)
                    if answer and answer.get("state") == "purchased":
                        self.acknowledge(key, answer)

    def acknowledge(self, key: str, answer: dict):
        transaction = payload(answer["signedTransaction"])["transactionId"]
        if self.acknowledged.setdefault(key, transaction) != transaction:
            self.contradictions.append(f"{key}: {self.acknowledged[key]} and {transaction}")
        if self.random.random() < 0.5:
            if self.send("POST", f"/transactions/{transaction}/finish", None, None, False) is not None:
                self.finished.add(transaction)

    def send(self, method, path, body, key, cut) -> dict | None:
        try:
            timeout = (1, self.random.uniform(0.001, 0.02)) if cut else (1, 20)
            answer = self.device.call(method, path, body, key=key, timeout=timeout)
        except requests.RequestException:
            if not cut:
                time.sleep(0.02)
            return None
        # Too slow, too late, or overtaken by another request: it is asked again.
        if answer.status_code in (408, 409) or answer.status_code >= 500:
            return None
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else {}
