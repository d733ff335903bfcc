"""Foreign clients resume, compress, upload, fill in forms and remember: our server does its part of each."""

import gzip
import os
import re
import subprocess

import pytest
import requests

from support.probe import Probe
from support.waiting import PATIENCE

DOCUMENT = b"A line of text.\n" * 4000


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("transfers") / "file"
    path.write_bytes(os.urandom(3_000_000))
    return path


@pytest.fixture(scope="module")
def probe(file):
    server = Probe("--file", str(file))
    yield server
    assert server.close() == 0, "http-probe cut connections off"


@pytest.fixture
def document(probe):
    return probe.url("/document")


def curl(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run(["curl", "--silent", "--show-error", *map(str, arguments)], capture_output=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("wanted", "start", "end"), [("0-99", 0, 100), ("100-199", 100, 200), ("2999990-", 2999990, 3000000), ("-5", 2999995, 3000000)]
)
def test_curl_gets_a_part(probe, file, wanted, start, end):
    result = curl("--include", "--range", wanted, probe.url("/download"))
    head, body = result.stdout.split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 206 ")
    assert b"Content-Range: bytes %d-%d/3000000\r\n" % (start, end - 1) in head + b"\r\n"
    assert body == file.read_bytes()[start:end]


def test_curl_gets_several_parts(probe, file):
    result = curl("--include", "--range", "0-9,100-109,-10", probe.url("/download"))
    head, body = result.stdout.split(b"\r\n\r\n", 1)
    boundary = re.search(rb"Content-Type: multipart/byteranges; boundary=(\S+)\r\n", head)[1]
    pieces = body.split(b"--" + boundary)
    assert [piece.split(b"\r\n\r\n", 1)[1][:10] for piece in pieces[1:-1]] == [
        file.read_bytes()[start : start + 10] for start in (0, 100, 2_999_990)
    ]
    assert pieces[-1] == b"--\r\n"


def test_curl_is_told_that_a_part_does_not_exist(probe):
    result = curl("--include", "--range", "3000000-", probe.url("/download"))
    assert result.stdout.startswith(b"HTTP/1.1 416 ")
    assert b"Content-Range: bytes */3000000\r\n" in result.stdout


def test_curl_resumes_what_was_broken_off(probe, file, tmp_path):
    part = tmp_path / "part"
    part.write_bytes(file.read_bytes()[:1_234_567])
    result = curl("--continue-at", "-", "--output", part, "--write-out", "%{http_code} %{size_download}", probe.url("/download"))
    assert result.stdout == b"206 1765433"
    assert part.read_bytes() == file.read_bytes()


def test_a_part_of_another_state_is_not_given(probe, file):
    whole = requests.get(probe.url("/download"), timeout=PATIENCE)
    tag = whole.headers["ETag"]
    answer = requests.get(probe.url("/download"), headers={"Range": "bytes=0-9", "If-Range": tag}, timeout=PATIENCE)
    assert (answer.status_code, answer.content) == (206, file.read_bytes()[:10])
    for other in ('"other"', "W/" + tag, "Sun, 06 Nov 1994 08:49:37 GMT"):
        answer = requests.get(probe.url("/download"), headers={"Range": "bytes=0-9", "If-Range": other}, timeout=PATIENCE)
        assert (answer.status_code, len(answer.content)) == (200, 3_000_000)


def test_curl_gets_compressed_bodies_unpacked(document):
    plain = curl(document)
    packed = curl("--compressed", "--write-out", "%{stderr}%{size_download}", document)
    assert plain.stdout == packed.stdout == DOCUMENT
    assert int(packed.stderr) < len(DOCUMENT) // 20
    assert gzip.decompress(curl("-H", "Accept-Encoding: gzip", document).stdout) == DOCUMENT


def test_curl_is_told_that_it_has_the_newest(document, tmp_path):
    tags, saved = tmp_path / "tags", tmp_path / "saved"
    arguments = ["--etag-save", tags, "--etag-compare", tags, "--output", saved, "--write-out", "%{http_code} %{size_download}"]
    assert curl(*arguments, document).stdout == b"200 64000"
    assert curl(*arguments, document).stdout == b"304 0"
    assert saved.read_bytes() == DOCUMENT
    tags.write_text('"second"\n')
    assert curl(*arguments, document).stdout == b"200 64000"


def test_curl_is_told_by_date(probe, file, tmp_path):
    url = probe.url("/download")
    assert curl("--time-cond", file, "--output", tmp_path / "x", "--write-out", "%{http_code}", url).stdout == b"304"
    older = ["--time-cond", "1994-11-06", "--output", tmp_path / "x", "--write-out", "%{http_code}"]
    assert curl(*older, url).stdout == b"200"


def test_curl_uploads_after_having_asked(probe, file):
    result = curl("--verbose", "--upload-file", file, "-H", "Expect: 100-continue", probe.url("/upload"))
    assert result.stdout == b"3000000"
    assert b"< HTTP/1.1 100 Continue" in result.stderr
    chunked = ["-H", "Transfer-Encoding: chunked", "--upload-file", file]
    assert curl(*chunked, probe.url("/upload")).stdout == b"3000000"


def test_uploads_that_are_compressed_arrive_unpacked(probe):
    body = gzip.compress(b"one " * 1000) + gzip.compress(b"two " * 1000)
    answer = requests.put(probe.url("/upload"), data=body, headers={"Content-Encoding": "gzip"}, timeout=PATIENCE)
    assert answer.text == "8000"
    broken = requests.put(probe.url("/upload"), data=body[:-1], headers={"Content-Encoding": "gzip"}, timeout=PATIENCE)
    assert (broken.status_code, broken.json()["error"]["code"]) == (400, "encoding_malformed")


def test_curl_and_requests_fill_in_forms(probe, tmp_path):
    path = tmp_path / 'a "name".txt'
    path.write_bytes(b"text\r\n--not the boundary\r\n")
    # A file name with quotes is curl's to write.
    result = curl("-F", "who=Zoë & co", "-F", f'file=@"{str(path).replace(chr(34), chr(92) + chr(34))}";type=text/plain', probe.url("/form/parts"))
    assert result.stdout.decode() == (
        '[{"name":"who","bytes":9},{"name":"file","file":"a \\"name\\".txt","type":"text/plain","bytes":26}]'
    )
    answer = requests.post(
        probe.url("/form/parts"), data={"who": "Zoë"}, files={"file": ("x.bin", b"\0\r\n" * 9, "application/x-own")}, timeout=PATIENCE
    )
    assert answer.json() == [
        {"name": "who", "bytes": 4},
        {"name": "file", "file": "x.bin", "type": "application/x-own", "bytes": 27},
    ]
    simple = curl("--data-urlencode", "who=Zoë & co", "--data", "a=1&a=2", probe.url("/form"))
    assert simple.stdout.decode() == '[["who","Zoë & co"],["a","1"],["a","2"]]'


def test_curl_and_requests_remember_cookies(probe, tmp_path):
    jar = ["--cookie-jar", tmp_path / "jar", "--cookie", tmp_path / "jar"]
    assert [curl(*jar, probe.url("/visit")).stdout for _ in range(3)] == [b"visit 1", b"visit 2", b"visit 3"]
    with requests.Session() as session:
        assert [session.get(probe.url("/visit")).text for _ in range(3)] == ["visit 1", "visit 2", "visit 3"]


def test_curl_asks_what_the_server_can_do(probe):
    answer = curl("--request", "OPTIONS", "--request-target", "*", "--include", probe.url("/"))
    assert answer.stdout.startswith(b"HTTP/1.1 204 ")
    assert b"Allow: DELETE, GET, HEAD, OPTIONS, POST, PUT\r\n" in answer.stdout


def test_wrk_gets_an_answer_for_every_request(probe):
    command = ["wrk", "--threads", "1", "--connections", "16", "--duration", "2s", probe.url("/json/later")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert "Socket errors" not in result.stdout and "Non-2xx" not in result.stdout, result.stdout
    assert int(re.search(r"(\d+) requests in", result.stdout)[1]) > 100, result.stdout
