"""Our HTTP client meets servers, readers of addresses and makers of signatures that are not ours."""

import base64
import functools
import hashlib
import http.server
import ipaddress
import json
import os
import random
import subprocess
import threading
import urllib.parse
from datetime import datetime, timezone

import botocore.auth
import pytest
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from support.fetch import Fetch, fetch_path
from support.tool import Refused
from support.waiting import PATIENCE

SEED = int(os.environ.get("TILL_SEED") or random.getrandbits(64))
SOAK = os.environ.get("TILL_SOAK") == "1"


@pytest.fixture(scope="module")
def fetch():
    tool = Fetch()
    yield tool
    assert tool.close() == 0


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder; anything posted comes back; and a proxy for whoever asks as one asks a proxy."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("X-Echo", self.headers.get("X-Probe", ""))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if not self.path.startswith("http://"):
            return super().do_GET()
        body = self.path.encode()
        self.send_response(203)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def server(folder):
    handler = functools.partial(Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_python_server_and_our_client_understand_each_other(fetch, server):
    body = os.urandom(300_000)
    answer = fetch.ask("send", method="POST", url=f"{server}/", fields=[["X-Probe", "a b"]], body=body)
    assert answer["status"] == 200
    assert ["X-Echo", "a b"] in answer["fields"]
    assert base64.b64decode(answer["body"]) == body


def test_a_server_without_ranges_is_downloaded_from(fetch, server, folder, tmp_path):
    content = os.urandom(2_000_000)
    (folder / "file").write_bytes(content)
    destination = tmp_path / "file"
    digest = hashlib.sha256(content).digest()
    answer = fetch.ask("download", url=f"{server}/file", destination=str(destination), sha256=digest)
    assert answer == {"length": len(content)}
    assert destination.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_environment_names_a_proxy_only_for_those_who_ask(server):
    def send(**settings):
        request = {"operation": "send", "method": "GET", "url": "http://shop.invalid/a", "settings": settings}
        environment = {**os.environ, "http_proxy": server, "no_proxy": "", "NO_PROXY": ""}
        run = subprocess.run([fetch_path(), json.dumps(request)], capture_output=True, env=environment, timeout=PATIENCE)
        return json.loads(run.stdout)

    assert send(usesEnvironment=True)["ok"]["status"] == 203
    assert send()["error"]["code"] == "name_unknown"


# Addresses: what we call public is global to Python; what is global to Python and not to us is in one of these.
STRICTER = [
    ipaddress.ip_network(text)
    for text in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20", "fec0::/10", "64:ff9b:1::/48")
]
UNUSED = ipaddress.ip_network("2000::/3")
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")


def embedded(address):
    """The IPv4 address behind one of IPv6, if it is nothing but that."""
    if address.version == 4:
        return address
    if address.ipv4_mapped:
        return address.ipv4_mapped
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in TRANSLATED else address


def is_global(address) -> bool:
    return address.is_global and not address.is_multicast


def edges():
    networks = STRICTER + [
        ipaddress.ip_network(text)
        for text in (
            "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.2.0/24 192.168.0.0/16 "
            "198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 ::/128 ::1/128 "
            "::ffff:0:0/96 64:ff9b::/96 100::/64 2001:db8::/32 2000::/3 fc00::/7 fe80::/10 ff00::/8"
        ).split()
    ]
    for network in networks:
        for number in (int(network[0]), int(network[-1])):
            for near in (number - 1, number, number + 1):
                if 0 <= near < 2**network.max_prefixlen:
                    yield type(network[0])(near)


def drawn(count):
    generator = random.Random(SEED)
    for _ in range(count):
        yield ipaddress.IPv4Address(generator.getrandbits(32))
        yield ipaddress.IPv6Address(generator.getrandbits(128))
        yield ipaddress.IPv6Address(0x2 << 124 | generator.getrandbits(125))
        yield ipaddress.IPv6Address(0xFFFF << 32 | generator.getrandbits(32))
        yield ipaddress.IPv6Address(int(TRANSLATED[0]) | generator.getrandbits(32))


def test_python_agrees_about_what_addresses_are_for(fetch):
    addresses = [*edges(), *drawn(20_000 if SOAK else 2_000)]
    kinds = fetch.ask("kinds", addresses=[str(address) for address in addresses])
    seen = set()
    for address, kind in zip(addresses, kinds, strict=True):
        seen.add(kind)
        meant = embedded(address)
        stricter = any(meant in network for network in STRICTER if network.version == meant.version)
        unused = meant.version == 6 and meant not in UNUSED
        expected = is_global(meant) and not stricter and not unused
        assert (kind == "public") == expected, f"{address}: {kind}"
        if kind == "loopback":
            assert meant.is_loopback
        if kind == "linkLocal":
            assert meant.is_link_local
        if kind == "multicast":
            assert meant.is_multicast
        if kind == "private":
            assert meant.is_private or meant.is_site_local
    assert seen == {
        "public", "loopback", "private", "shared", "linkLocal", "multicast", "unspecified", "documentation", "reserved",
    }


# Signatures


def encode(text: str, safe: str = "") -> str:
    return urllib.parse.quote(text, safe=safe + "-._~")


def drawn_request(generator):
    letters = "abcXYZ019-._~ /+=&%äø月!'()*,;:@$"

    def text(longest):
        return "".join(generator.choice(letters) for _ in range(generator.randint(1, longest)))

    # Dot segments are left alone by both, but the sockets of tests would not carry them.
    path = "/" + encode(text(20), safe="/")
    items = [(text(4), text(6) if generator.random() < 0.8 else "") for _ in range(generator.randint(0, 5))]
    query = "&".join(f"{encode(name)}={encode(value)}" for name, value in items)
    port = generator.choice(["", ":9000"])
    fields = [["Content-Type", "application/x;  q=1"]] if generator.random() < 0.5 else []
    if generator.random() < 0.5:
        fields += [["X-Amz-Meta-Colour", "  red   blue "], ["Range", "bytes=0-9"]]
    return {
        "method": generator.choice(["GET", "PUT", "DELETE", "HEAD"]),
        "url": f"https://store.example{port}{path}" + (f"?{query}" if query else ""),
        "fields": fields,
        "body": generator.choice([None, b"", generator.randbytes(50)]),
        "sessionToken": generator.choice([None, "token/+="]),
    }


def table():
    def request(url, method="GET", body=b"", fields=(), token=None):
        return {"method": method, "url": url, "fields": list(fields), "body": body, "sessionToken": token}

    yield request("https://examplebucket.s3.amazonaws.com/test.txt", fields=[["Range", "bytes=0-9"]])
    yield request("https://examplebucket.s3.amazonaws.com/?lifecycle")
    yield request("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J")
    yield request("https://store.example/", method="HEAD")
    yield request("http://store.example:9000/a//b/./c", method="PUT", body=b"content")
    yield request("https://store.example/%2F?b=2&a=2&a=1&a=10&B=%20&a=", token="t")
    yield request("https://store.example/big", method="PUT", body=None)


def signed_elsewhere(request, moment):
    credentials = Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", request["sessionToken"])
    theirs = AWSRequest(
        method=request["method"], url=request["url"], data=request["body"] or b"", headers=dict(request["fields"])
    )
    theirs.context["timestamp"] = moment.strftime("%Y%m%dT%H%M%SZ")
    theirs.context["client_config"] = Config(s3={"payload_signing_enabled": request["body"] is not None})
    theirs.context["signing"] = {}
    signer = S3SigV4Auth(credentials, "s3", "eu-central-1")
    frozen = moment.replace(tzinfo=None)
    original = botocore.auth.get_current_datetime
    botocore.auth.get_current_datetime = lambda *a, **k: frozen if k.get("remove_tzinfo", True) else moment
    try:
        signer.add_auth(theirs)
    finally:
        botocore.auth.get_current_datetime = original
    return theirs


def ask_to_sign(fetch, request, moment):
    body = request["body"]
    asked = {name: value for name, value in request.items() if value is not None and name != "body"}
    if body is not None:
        asked["body"] = body
    return fetch.ask(
        "sign",
        **asked,
        accessKey="AKIDEXAMPLE",
        secretKey="wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        region="eu-central-1",
        date=int(moment.timestamp()),
    )


def requests_to_sign():
    generator = random.Random(SEED)
    yield from table()
    for _ in range(2_000 if SOAK else 200):
        yield drawn_request(generator)


MOMENTS = [datetime(2013, 5, 24, tzinfo=timezone.utc), datetime(2028, 2, 29, 23, 59, 59, tzinfo=timezone.utc)]


def test_botocore_signs_requests_as_we_do(fetch):
    for number, request in enumerate(requests_to_sign()):
        moment = MOMENTS[number % 2]
        theirs = signed_elsewhere(request, moment)
        ours = dict(ask_to_sign(fetch, request, moment)["fields"])
        for name in ("Authorization", "X-Amz-Date", "X-Amz-Content-Sha256"):
            assert ours[name] == theirs.headers[name], f"{request} TILL_SEED={SEED}"
        assert ours.get("X-Amz-Security-Token") == theirs.headers.get("X-Amz-Security-Token")


def test_what_two_could_read_in_two_ways_is_not_signed(fetch):
    for url in ("https://s.example/a b", "https://s.example/%2f", "https://s.example/a+b", "https://s.example/?a=*",
                "https://s.example/%41", "https://s.example/%zz", "https://s.example/a?b=c?d", "https://s.example/%ff"):
        with pytest.raises(Refused) as refusal:
            ask_to_sign(
                fetch, {"method": "GET", "url": url, "fields": [], "body": b"", "sessionToken": None}, MOMENTS[0])
        assert refusal.value.code == "request_malformed", url
