"""Signed data made by PyJWT under a chain made by `cryptography`."""

import base64

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from .foreign_chain import ForeignChain


def x5c(*certificates: x509.Certificate) -> list[str]:
    return [base64.b64encode(each.public_bytes(serialization.Encoding.DER)).decode() for each in certificates]


def sign(chain: ForeignChain, payload: dict, algorithm: str = "ES256", **headers) -> str:
    headers = {"x5c": x5c(*chain.certificates), **headers}
    return jwt.encode(payload, chain.leaf_key, algorithm=algorithm, headers=headers)
