"""Foreign clients are answered by our HTTP server as by any other."""

import http.client
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from support.probe import Probe
from support.waiting import PATIENCE


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("http") / "file"
    path.write_bytes(os.urandom(5_000_000))
    return path


@pytest.fixture(scope="module")
def probe(file):
    server = Probe("--file", str(file))
    yield server
    assert server.close() == 0, "http-probe cut connections off"


@pytest.fixture(scope="module")
def identities(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    for name in ("first", "second"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            + ["-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
            + ["-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"],
            check=True,
            capture_output=True,
        )
    return {name: (folder / f"{name}.pem", folder / f"{name}.key") for name in ("first", "second")}


def curl(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run(["curl", "--silent", "--show-error", *map(str, arguments)], capture_output=True, timeout=PATIENCE)


def test_curl_gets_bodies_of_every_kind(probe, file):
    assert curl(probe.url("/")).stdout == b"root"
    assert curl(probe.url("/later")).stdout == b"later"
    assert curl(probe.url("/file")).stdout == file.read_bytes()
    assert len(curl(probe.url("/stream")).stdout) == 1_000_000
    assert curl("--http1.0", probe.url("/")).stdout == b"root"


def test_curl_head_ends_without_a_body(probe):
    result = curl("--head", probe.url("/large"))
    assert result.returncode == 0
    assert b"Content-Length: 1000000\r\n" in result.stdout
    assert b"Server:" not in result.stdout


def test_curl_sends_bodies_with_and_without_length(probe, file):
    upload = ["--data-binary", f"@{file}", probe.url("/stream/length")]
    assert curl(*upload).stdout.startswith(b'{"error"')
    small = file.with_name("small")
    small.write_bytes(os.urandom(1_500_000))
    assert curl("--data-binary", f"@{small}", probe.url("/stream/length")).stdout == b"1500000"
    chunked = curl("-H", "Transfer-Encoding: chunked", "--data-binary", f"@{small}", probe.url("/stream/echo"))
    assert chunked.stdout == small.read_bytes()


def test_curl_over_a_socket_in_the_file_system(tmp_path):
    path = tmp_path / "till.sock"
    server = Probe("--unix", str(path))
    try:
        assert curl("--unix-socket", path, "http://till/later").stdout == b"later"
    finally:
        assert server.close() == 0
    assert not path.exists()


def test_requests_keeps_its_connection(probe):
    with requests.Session() as session:
        for path, text in [("/", "root"), ("/later", "later"), ("/items/7", "item 7")] * 20:
            assert session.get(probe.url(path)).text == text
        assert session.post(probe.url("/echo"), data=b"abc").content == b"abc"
        assert session.post(probe.url("/echo"), data=iter([b"a", b"bc"])).content == b"abc"
        assert session.get(probe.url("/nowhere")).status_code == 404
        assert session.get(probe.url("/nowhere")).json()["error"]["code"] == "path_unknown"


def test_http_client_pipelines_by_hand(probe):
    received = probe.exchange(
        b"GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    )
    assert received.index(b"later") < received.index(b"root")
    connection = http.client.HTTPConnection("127.0.0.1", probe.port, timeout=PATIENCE)
    for _ in range(3):
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"root"
    connection.close()


def test_mixed_load_gets_every_answer(probe, file):
    content = file.read_bytes()

    def work(number: int) -> bool:
        with requests.Session() as session:
            return all(
                [
                    session.get(probe.url("/later")).text == "later",
                    session.post(probe.url("/echo"), data=b"x" * number).content == b"x" * number,
                    session.get(probe.url("/file")).content == content,
                    len(session.get(probe.url("/stream")).content) == 1_000_000,
                ]
            )

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(1, 49)))


def test_h2load_by_http_1_1_loses_nothing(probe):
    result = subprocess.run(
        ["h2load", "--h1", "-n", "5000", "-c", "32", probe.url("/json/later")], capture_output=True, text=True, timeout=PATIENCE
    )
    assert "5000 succeeded, 0 failed, 0 errored, 0 timeout" in result.stdout, result.stdout


def test_tls_by_curl_and_python_before_and_after_a_new_certificate(identities):
    certificate, key = identities["first"]
    server = Probe("--tls", str(certificate), str(key))
    try:
        assert curl("--cacert", certificate, server.url("/later", "https")).stdout == b"later"
        with requests.Session() as session:
            session.trust_env = False
            session.verify = str(certificate)
            assert session.get(server.url("/", "https")).text == "root"
            assert server.reload(*identities["second"]) == "reloaded"
            # The connection that was there lives on until it is told to end.
            answer = session.get(server.url("/later", "https"))
            assert answer.text == "later"
            assert answer.headers["Connection"] == "close"
        assert curl("--cacert", identities["second"][0], server.url("/", "https")).stdout == b"root"
        assert curl("--cacert", certificate, server.url("/", "https")).returncode == 60
        assert server.reload(certificate, identities["second"][1]) == "refused"
        assert curl("--cacert", identities["second"][0], server.url("/", "https")).stdout == b"root"
    finally:
        assert server.close() == 0


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_tls_versions_that_are_spoken(identities, version):
    server = Probe("--tls", *map(str, identities["first"]))
    try:
        options = ["--cacert", identities["first"][0], f"--tlsv{version}", "--tls-max", version]
        assert curl(*options, server.url("/", "https")).stdout == b"root"
    finally:
        assert server.close() == 0


def test_tls_1_1_is_refused(identities):
    server = Probe("--tls", *map(str, identities["first"]))
    try:
        result = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
            input=b"",
            capture_output=True,
            timeout=PATIENCE,
        )
        assert result.returncode != 0
        assert b"Cipher is (NONE)" in result.stdout, result.stdout
    finally:
        assert server.close() == 0
