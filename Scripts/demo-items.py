#!/usr/bin/env python3
"""Makes the files of the demo's items: covers and icons, a tune in three songs, the sound of the sea, two small films, a book and
a package. Run it after changing one of them; the films need Chromium."""

import base64
import gzip
import importlib.machinery
import io
import json
import math
import random
import shutil
import struct
import subprocess
import tarfile
import tempfile
import threading
import wave
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
FOLDER = REPOSITORY / "Sources/Store/StoreCatalogue/Demo/DemoFiles"
images = importlib.machinery.SourceFileLoader("images", str(Path(__file__).parent / "demo-images.py")).load_module()
disc, box, triangle = images.disc, images.box, images.triangle
WHITE, BLACK, GOLD, BROWN, SAND = images.WHITE, images.BLACK, images.GOLD, images.BROWN, images.SAND
GREEN, DARK, BLUE, RED, GREY = images.GREEN, images.DARK, images.BLUE, images.RED, images.GREY
NIGHT, SEA, DUSK = (24, 32, 58), (33, 70, 94), (217, 139, 58)

# Pictures. A shape's places are in heights of the picture.

WAVES = [box(colour, 0, 0.62 + 0.1 * n, 2, 0.04) for n, colour in enumerate([SAND, WHITE, SAND, WHITE])]
BUS = [box(RED, 0.14, 0.5, 0.4, 0.16), disc(BLACK, 0.22, 0.67, 0.035), disc(BLACK, 0.46, 0.67, 0.035)] + \
      [box(GOLD, 0.17 + 0.075 * n, 0.53, 0.05, 0.06) for n in range(5)]
SIGNAL = [box(GREY, 0.3, 0.2, 0.04, 0.7), box(RED, 0.3, 0.2, 0.26, 0.07), disc(GOLD, 0.32, 0.4, 0.05)]
KANGAROO = [disc(GOLD, 0.17, 0.4, 0.08), disc(BROWN, 0.38, 0.6, 0.14), disc(BROWN, 0.46, 0.42, 0.06),
            triangle(BROWN, 0.48, 0.3, 0.05, 0.08), triangle(BROWN, 0.25, 0.62, 0.3, 0.2), box(BROWN, 0.34, 0.72, 0.2, 0.04)]
FILTER = [disc(RED, 0.38, 0.42, 0.22), disc(GOLD, 0.62, 0.42, 0.22), disc(GREEN, 0.5, 0.62, 0.22), disc(WHITE, 0.5, 0.48, 0.07)]
BAG = [box(WHITE, 0.24, 0.34, 0.52, 0.48), disc(WHITE, 0.5, 0.34, 0.18), disc(GREEN, 0.5, 0.34, 0.11), box(GREEN, 0.24, 0.34, 0.52, 0.03)]
JUNGLE = [triangle(DARK, 0.4 + 0.5 * n, 0.2, 0.7, 0.6) for n in range(4)] + [box(BROWN, 0, 0.8, 2, 0.2)]

PICTURES = {
    "monkeycredits.artwork": (256, 256, GOLD, images.MONKEY),
    "monkeycredits.wide": (640, 320, GREEN, JUNGLE + [disc(GOLD, 1.7, 0.2, 0.1)]),
    "monkeycredits.screenshot.1": (400, 250, GREEN, JUNGLE + [disc(BROWN, 0.8, 0.62, 0.12), disc(SAND, 0.8, 0.65, 0.07)]),
    "monkeycredits.screenshot.2": (400, 250, DARK, images.coins(10)),
    "photofilters.artwork": (256, 256, BLACK, FILTER),
    "bookchapters.artwork": (256, 256, BLUE, images.BOOK),
    "productview.artwork": (256, 256, GREEN, BAG),
    "magazines.artwork": (256, 256, GREY, images.issues(3)),
    "low-tide.artwork": (256, 256, SEA, WAVES + [disc(GOLD, 0.5, 0.36, 0.16)]),
    "low-tide.wide": (640, 320, SEA, WAVES + [disc(GOLD, 1.5, 0.36, 0.16)]),
    "night-bus.artwork": (240, 360, NIGHT, [disc(WHITE, 0.5, 0.16, 0.05)] + BUS),
    "night-bus.wide": (640, 320, NIGHT, [disc(WHITE, 1.6, 0.2, 0.08)] + BUS),
    "signal-box.artwork": (256, 256, DUSK, SIGNAL + [box(BROWN, 0, 0.88, 1, 0.12)]),
    "dot.artwork": (240, 360, DUSK, [box(BROWN, 0, 0.78, 1, 0.22)] + KANGAROO),
    "tide-book.artwork": (256, 256, SAND, [box(SEA, 0, 0.5, 1, 0.5)] + WAVES),
}


