"""A developer's key and how the tools of the field write it."""

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

KEY_ID = "L256SYR32L"
ISSUER_ID = "57246542-96fe-1a63-e053-0824d011072a"
BUNDLE_ID = "com.example.lamp"


class DeveloperKey:
    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.private_pem = self.private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.public_pem = self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    @property
    def known(self) -> list[dict]:
        """What the store knows: this key under its name, and another one."""
        return [
            {"keyID": "OTHERKEY00", "issuerID": ISSUER_ID, "publicKey": DeveloperKey.other.public_pem.decode()},
            {"keyID": KEY_ID, "issuerID": ISSUER_ID, "publicKey": self.public_pem.decode()},
        ]


DeveloperKey.other = DeveloperKey()
