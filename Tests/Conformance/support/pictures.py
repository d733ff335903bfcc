"""Pictures, as netpbm reads and writes them: rows of points of three numbers each."""

import subprocess
from pathlib import Path

from support.waiting import PATIENCE

Point = tuple[int, int, int]


def converted(*command: str, data: bytes = b"") -> bytes:
    return subprocess.run(command, input=data, capture_output=True, check=True, timeout=PATIENCE).stdout


def points(file: Path) -> list[list[Point]]:
    """The points of a file, by the reader for its kind; of PNG without what says how much of them is to be seen."""
    reader = "pngtopnm" if file.read_bytes().startswith(b"\x89PNG") else "jpegtopnm"
    picture = converted(reader, str(file))
    if picture.startswith(b"P5"):
        # What has no colour is read in shades of grey.
        picture = converted("pgmtoppm", "black-white", data=picture)
    kind, size, depth, flat = picture.split(b"\n", 3)
    width, height = (int(number) for number in size.split())
    assert (kind, depth, len(flat)) == (b"P6", b"255", width * height * 3)
    colours = [tuple(flat[at : at + 3]) for at in range(0, len(flat), 3)]
    return [colours[at : at + width] for at in range(0, len(colours), width)]


def ppm(rows: list[list[Point]]) -> bytes:
    head = f"P6 {len(rows[0])} {len(rows)} 255\n".encode()
    return head + bytes(part for row in rows for point in row for part in point)


def write_picture(file: Path, rows: list[list[Point]]):
    writer = ["pnmtopng"] if file.suffix == ".png" else ["pnmtojpeg", "--quality=95"]
    file.write_bytes(converted(*writer, data=ppm(rows)))


def colours(width: int = 48, height: int = 32) -> list[list[Point]]:
    """A picture in which every part of a colour goes from none to all of it."""
    return [
        [(x * 255 // (width - 1), y * 255 // (height - 1), (x + y) * 255 // (width + height - 2)) for x in range(width)]
        for y in range(height)
    ]
