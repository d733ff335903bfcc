import os
import re
import signal
import subprocess
import threading
from pathlib import Path

from support.waiting import PATIENCE

# What the sample shows, by the store of the account and the language of the device.
SCREENS = {
    "DEU": {
        "de_DE": """\
MonkeyCredits: 5 Affenpunkte

  1  5 Guthaben   Fünf Guthaben für den Affen.  Kaufen 1,19\u00a0€
  2  10 Guthaben  Zehn Guthaben für den Affen.  Kaufen 2,29\u00a0€
  3  Dschungel    Eine Kulisse für immer.       Kaufen 3,49\u00a0€
  4  Saisonpass   Eine Saison voller Spiele.    Kaufen 5,99\u00a0€
  5  Bananenclub  Jeden Monat zehn Guthaben.    Kaufen 1,79\u00a0€

Geben Sie zum Kaufen eine Nummer ein, oder help.
""",
        "ja_JP": """\
MonkeyCredits: モンキークレジット5個

  1  5 Guthaben   Fünf Guthaben für den Affen.  1,19\u00a0€で購入
  2  10 Guthaben  Zehn Guthaben für den Affen.  2,29\u00a0€で購入
  3  Dschungel    Eine Kulisse für immer.       3,49\u00a0€で購入
  4  Saisonpass   Eine Saison voller Spiele.    5,99\u00a0€で購入
  5  Bananenclub  Jeden Monat zehn Guthaben.    1,79\u00a0€で購入

購入するには番号を、使いかたは help と入力してください。
""",
    },
    "JPN": {
        "de_DE": """\
MonkeyCredits: 5 Affenpunkte

  1  クレジット5   サルのためのクレジット5つ。   Kaufen ¥160
  2  クレジット10  サルのためのクレジット10こ。  Kaufen ¥320
  3  ジャングル    ずっと使える背景。            Kaufen ¥480
  4  シーズンパス  1シーズン遊べます。           Kaufen ¥800
  5  バナナクラブ  毎月クレジット10こ。          Kaufen ¥240

Geben Sie zum Kaufen eine Nummer ein, oder help.
""",
        "ja_JP": """\
MonkeyCredits: モンキークレジット5個

  1  クレジット5   サルのためのクレジット5つ。   ¥160で購入
  2  クレジット10  サルのためのクレジット10こ。  ¥320で購入
  3  ジャングル    ずっと使える背景。            ¥480で購入
  4  シーズンパス  1シーズン遊べます。           ¥800で購入
  5  バナナクラブ  毎月クレジット10こ。          ¥240で購入

購入するには番号を、使いかたは help と入力してください。
""",
    },
}


class Player:
    """Somebody with a device of their own, on which the sample MonkeyCredits runs now and then."""

    def __init__(
        self,
        program: Path,
        home: Path,
        profile: Path | None,
        account: tuple[str, str] | None = None,
        options: tuple[str, ...] = (),
    ):
        self.program, self.home, self.options = program, home, options
        home.mkdir(exist_ok=True)
        named = {"XDG_DATA_HOME": home / "data", "XDG_CONFIG_HOME": home / "config", "HOME": home}
        # Without a profile of its own it must not find one that lies beside the program either.
        named["STOREKIT_PROFILE"] = profile or home / "missing.tillprofile"
        self.environment = {**os.environ, **{name: str(value) for name, value in named.items()}}
        self.environment |= {"LC_ALL": "en_US.UTF-8", "STOREKIT_PROMPT": "automatic"}
        # No Secret Service of whoever runs the tests: keys are in files.
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        if account:
            self.environment |= {"STOREKIT_ACCOUNT": account[0], "STOREKIT_PASSWORD": account[1]}

    @property
    def wallet(self) -> Path:
        return self.home / "data/MonkeyCredits/wallet.vault"

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
            [str(player.program), *player.options, *options],
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
