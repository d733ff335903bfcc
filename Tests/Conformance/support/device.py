import base64
import json
import time
import uuid

import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from support.waiting import PATIENCE


class Device:
    """An app on a device as somebody else would write it: the device API by `requests`, keys by `cryptography`."""

    def __init__(self, address: str, profile: str, bundle: str, environment: str = "sandbox", **more):
        self.address = address
        self.session = requests.Session()
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.identifier = str(uuid.uuid4())
        self.bundle, self.profile, self.environment = bundle, profile, environment
        self.more = more
        self.token = None

    def registration(self, signed_at: int | None = None) -> dict:
        public = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        said = {
            "profile": self.profile,
            "bundleId": self.bundle,
            "publicKey": base64.b64encode(public).decode(),
            "signedAt": signed_at or int(time.time() * 1000),
            "deviceIdentifier": self.identifier,
            "vendorIdentifier": str(uuid.uuid4()),
            "appVersion": "1.0",
            "language": "en-US",
            **self.more,
        }
        return self.signed(said)

    def signed(self, said: dict) -> dict:
        """A registration with the signature that covers it."""
        lines = ["till-device", self.environment, said["bundleId"], said["signedAt"], said["publicKey"]]
        lines += [said["deviceIdentifier"], said["vendorIdentifier"], said["appVersion"], said["language"]]
        lines += [said.get("storefront", ""), "true" if said.get("isSimulator") else "false", said["profile"]]
        statement = "".join(f"{line}\n" for line in lines)
        signature = self.key.sign(statement.encode(), ec.ECDSA(hashes.SHA256()))
        return {**said, "signature": base64.b64encode(signature).decode()}

    def register(self) -> dict:
        answer = self.call("POST", "/devices", self.registration(), authorized=False)
        assert answer.status_code in (200, 201), answer.text
        self.token = answer.json()["token"]
        return answer.json()

    def call(self, method: str, path: str, body=None, *, key=None, authorized=True, **options) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if authorized and self.token else {}
        if key:
            headers["Idempotency-Key"] = key
        options.setdefault("timeout", PATIENCE)
        return self.session.request(
            method, f"{self.address}/device/v1{path}", json=body, headers=headers, **options
        )

    def ask(self, method: str, path: str, body=None, **options) -> dict:
        answer = self.call(method, path, body, **options)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else {}

    def sign_in(self, email: str, password: str) -> dict:
        return self.ask("POST", "/sign-in", {"email": email, "password": password})

    def open(self, product: str, quantity: int = 1, key: str | None = None) -> dict:
        return self.ask("POST", "/purchases", {"productId": product, "quantity": quantity}, key=key or str(uuid.uuid4()))

    def confirm(self, purchase: dict) -> dict:
        token = purchase["confirmation"]["token"]
        return self.ask("POST", f"/purchases/{purchase['key']}/confirmation", {"token": token})

    def buy(self, product: str, quantity: int = 1) -> dict:
        return self.confirm(self.open(product, quantity))

    def finish(self, transaction: str):
        self.ask("POST", f"/transactions/{transaction}/finish")

    def events(self, after: str | None = None, wait: int = 0) -> dict:
        query = ([f"after={after}"] if after else []) + ([f"wait={wait}"] if wait else [])
        return self.ask("GET", "/events" + ("?" + "&".join(query) if query else ""))


def payload(signed: str) -> dict:
    """What a JWS says, without judging it."""
    part = signed.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
