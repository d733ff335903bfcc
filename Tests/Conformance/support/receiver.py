"""A developer's server that takes notifications: it keeps every body, and says of each what the test wants to answer."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from support.device import payload
from support.waiting import PATIENCE


class Notification:
    """What came: the decoded payload, and what was signed within it."""

    def __init__(self, signed: str):
        self.signed = signed
        self.payload = payload(signed)
        self.uuid: str = self.payload["notificationUUID"]
        self.type: str = self.payload["notificationType"]
        self.subtype: str | None = self.payload.get("subtype")
        self.data: dict = self.payload.get("data", {})
        self.transaction = payload(self.data["signedTransactionInfo"]) if "signedTransactionInfo" in self.data else {}
        self.renewal = payload(self.data["signedRenewalInfo"]) if "signedRenewalInfo" in self.data else {}

    @property
    def name(self) -> str:
        return f"{self.type}/{self.subtype}" if self.subtype else self.type


class Receiver:
    """Listens on a port of its own, the same one when it is opened again."""

    def __init__(self, answer=lambda notification: 200):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                size = int(self.headers["Content-Length"])
                body = self.rfile.read(size)
                if len(body) < size:
                    # The store was gone before it had sent everything.
                    self.close_connection = True
                    return
                status = receiver._take(dict(self.headers), json.loads(body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.answer = answer
        self.headers: list[dict] = []
        self.bodies: list[dict] = []
        self.received: list[Notification] = []
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/notifications"

    def _take(self, headers: dict, body: dict) -> int:
        notification = Notification(body["signedPayload"]) if "signedPayload" in body else None
        with self._changed:
            self.headers.append(headers)
            self.bodies.append(body)
            if notification:
                self.received.append(notification)
            self._changed.notify_all()
        return self.answer(notification)

    def wait_for(self, condition, otherwise: str = "it never came to that"):
        """Waits until what has come fulfils a condition, which is given the notifications."""
        with self._changed:
            if not self._changed.wait_for(lambda: condition(self.received), PATIENCE):
                raise AssertionError(f"{otherwise}: {[one.name for one in self.received]}")

    def wait_for_named(self, name: str) -> Notification:
        self.wait_for(lambda received: any(one.name == name for one in received), f"no {name}")
        return [one for one in self.received if one.name == name][-1]

    def taken(self) -> list[Notification]:
        """What has come since this was asked last."""
        with self._changed:
            found, self.received = self.received, []
            return found

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)
