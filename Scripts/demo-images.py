#!/usr/bin/env python3
"""Draws the pictures of the demo's products, flat shapes on one colour, 256 points wide, and the landscape that the README shows
before and after a filter. Run it after changing a drawing, and the filters on the landscape."""

import math
import struct
import zlib
from pathlib import Path

SIZE = 256
REPOSITORY = Path(__file__).parent.parent
FOLDER = REPOSITORY / "Sources/Store/StoreCatalogue/Demo/DemoImages"

WHITE, BLACK, GOLD, BROWN, SAND = (255, 255, 255), (32, 32, 36), (245, 196, 66), (121, 78, 46), (240, 222, 184)
GREEN, DARK, BLUE, RED, GREY = (46, 139, 87), (24, 90, 60), (52, 110, 175), (200, 70, 60), (150, 150, 155)


# A shape is a colour and what tells whether a point of the unit square is inside.
def disc(colour, x, y, r):
    return colour, lambda px, py: (px - x) ** 2 + (py - y) ** 2 < r * r


def box(colour, x, y, w, h):
    return colour, lambda px, py: x <= px < x + w and y <= py < y + h


def triangle(colour, x, y, w, h):
    return colour, lambda px, py: y <= py < y + h and abs(px - x) < w / 2 * (py - y) / h


