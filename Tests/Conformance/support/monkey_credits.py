import os
import re
import signal
import subprocess
import threading
from pathlib import Path

from support.waiting import PATIENCE


class Player:
    """Somebody with a device of their own, on which the sample MonkeyCredits runs now and then."""

    def __init__(self, program: Path, home: Path, profile: Path | None, account: tuple[str, str] | None = None):
        self.program, self.home = program, home
        home.mkdir(exist_ok=True)
        named = {"XDG_DATA_HOME": home / "data", "XDG_CONFIG_HOME": home / "config", "HOME": home}
        # Without a profile of its own it must not find one that lies beside the program either.
        named["STOREKIT_PROFILE"] = profile or home / "missing.tillprofile"
        self.environment = {**os.environ, **{name: str(value) for name, value in named.items()}}
        self.environment |= {"LC_ALL": "en_US.UTF-8", "STOREKIT_PROMPT": "automatic"}
        if account:
            self.environment |= {"STOREKIT_ACCOUNT": account[0], "STOREKIT_PASSWORD": account[1]}

    @property
    def wallet(self) -> Path:
        return self.home / "data/MonkeyCredits/wallet.json"

    def start(self, *options: str) -> "MonkeyCredits":
        return MonkeyCredits(self, *options)

    def play(self, *lines: str) -> tuple[str, int]:
        """What the app says to these lines in a pipe, and how it ends."""
        game = self.start()
        for line in lines:
            game.type(line)
        return game.end()


class MonkeyCredits:
    """The sample as a process, with its standard input and everything it says."""

    def __init__(self, player: Player, *options: str):
        self.said = ""
        # A session of its own has no terminal on which StoreKit could ask.
        self.process = subprocess.Popen(
            [str(player.program), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=player.environment,
            start_new_session=True,
        )
        self.is_over = False
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        while part := os.read(self.process.stdout.fileno(), 65536):
            with self.changed:
                self.said += part.decode(errors="replace")
                self.changed.notify_all()
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def type(self, line: str) -> "MonkeyCredits":
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self

    def wait_for(self, pattern: str, count: int = 1) -> str:
        with self.changed:
            seen = self.changed.wait_for(
                lambda: len(re.findall(pattern, self.said)) >= count or self.is_over, PATIENCE
            )
            assert seen and len(re.findall(pattern, self.said)) >= count, f"never said {pattern!r}: {self.said}"
            return self.said

    def kill(self, number: signal.Signals = signal.SIGKILL) -> int:
        self.process.send_signal(number)
        return self._ended()[1]

    def end(self) -> tuple[str, int]:
        self.process.stdin.close()
        return self._ended()

    def _ended(self) -> tuple[str, int]:
        status = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()
        return self.said, status
