"""Which routes of pages there are, as the sources of the pages declare them."""

import re
from pathlib import Path

PAGES = Path(__file__).resolve().parents[3] / "Sources/Store/StoreWeb"
# What declares a page: `page("/path", for: …)` in the console, `ownPage("/path")` where nobody needs a right, `.get("/path")` elsewhere.
TERM = r'(?:"[^"]*"|[\w.]+)'
TERMS = rf"({TERM}(?:\s*\+\s*{TERM})*)"
WORDS = TERMS.replace("(", "(?:", 1)
OWN = rf"page\(\s*(?={WORDS},\s*for:)|ownPage\((?={WORDS}\))"
DECLARATION = re.compile(rf"\b(?:{OWN}){TERMS}|\.get\(\s*(?:(?:RoutePattern|Link)\()*{TERMS}")
LITERAL = re.compile(r'^"([^"\\]*)"$')
CONSOLE = "/console/{environment}"
# What gives its path to other routes, and the files that pages load.
TEMPLATES = {f'"{CONSOLE}" + path', "asset.link.text"}
# Routes of the storefront whose paths are made of the countries, the parts of the store, and the kinds of links.
KINDS = ["app", "album", "movie", "tv-season", "book", "audiobook", "artist", "developer"]
MADE = {
    "home": ["/{country}"],
    '"/{country}" + section.path': [
        f"/{{country}}/{part}" for part in ("apps", "music", "films", "tv", "books", "audiobooks")
    ],
    "form": [
        start + kind + end for kind in KINDS for start in ("/{country}/", "/") for end in ("/{name}/{id}", "/{id}")
    ] + ["/WebObjects/MZStore.woa/wa/{action}"],
}


def declared() -> dict[str, list[str]]:
    """Each route that is got, with the acts that its last part may be, where the sources name them."""
    routes = {}
    for file in sorted(PAGES.rglob("*.swift")):
        source = file.read_text()
        for match in DECLARATION.finditer(source):
            if match[2] in TEMPLATES:
                continue
            if match[2] in MADE:
                routes |= {pattern: [] for pattern in MADE[match[2]]}
                continue
            pattern = CONSOLE + value(match[1], source) if match[1] else value(match[2], source)
            routes[pattern] = acts(source) if pattern.endswith("/{act}") else []
    return routes


def value(expression: str, source: str) -> str:
    """What a Swift expression of literals and constants is, joined by plus."""
    text = ""
    # A constant within a literal is one of the same type.
    expression = re.sub(r'\\\((Self\.\w+)\)', lambda match: value(match[1], source), expression)
    for part in expression.removesuffix(".text").split("+"):
        part = part.strip()
        if literal := LITERAL.match(part):
            text += literal[1]
            continue
        home, _, name = part.removeprefix("Self.").rpartition(".")
        if home:
            declares = re.compile(rf"^(?:package )?(?:enum|struct) {home}\b", re.MULTILINE)
            source = next(code for file in PAGES.rglob("*.swift") if declares.search(code := file.read_text()))
        # A local one may have the name of one of the type.
        keyword = "static let" if part.startswith("Self.") else "let"
        constant = re.search(rf'\b{keyword} {name}(?:: \w+)? = "([^"\\]*)"', source)
        assert constant, f"the path {expression!r} of a page cannot be read"
        text += constant[1]
    return text


def acts(source: str) -> list[str]:
    """The cases of the enumeration that the acts of a file are made of."""
    named = re.search(r"\bact\((\w+)\.self\)", source)
    if not named:
        return []
    for file in PAGES.rglob("*.swift"):
        if body := re.search(rf"enum {named[1]}: String[^{{]*{{(.*?)\n}}", file.read_text(), re.DOTALL):
            cases = ",".join(re.findall(r"^ +case ([^:\n]+)$", body[1], re.MULTILINE))
            return [one.split("=")[-1].strip().strip('"`') for one in cases.split(",")]
    raise AssertionError(f"there is no enumeration {named[1]}")


def route(path: str, routes) -> str | None:
    """The route that answers a path: of those that match, the one with the most parts that are not parameters."""
    parts = path.split("/")

    def fits(pattern: str) -> bool:
        wanted = pattern.split("/")
        pairs = zip(wanted, parts, strict=False)
        return len(wanted) == len(parts) and all(one.startswith("{") or one == own for one, own in pairs)

    return min(filter(fits, routes), key=lambda pattern: pattern.count("{"), default=None)
