"""The store under test, spoken to through the tool: authorities, signers and verifiers of StoreSigning."""

import base64
from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from .tool import Tool

LEAF_MARKER = "1.2.840.113635.100.6.11.1"
INTERMEDIATE_MARKER = "1.2.840.113635.100.6.2.1"


@dataclass(frozen=True)
class Authority:
    """A chain of the store. Certificates are DER."""

    tool: Tool
    handle: str
    leaf: bytes
    intermediate: bytes
    root: bytes
    leaf_key_pem: str

    @property
    def certificates(self) -> list[x509.Certificate]:
        """Leaf, intermediate, root, as another library reads them."""
        return [x509.load_der_x509_certificate(der) for der in (self.leaf, self.intermediate, self.root)]

    @property
    def leaf_key(self):
        return serialization.load_pem_private_key(self.leaf_key_pem.encode(), None)

    def sign_json(self, payload: bytes, at: int) -> str:
        return self.tool.ask("jws.sign", authority=self.handle, payload=payload, at=at)["jws"]

    def sign_receipt(self, fields: dict) -> bytes:
        return base64.b64decode(self.tool.ask("receipt.sign", authority=self.handle, receipt=fields)["bytes"])


@dataclass(frozen=True)
class Part:
    """One certificate of an assembled chain."""

    not_before: int
    not_after: int
    markers: tuple[str, ...] = ()


class Store:
    def __init__(self, tool: Tool):
        self.tool = tool

    def authority(self, environment: str, purpose: str, issued_at: int) -> Authority:
        return self._authority(
            "authority.make", environment=environment, purpose=purpose, organization="Conformance", issuedAt=issued_at
        )

    def assemble(self, purpose: str, root: Part, intermediate: Part, leaf: Part) -> Authority:
        parts = {
            name: {"notBefore": part.not_before, "notAfter": part.not_after, "markers": part.markers}
            for name, part in (("root", root), ("intermediate", intermediate), ("leaf", leaf))
        }
        return self._authority("authority.assemble", purpose=purpose, **parts)

    def _authority(self, operation: str, **fields) -> Authority:
        made = self.tool.ask(operation, **fields)
        ders = {name: base64.b64decode(made[name]) for name in ("leaf", "intermediate", "root")}
        return Authority(self.tool, made["authority"], leaf_key_pem=made["leafKey"], **ders)

    def jws_verifier(self, *roots: bytes, revoked: tuple[bytes, ...] = ()) -> "JWSVerifier":
        return JWSVerifier(self.tool, self.tool.ask("jws.verifier", roots=roots, revoked=revoked)["verifier"])

    def receipt_verifier(self, *roots: bytes, revoked: tuple[bytes, ...] = ()) -> "ReceiptVerifier":
        return ReceiptVerifier(self.tool, self.tool.ask("receipt.verifier", roots=roots, revoked=revoked)["verifier"])

    def read_payload(self, payload: bytes) -> dict:
        """Reads the payload of a receipt without judging who signed it."""
        return self.tool.ask("receipt.read", payload=payload)["receipt"]

    def device_hash(self, device: bytes, opaque_value: bytes, bundle_id: str) -> bytes:
        made = self.tool.ask("receipt.device-hash", device=device, opaqueValue=opaque_value, bundleID=bundle_id)
        return base64.b64decode(made["deviceHash"])

    def belongs(self, fields: dict, device: bytes) -> bool:
        return self.tool.ask("receipt.belongs", receipt=fields, device=device)["belongs"]

    def read_certificate(self, der: bytes) -> dict:
        return self.tool.ask("certificate.read", der=der)


@dataclass(frozen=True)
class JWSVerifier:
    tool: Tool
    handle: str

    def verify(self, jws: str) -> dict:
        answer = self.tool.ask("jws.verify", verifier=self.handle, jws=jws)
        return {**answer, "payload": base64.b64decode(answer["payload"])}


@dataclass(frozen=True)
class ReceiptVerifier:
    tool: Tool
    handle: str

    def verify(self, receipt: bytes) -> dict:
        return self.tool.ask("receipt.verify", verifier=self.handle, bytes=receipt)["receipt"]
