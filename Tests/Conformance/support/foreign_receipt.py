"""App receipts made with `cryptography` and asn1crypto, in every form that verifiers meet in the field."""

from dataclasses import dataclass, replace

from asn1crypto import algos, cms, core
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from . import der
from .foreign_chain import ForeignChain

DIGESTS = {"sha1": hashes.SHA1, "sha256": hashes.SHA256, "sha384": hashes.SHA384}


@dataclass(frozen=True)
class Container:
    """What goes into a container, and how it is written; the defaults are what the App Store does."""

    payload: bytes
    chain: ForeignChain
    digest: str = "sha256"
    # The algorithm that the signer names: `rsassa_pkcs1v15`, or the combined form with the digest.
    signature_algorithm: str = "rsassa_pkcs1v15"
    certificates: tuple[x509.Certificate, ...] | None = None
    # The attributes that are signed in place of the payload, if any; True makes the right ones.
    signed_attributes: cms.CMSAttributes | bool = False
    content_type: str = "data"
    # Payloads may be cut into pieces of an octet string whose length is left open.
    open_lengths: bool = False
    chunk: int = 1000
    # One more octet string around the payload, inside of what is signed.
    nested: bool = False
    signers: int = 1

    def changed(self, **changes) -> "Container":
        return replace(self, **changes)

    @property
    def content(self) -> bytes:
        """The octets that are signed."""
        return der.value(0x04, self.payload) if self.nested else self.payload

    @property
    def encoded(self) -> bytes:
        constructed = der.open_value if self.open_lengths else der.value
        certificates = self.chain.certificates if self.certificates is None else self.certificates
        digests = algos.DigestAlgorithm({"algorithm": self.digest, "parameters": core.Null()}).dump()
        parts = [
            core.Integer(1).dump(),
            der.value(0x31, digests),
            constructed(0x30, cms.ContentType(self.content_type).dump(), constructed(0xA0, self._octets)),
        ]
        if certificates:
            parts.append(constructed(0xA0, *(each.public_bytes(serialization.Encoding.DER) for each in certificates)))
        parts.append(constructed(0x31, *[self._signer] * self.signers))
        return constructed(
            0x30, cms.ContentType("signed_data").dump(), constructed(0xA0, constructed(0x30, *parts))
        )

    @property
    def _octets(self) -> bytes:
        if not self.open_lengths:
            return der.value(0x04, self.content)
        pieces = [self.content[start : start + self.chunk] for start in range(0, len(self.content), self.chunk)]
        return der.open_value(0x24, *(der.value(0x04, piece) for piece in pieces))

    @property
    def _signer(self) -> bytes:
        leaf = self.chain.leaf
        signer = {
            "version": "v1",
            "sid": cms.SignerIdentifier(
                "issuer_and_serial_number",
                cms.IssuerAndSerialNumber(
                    {
                        "issuer": cms.Name.load(leaf.issuer.public_bytes()),
                        "serial_number": leaf.serial_number,
                    }
                ),
            ),
            "digest_algorithm": {"algorithm": self.digest, "parameters": core.Null()},
            "signature_algorithm": {"algorithm": self.signature_algorithm, "parameters": core.Null()},
        }
        signed = self.content
        if self.signed_attributes:
            chosen = self.signed_attributes
            attributes = attributes_for(self.content, self.digest) if chosen is True else chosen
            signer["signed_attrs"] = attributes
            # What is signed is the set itself; in the signer it stands under the tag [0].
            signed = attributes.untag().dump(force=True)
        signer["signature"] = self.chain.leaf_key.sign(signed, padding.PKCS1v15(), DIGESTS[self.digest]())
        return cms.SignerInfo(signer).dump()


def digest_of(content: bytes, digest: str) -> bytes:
    state = hashes.Hash(DIGESTS[digest]())
    state.update(content)
    return state.finalize()


def attributes_for(content: bytes, digest: str = "sha256", **changes) -> cms.CMSAttributes:
    """The signed attributes that name this content; `None` in place of a value leaves it out."""
    values = {"content_type": "data", "message_digest": digest_of(content, digest), **changes}
    return cms.CMSAttributes(
        [{"type": kind, "values": [value]} for kind, value in values.items() if value is not None]
    )
