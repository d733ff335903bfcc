"""What pages show to be typed."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

REQUEST = re.compile(r"""^curl -s (?:-X (\w+) )?-H "Authorization: Bearer \$TOKEN".*'(http[^']+)'$""")


class ShownCommands(HTMLParser):
    """The commands of a page: what can be copied, and what a sentence names."""

    def __init__(self, page: str):
        super().__init__()
        self.blocks: list[str] = []
        self.named: list[str] = []
        self._open: list[str] | None = None
        self.feed(page)

    @property
    def all(self) -> list[str]:
        return self.blocks + [text for text in self.named if text.startswith("till ")]

    def handle_starttag(self, tag, attrs):
        if tag == "pre" and dict(attrs).get("aria-label") == "Command":
            self._open = self.blocks
        elif tag == "code":
            self._open = self.named
        else:
            return
        self._open.append("")

    def handle_endtag(self, tag):
        if tag in ("pre", "code"):
            self._open = None

    def handle_data(self, data):
        if self._open is not None:
            self._open[-1] += data


def request(command: str) -> tuple[str, str]:
    """The method and the path of a request that a page shows."""
    found = REQUEST.match(command)
    assert found, f"this is no request of one line: {command}"
    return (found[1] or "GET").lower(), urlsplit(found[2]).path