def picture(width, height, ground, shapes):
    def point(column, row):
        sums = [0, 0, 0]
        for dx, dy in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)):
            x, y = (column + dx) / height, (row + dy) / height
            colour = next((colour for colour, contains in reversed(shapes) if contains(x, y)), ground)
            sums = [total + part for total, part in zip(sums, colour)]
        return bytes(total // 4 for total in sums)

    return images.encoded(width, height, point)


# Sound, 8000 samples a second of 8 bits.

RATE = 8000
EBB = [(0, 57), (0.5, 64), (1, 69), (1.5, 72), (2, 71), (2.5, 67), (3, 64), (3.5, 62), (4, 60), (4.5, 64), (5, 67), (5.5, 69), (6, 64), (6.5, 57)]
ROAD = [(0.33 * n, 52 + [0, 7, 12, 7, 3, 7, 10, 7][n % 8] - 2 * (n // 8)) for n in range(16)]
ROWS = [(0.25 * n, [60, 60, 67, 65, 64, 62, 60, 55][n % 8]) for n in range(14)]


def recorded(seconds, sample):
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1), file.setsampwidth(1), file.setframerate(RATE)
        file.writeframes(bytes(max(0, min(255, round(128 + 110 * sample(n / RATE)))) for n in range(int(seconds * RATE))))
    return content.getvalue()


def tune(notes):
    def sample(t):
        total = 0
        for start, key in notes:
            age = t - start
            if 0 <= age < 2.5:
                pitch = 440 * 2 ** ((key - 69) / 12)
                body = math.sin(2 * math.pi * pitch * age) + 0.3 * math.sin(4 * math.pi * pitch * age)
                total += body * math.exp(-2.4 * age) * min(1, age * 60)
        return 0.45 * total
    return sample


def sea():
    source, last = random.Random(7), 0

    def sample(t):
        nonlocal last
        last += 0.12 * (source.uniform(-1, 1) - last)
        return 2.2 * last * (0.25 + 0.75 * math.sin(math.pi * t / 2.5) ** 2)
    return sample


# A film: frames that Chromium draws and encodes, in a WebM of one cluster.

PAGE = """<!doctype html><canvas id=c width=320 height=180></canvas><script>
const c = document.getElementById('c').getContext('2d'), film = '%s', out = []
const e = new VideoEncoder({error: f => fetch('/', {method: 'POST', body: '[]'}), output: k => {
  const b = new Uint8Array(k.byteLength); k.copyTo(b)
  out.push({at: k.timestamp / 1000, key: k.type == 'key', bytes: btoa(String.fromCharCode(...b))}) }})
e.configure({codec: 'vp8', width: 320, height: 180, bitrate: 40000, framerate: 8})
function box(k, x, y, w, h) { c.fillStyle = k; c.fillRect(x, y, w, h) }
for (let n = 0; n < 40; n++) {
  if (film == 'bus') { box('#18203a', 0, 0, 320, 180); box('#f0deb8', 250, 22, 18, 18); box('#2a2f4a', 0, 140, 320, 40)
    box('#c8463c', 8 * n - 60, 92, 90, 46); for (let w = 0; w < 4; w++) box('#f5c442', 8 * n - 54 + 21 * w, 100, 14, 14) }
  else { box('#d98b3a', 0, 0, 320, 180); box('#79512e', 0, 150, 320, 30); box('#96969b', 150, 30, 8, 120)
    c.save(); c.translate(154, 36); c.rotate(-Math.min(n, 20) / 24); box('#c8463c', 0, -6, 70, 12); c.restore()
    box('#202024', 360 - 12 * n, 112, 140, 38) }
  const f = new VideoFrame(document.getElementById('c'), {timestamp: n * 125000, duration: 125000})
  e.encode(f, {keyFrame: n == 0}); f.close() }
e.flush().then(() => fetch('/', {method: 'POST', body: JSON.stringify(out)}))
</script>"""


def frames(film):
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200), self.send_header("Content-Type", "text/html"), self.end_headers()
            self.wfile.write((PAGE % film).encode())

        def do_POST(self):
            received.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204), self.end_headers()
            threading.Thread(target=server.shutdown).start()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    home = tempfile.mkdtemp()
    browser = subprocess.Popen(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}", "--remote-debugging-port=0",
         f"http://127.0.0.1:{server.server_port}/"], stderr=subprocess.DEVNULL)
    timer = threading.Timer(60, server.shutdown)
    timer.start()
    server.serve_forever()
    timer.cancel(), browser.terminate(), browser.wait()
    shutil.rmtree(home, ignore_errors=True)
    assert received, "Chromium encoded nothing"
    return received


def element(mark, content):
    return bytes.fromhex(mark) + struct.pack(">Q", len(content) | 1 << 56) + content


