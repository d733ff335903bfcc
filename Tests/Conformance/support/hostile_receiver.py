"""A server that takes notifications badly: the path says how. It speaks through a bare socket, as no framework would."""

import socket
import ssl
import struct
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from support.waiting import PATIENCE


def response(status: str, *headers: str, body: str = "") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


class HostileReceiver:
    """Answers what the table says for a path, and then closes, resets or holds the connection.

    The table has bytes by the name in the path, with `{url}` for the address itself. A name that ends with `-held` leaves
    the connection open, one that ends with `-reset` resets it, and all others close it.
    """

    def __init__(self, answers: dict[str, bytes], certificate: Path | None = None):
        self.answers = answers
        self.asked: list[str] = []
        self._over = threading.Event()
        self._context = None
        if certificate:
            self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            self._context.load_cert_chain(certificate)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._scheme = "https" if certificate else "http"
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, name: str) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.getsockname()[1]}/{name}"

    def _accept(self):
        while not self._over.is_set():
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket):
        try:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                self._answer(connection)
        except OSError:
            # The store hung up, as it does where it does not trust the certificate.
            connection.close()

    def _answer(self, connection: socket.socket):
        head, _, body = self._read(connection).partition(b"\r\n\r\n")
        name = head.split(b" ")[1].decode().lstrip("/")
        self.asked.append(name)
        connection.sendall(self.answers[name].replace(b"{url}", self.url(name).encode()))
        if name.endswith("-held"):
            self._over.wait(PATIENCE)
        elif name.endswith("-reset"):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _read(self, connection: socket.socket) -> bytes:
        """A request, up to the end of its body."""
        data = b""
        while True:
            part = connection.recv(65536)
            if not part:
                raise ConnectionError
            data += part
            head, end, body = data.partition(b"\r\n\r\n")
            sizes = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
            if end and len(body) >= int(sizes[0] if sizes else 0):
                return data

    def close(self):
        self._over.set()
        self._server.close()


def self_signed(path: Path) -> Path:
    """A certificate that nobody vouches for, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(timezone.utc)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    certificate = builder.sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + certificate.public_bytes(pem))
    return path