def coins(count):
    return [disc(GOLD, 0.16 + 0.17 * (n % 5), 0.62 - 0.24 * (n // 5), 0.075) for n in range(count)]


def photo(sky, hill, sun):
    return [box(WHITE, 0.12, 0.2, 0.76, 0.6), box(sky, 0.16, 0.24, 0.68, 0.52), disc(sun, 0.68, 0.38, 0.08),
            triangle(hill, 0.42, 0.4, 0.5, 0.36)]


def lines(colour, y, count, width=0.46):
    return [box(colour, 0.27, y + 0.08 * n, width, 0.03) for n in range(count)]


def issues(count):
    shapes = []
    for n in range(count):
        x, y = 0.16 + 0.06 * n, 0.14 + 0.05 * n
        shapes += [box(BLACK, x - 0.01, y - 0.01, 0.46, 0.58), box(WHITE, x, y, 0.44, 0.56), box(RED, x, y, 0.44, 0.14)]
    return shapes


MONKEY = [disc(BROWN, 0.22, 0.45, 0.13), disc(BROWN, 0.78, 0.45, 0.13), disc(BROWN, 0.5, 0.5, 0.3), disc(SAND, 0.5, 0.58, 0.2),
          disc(BLACK, 0.41, 0.45, 0.04), disc(BLACK, 0.59, 0.45, 0.04), box(BLACK, 0.42, 0.64, 0.16, 0.025)]
BOOK = [box(WHITE, 0.2, 0.16, 0.6, 0.68), box(GREY, 0.2, 0.16, 0.05, 0.68)]

# Each picture: the colour of its ground, and shapes from back to front.
PICTURES = {
    "monkeycredits.credits5": (DARK, coins(5)),
    "monkeycredits.credits10": (DARK, coins(10)),
    "monkeycredits.jungle": (SAND, [box(BROWN, 0.46, 0.5, 0.08, 0.4), triangle(GREEN, 0.5, 0.1, 0.7, 0.3), triangle(DARK, 0.5, 0.3, 0.8, 0.35)]),
    "monkeycredits.season": (BLUE, [box(WHITE, 0.18, 0.25, 0.64, 0.55), box(RED, 0.18, 0.25, 0.64, 0.13)] + lines(GREY, 0.47, 4)),
    "monkeycredits.club": (GOLD, MONKEY),
    "photofilters.sepia": (BROWN, photo((214, 190, 150), (140, 104, 66), (240, 222, 184))),
    "photofilters.mono": (BLACK, photo((190, 190, 190), (80, 80, 80), (240, 240, 240))),
    "photofilters.all": (BLUE, photo((130, 190, 235), GREEN, GOLD) + [disc(RED, 0.2, 0.82, 0.09), disc(GOLD, 0.4, 0.82, 0.09), disc(DARK, 0.6, 0.82, 0.09), disc(BLACK, 0.8, 0.82, 0.09)]),
    "photofilters.clubmonthly": (GOLD, photo((130, 190, 235), GREEN, RED)),
    "photofilters.clubyearly": (GOLD, [shape for n in range(3) for shape in (box(BLACK, 0.11, 0.13 + 0.11 * n, 0.78, 0.02), box(WHITE, 0.12, 0.14 + 0.11 * n, 0.76, 0.1))]
                                + [box(WHITE, 0.12, 0.44, 0.76, 0.46), box((130, 190, 235), 0.16, 0.48, 0.68, 0.38), disc(RED, 0.68, 0.58, 0.07), triangle(GREEN, 0.42, 0.56, 0.5, 0.3)]),
    "bookchapters.chapter1": (BLUE, BOOK + [disc(SAND, 0.53, 0.68, 0.14), box(BLUE, 0.25, 0.68, 0.55, 0.16), triangle(GREEN, 0.53, 0.34, 0.3, 0.2), box(BROWN, 0.515, 0.52, 0.03, 0.08)]),
    "bookchapters.chapter2": (BLACK, BOOK + [box(BLUE, 0.25, 0.6, 0.55, 0.24), disc(GREY, 0.42, 0.36, 0.1), disc(GREY, 0.56, 0.34, 0.12), disc(GOLD, 0.72, 0.55, 0.04)]),
    "productview.advice": (GREEN, [disc(WHITE, 0.5, 0.44, 0.32), triangle(WHITE, 0.34, 0.55, 0.24, 0.33), disc(GOLD, 0.5, 0.44, 0.14)]),
    "productview.wishlist": (RED, [box(WHITE, 0.18, 0.14, 0.64, 0.72), disc(RED, 0.27, 0.275, 0.035), disc(RED, 0.27, 0.475, 0.035), disc(RED, 0.27, 0.675, 0.035)] + [box(GREY, 0.36, y, 0.38, 0.04) for y in (0.255, 0.455, 0.655)]),
    "magazines.monthly": (GREY, issues(1)),
    "magazines.yearly": (GOLD, issues(5)),
    "magazines.halfyear": (GREEN, issues(3)),
    "magazines.letter": (BLUE, [box(WHITE, 0.14, 0.26, 0.72, 0.48), triangle(GREY, 0.5, 0.26, 0.72, 0.02), disc(RED, 0.74, 0.38, 0.06)] + lines(GREY, 0.5, 2)),
    "magazines.issue1": (BLUE, issues(1) + [disc(GOLD, 0.38, 0.5, 0.1)]),
}


def pixel(ground, shapes, column, row):
    """The colour of a pixel, over four of its points."""
    sums = [0, 0, 0]
    for dx, dy in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)):
        x, y = (column + dx) / SIZE, (row + dy) / SIZE
        colour = next((colour for colour, contains in reversed(shapes) if contains(x, y)), ground)
        sums = [total + part for total, part in zip(sums, colour)]
    return bytes(total // 4 for total in sums)


def mixed(one, other, share):
    return tuple(round(a + (b - a) * min(1, max(0, share))) for a, b in zip(one, other))


# Hills from front to back: the height of their ridge, how steep they are, and their colour.
HILLS = [(0.86, 0.05, 2.1, (22, 60, 42)), (0.76, 0.08, 1.3, (40, 96, 60)), (0.68, 0.1, 0.8, (86, 124, 108)), (0.6, 0.09, 0.5, (132, 146, 160))]


def landscape(x, y):
    """A point of an evening among hills, x and y from 0 to 1."""
    for ridge, height, speed, colour in HILLS:
        top = ridge - height * (math.sin(7 * speed * x + 9 * ridge) + 0.4 * math.sin(19 * speed * x))
        if y > top:
            return mixed(colour, (250, 200, 130), 0.35 - 2 * (y - top))
    away = math.hypot((x - 0.7) * 1.6, y - 0.4)
    if away < 0.09:
        return (255, 244, 200)
    return mixed(mixed((60, 110, 180), (250, 170, 110), 1.5 * y), (255, 230, 160), 0.9 - 3.2 * away)


def png(ground, shapes):
    return encoded(SIZE, SIZE, lambda column, row: pixel(ground, shapes, column, row))


def encoded(width, height, point):
    rows = b"".join(b"\0" + b"".join(point(column, row) for column in range(width)) for row in range(height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (ground, shapes) in PICTURES.items():
        (FOLDER / f"com.example.{name}.png").write_bytes(png(ground, shapes))
    photograph = encoded(320, 200, lambda column, row: bytes(landscape(column / 320, row / 200)))
    (REPOSITORY / "Documentation/Pictures/filter-before.png").write_bytes(photograph)
