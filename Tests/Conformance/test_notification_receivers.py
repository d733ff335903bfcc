"""Receivers that take notifications badly: what the store says of each, to Apple's library and to people."""

import json

import pytest
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult

from conftest import tool_path
from support.backend import Backend
from support.hostile_receiver import HostileReceiver, response, self_signed
from support.receiver import Receiver
from support.shop import Shop, free_port

pytestmark = pytest.mark.rows("X3", "P15", "P16")

TILL = tool_path().with_name("till")

# What a receiver sends, by what its connection does afterwards, and what is said of it.
ANSWERS = {
    "200": (response("200 OK"), "SUCCESS"),
    "202": (response("202 Accepted", body="{}"), "SUCCESS"),
    "206": (response("206 Partial Content"), "SUCCESS"),
    "utf8": (response("200 OK", "Content-Type: application/json; charset=UTF-8", body="{}"), "SUCCESS"),
    "207": (response("207 Multi-Status"), "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
    "301": (response("301 Moved", "Location: {elsewhere}"), "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
    "302": (response("302 Found", "Location: {elsewhere}"), "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
    "304": (response("304 Not Modified"), "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
    "400": (response("400 Bad Request"), "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
    "500": (response("500 Internal Server Error", body="No"), "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
    "itself": (response("302 Found", "Location: {url}"), "CIRCULAR_REDIRECT"),
    "itself-relative": (response("307 Temporary Redirect", "Location: /itself-relative"), "CIRCULAR_REDIRECT"),
    "charset": (response("200 OK", "Content-Type: text/plain; charset=x-nothing", body="ok"), "UNSUPPORTED_CHARSET"),
    "nothing": (b"", "NO_RESPONSE"),
    "early": (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "PREMATURE_CLOSE"),
    "garbage": (b"this is not HTTP\r\n\r\n", "INVALID_RESPONSE"),
}
# What never comes to an end.
ENDLESS = {"silent-held": b"", "half-held": b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("receivers") / "store", "--log-level", "error")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(scope="module")
def backend(shop, tmp_path_factory):
    return Backend(shop, tmp_path_factory.mktemp("backend"))


@pytest.fixture(scope="module")
def elsewhere():
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture(scope="module")
def hostile(elsewhere):
    answers = {name: bytes_.replace(b"{elsewhere}", elsewhere.url.encode()) for name, (bytes_, _) in ANSWERS.items()}
    receiver = HostileReceiver(answers | ENDLESS)
    yield receiver
    receiver.close()


def result(backend: Backend, url: str) -> SendAttemptResult:
    """How the one attempt of a test notification to a receiver went, as Apple's library says."""
    backend.receive(url)
    status = backend.test_notification()
    [attempt] = status.sendAttempts
    assert attempt.rawSendAttemptResult == attempt.sendAttemptResult.value and attempt.attemptDate > 0
    assert status.signedPayload
    return attempt.sendAttemptResult


@pytest.mark.parametrize("name", ANSWERS)
def test_each_answer_has_its_result(backend, hostile, elsewhere, name):
    assert result(backend, hostile.url(name)).value == ANSWERS[name][1]
    # No redirection is followed: the notification was sent once, to this receiver alone.
    assert hostile.asked.count(name) == 1 and not elsewhere.bodies


def test_connections_that_come_to_nothing_have_theirs(backend, tmp_path):
    assert result(backend, f"http://127.0.0.1:{free_port()}/refused") is SendAttemptResult.SOCKET_ISSUE
    untrusted = HostileReceiver({"200": response("200 OK")}, self_signed(tmp_path / "certificate.pem"))
    try:
        assert result(backend, untrusted.url("200")) is SendAttemptResult.TLS_ISSUE
        assert untrusted.asked == []
    finally:
        untrusted.close()


def test_receivers_that_never_end_hold_up_no_other_app(backend, shop, hostile, elsewhere):
    slow = [Backend(shop, backend.folder, bundle=f"com.example.{name}") for name in ("photofilters", "magazines")]
    tokens = []
    for one, name in zip(slow, ENDLESS):
        one.receive(hostile.url(name))
        tokens.append(one.client().request_test_notification().testNotificationToken)
    backend.receive(elsewhere.url)
    backend.client().request_test_notification()
    elsewhere.wait_for_named("TEST")
    # The others are still being waited for.
    apps = ", ".join(str(one.app) for one in slow)
    waiting = f"SELECT count(*) FROM notification WHERE state = 'waiting' AND app_id IN ({apps})"
    assert backend.rows(waiting) == [(2,)]
    backend.settle()
    for one, token in zip(slow, tokens):
        [attempt] = one.client().get_test_notification_status(token).sendAttempts
        assert attempt.sendAttemptResult is SendAttemptResult.TIMED_OUT


def test_people_see_what_the_receiver_answered(backend, shop, hostile):
    backend.receive(hostile.url("500"))
    backend.test_notification()
    [shown] = json.loads(shop.till("notifications", "list", Shop.BUNDLE, "--json").stdout)["items"][:1]
    assert shown["notificationType"] == "TEST"
    details = json.loads(shop.till("notifications", "show", Shop.BUNDLE, shown["notificationUUID"], "--json").stdout)
    [attempt] = details["attempts"]
    assert (attempt["result"], attempt["status"]) == ("UNSUCCESSFUL_HTTP_RESPONSE_CODE", 500)
