import os
import pty
import re
import select
import time
from pathlib import Path

from support.waiting import PATIENCE


class Terminal:
    """A shell on a terminal of its own, as a person has it before them."""

    def __init__(self, *command: str, folder: Path, path: Path):
        self.seen = ""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            kept = {"TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": str(folder), "COLUMNS": "200"}
            os.execvpe(command[0], command, {**kept, "PATH": f"{path}:{os.environ['PATH']}"})

    def type(self, text: str) -> "Terminal":
        self.seen = ""
        os.write(self.descriptor, text.encode())
        return self

    def wait_for(self, pattern: str) -> str:
        """What the terminal shows once the pattern is in it, without the commands to the terminal."""
        end = time.monotonic() + PATIENCE
        while True:
            shown = re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>]|\][^\x07]*\x07|\([A-Z0-9])|[\r\x07\x0f]", "", self.seen)
            if re.search(pattern, shown):
                return shown
            ready, _, _ = select.select([self.descriptor], [], [], max(0, end - time.monotonic()))
            assert ready, f"the terminal never showed {pattern!r}, but {shown!r}"
            self.seen += os.read(self.descriptor, 65536).decode(errors="replace")

    def interrupt(self) -> int:
        """Presses Ctrl-C and waits for the end; the signal that ended the program, or 0."""
        self.type("\x03")
        ended = os.pidfd_open(self.pid)
        assert select.select([ended], [], [], PATIENCE)[0], f"Ctrl-C did not end it: {self.seen!r}"
        _, status = os.waitpid(self.pid, 0)
        os.close(ended)
        os.close(self.descriptor)
        self.pid = 0
        return os.WTERMSIG(status)

    def close(self):
        if self.pid == 0:
            return
        os.close(self.descriptor)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
