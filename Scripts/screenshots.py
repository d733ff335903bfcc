"""Takes a picture of every page, light and dark, narrow and wide, into .build/screenshots; with --chosen only
those that the documentation shows, into Documentation/Pictures. TILL_BIN_DIR is where the program is, if not .build/debug."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "Tests/Conformance"))

from support.browser import TELEPHONE, Browser  # noqa: E402
from support.pages import EmptyStore, Pages  # noqa: E402
from support.shop import Shop  # noqa: E402

TILL = Path(os.environ.get("TILL_BIN_DIR") or REPOSITORY / ".build/debug") / "till"
OUTPUT = REPOSITORY / ".build/screenshots"
CHOSEN = REPOSITORY / "Documentation/Pictures"
# Which pictures the documentation has: the name of the page, and of the window.
FOR_READERS = [
    ("transaction", "light"), ("overview", "light"), ("product-new", "light"), ("product", "light"),
    ("review-case", "light"), ("drafts", "light"), ("finance", "light"),
]
DESK = {"width": 1180, "height": 760, "deviceScaleFactor": 1, "mobile": False}
WINDOWS = {
    "light": {"metrics": DESK}, "dark": {"metrics": DESK, "dark": True},
    "narrow": {"metrics": TELEPHONE}, "narrow-dark": {"metrics": TELEPHONE, "dark": True},
    "wide": {"metrics": DESK | {"width": 1600, "height": 900}},
}


def take(shop: Shop, empty: EmptyStore):
    """Opens each page once, and shows it in every window."""
    browser = Browser().expect(leaving=True)
    try:
        browser.open(shop.till("console").stdout.strip()).open(empty.console_link())
        pages = {**Pages(shop).addresses, **empty.addresses}
        if "--chosen" in sys.argv:
            for name, window in FOR_READERS:
                browser.open(pages[name]).look(**WINDOWS[window]).picture(CHOSEN / f"{name}-{window}.png")
            return
        for name, address in pages.items():
            browser.open(address)
            for window, look in WINDOWS.items():
                browser.look(**look).picture(OUTPUT / window / f"{name}.png")
        print(f"screenshots: {len(pages)} pages in {', '.join(WINDOWS)}: {OUTPUT}")
    finally:
        browser.close()


def main():
    data = Path(tempfile.mkdtemp(prefix="till-screenshots-"))
    shutil.rmtree(OUTPUT, ignore_errors=True)
    shop = Shop(TILL, data / "store", "--production-processor", "test", "--log-level", "error")
    empty = EmptyStore(TILL, data / "empty")
    try:
        take(shop, empty)
    finally:
        shop.stop()
        empty.stop()
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main()
