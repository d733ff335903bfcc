import os
import re
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from support.shop import Shop
from support.waiting import PATIENCE, eventually, wait_until


class Phone:
    """A device of a customer, on which the app `store-buyer` runs now and then."""

    def __init__(self, program: Path, home: Path, shop: Shop, email: str):
        self.program, self.home = program, home
        home.mkdir()
        profile = home / "app.tillprofile"
        profile.write_text(shop.profile)
        self.environment = {
            **os.environ,
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "STOREKIT_PROFILE": str(profile),
            "STOREKIT_ACCOUNT": email,
            "STOREKIT_PASSWORD": Shop.PASSWORD,
            # No Secret Service of whoever runs the tests: keys are in files.
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        }

    def start(
        self, *words, killed_at: int | None = None, counted_from: str | None = None, traced: tuple[str, ...] = ()
    ) -> "StoreBuyer":
        """Starts the app; it kills itself at a step, counted from 1, or runs under strace with these options."""
        environment = {**self.environment, "STORE_BUYER_TIME": str(int(time.time() * 1000))}
        if killed_at:
            environment["STORE_BUYER_KILL"] = str(killed_at)
        if counted_from:
            environment["STORE_BUYER_COUNT_FROM"] = counted_from
        command = ["strace", "-f", "-qq", *traced] if traced else []
        return StoreBuyer([*command, str(self.program), *map(str, words)], environment, self.home / "steps")


class StoreBuyer:
    """The app as a process, which writes its steps to a file."""

    def __init__(self, command: list[str], environment: dict[str, str], output: Path):
        self.output = output
        with output.open("wb") as steps:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=steps, stderr=subprocess.STDOUT, env=environment
            )

    @property
    def steps(self) -> list[str]:
        text = self.output.read_text(errors="replace")
        return text[: text.rfind("\n") + 1].splitlines()

    @property
    def is_over(self) -> bool:
        return self.process.poll() is not None

    def ask(self) -> list[str]:
        """What the app says to a line: how many transactions wait, and what its goods are."""
        before = sum(step.startswith("waiting ") for step in self.steps)
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        wait_until(lambda: self.is_over or sum(step.startswith("waiting ") for step in self.steps) > before)
        assert not self.is_over, self.steps[-20:]
        return self.answer

    @property
    def answer(self) -> list[str]:
        steps = self.steps
        last = max(at for at, step in enumerate(steps) if re.match(r"waiting \d", step))
        return steps[last:]

    def carry_out(self, patience: float = PATIENCE) -> bool:
        """Whether the app came to the end of what it does before it was over."""
        assert eventually(lambda: self.is_over or "carried out" in self.steps, patience), self.steps[-20:]
        return not self.is_over

    def work(self, seconds: float):
        """Lets the app go on for a while, unless it is over before."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def kill(self):
        self.process.kill()
        self._close()

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, self.steps[-20:]
        self._close()

    def _close(self):
        self.process.wait(PATIENCE)
        self.process.stdin.close()