def number(mark, value):
    return element(mark, value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big"))


def film(name):
    head = element("1A45DFA3", number("4286", 1) + number("42F7", 1) + number("42F2", 4) + number("42F3", 8)
                   + element("4282", b"webm") + number("4287", 4) + number("4285", 2))
    info = element("1549A966", number("2AD7B1", 1_000_000) + element("4D80", b"till") + element("5741", b"till")
                   + element("4489", struct.pack(">d", 5000.0)))
    track = number("D7", 1) + number("73C5", 1) + number("83", 1) + number("9C", 0) + element("86", b"V_VP8") + \
        element("E0", number("B0", 320) + number("BA", 180))
    blocks = b"".join(
        element("A3", b"\x81" + struct.pack(">hB", int(frame["at"]), 0x80 if frame["key"] else 0) + base64.b64decode(frame["bytes"]))
        for frame in frames(name))
    cluster = element("1F43B675", number("E7", 0) + blocks)
    # Players take the length of what is behind it from the segment.
    return head + element("18538067", info + element("1654AE6B", element("AE", track)) + cluster)


# A book, told by us after the story of Ethel C. Pedley, and a package.

CHAPTERS = [
    ("Lost", "Dot had only meant to follow the hare to the edge of the paddock. Now there was no paddock, and every tree looked "
             "at her as if it had never seen the others. She sat down on a root, because there was nothing else to do, and was "
             "careful to cry quietly.", "When she looked up, a kangaroo stood before her, brown and grave, with berries in its paw. "
             "“Eat these,” it seemed to say, and Dot, who had good manners, ate them. Then it really did say something."),
    ("The Pouch", "“They are the berries of understanding,” said the Kangaroo. “Whoever eats them hears what is spoken here. You "
                  "have lost your way, and I have lost my little one. We had better look together.”",
     "It is dark and warm in a pouch, and it smells of grass. Dot held on with both hands. The bush went by in long soft leaps, and "
     "for the first time that day nothing in it frightened her."),
]


def book(chapters):
    def page(title, *paragraphs):
        body = f"<h1>{title}</h1>" + "".join(f"<p>{text}</p>" for text in paragraphs)
        return ('<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en">'
                f"<head><title>{title}</title></head><body>{body}</body></html>")

    names = [f"chapter{n + 1}.xhtml" for n in range(len(chapters))]
    items = "".join(f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(names))
    nav = "".join(f'<li><a href="{name}">{chapter[0]}</a></li>' for name, chapter in zip(names, chapters))
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<?xml version="1.0"?><container version="1.0" '
        'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" '
        'media-type="application/oebps-package+xml"/></rootfiles></container>',
        "book.opf": '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">till-demo-dot</dc:identifier>'
        "<dc:title>Dot and the Kangaroo</dc:title><dc:language>en</dc:language>"
        '<meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata><manifest>' + items +
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest><spine>' +
        "".join(f'<itemref idref="c{n}"/>' for n in range(len(names))) + "</spine></package>",
        "nav.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents'
        f'</title></head><body><nav epub:type="toc"><ol>{nav}</ol></nav></body></html>',
    }
    files.update({name: page(*chapter) for name, chapter in zip(names, chapters)})
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return content.getvalue()


def archive(files):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, (mode, text) in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), mode
            tar.addfile(entry, io.BytesIO(text.encode()))
    return gzip.compress(content.getvalue(), mtime=0)


def package():
    control = ("Package: monkeycredits\nVersion: 1.0.2\nArchitecture: all\nMaintainer: Till <demo@example.com>\n"
               "Description: The demo's game, in one line\n")
    game = "#!/bin/sh\necho 'The monkey waves. It has no credits left.'\n"
    members = {"debian-binary": b"2.0\n", "control.tar.gz": archive({"./control": (0o644, control)}),
               "data.tar.gz": archive({"./usr/games/monkeycredits": (0o755, game)})}
    content = b"!<arch>\n"
    for name, member in members.items():
        content += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(member):<10}`\n".encode() + member + b"\n" * (len(member) % 2)
    return content


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    made = {f"{name}.png": picture(*drawing) for name, drawing in PICTURES.items()}
    made |= {
        "ebb.wav": recorded(8, tune(EBB)), "ebb.preview.wav": recorded(4, tune(EBB)), "salt-road.wav": recorded(6, tune(ROAD)),
        "rows.wav": recorded(4, tune(ROWS)), "tide-book.wav": recorded(5, sea()), "tide-book.preview.wav": recorded(2.5, sea()),
        "night-bus.webm": film("bus"), "signal-box.webm": film("signal"), "dot.epub": book(CHAPTERS),
        "dot.sample.epub": book(CHAPTERS[:1]), "monkeycredits.deb": package(),
    }
    for name, content in made.items():
        (FOLDER / name).write_bytes(content)
    print(f"{len(made)} files, {sum(map(len, made.values()))} bytes")
