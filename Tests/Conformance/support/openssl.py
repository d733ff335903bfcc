"""The `openssl` command, as anyone would use it on a receipt."""

import subprocess
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization


def write_pem(path: Path, *certificates: x509.Certificate) -> Path:
    path.write_bytes(b"".join(each.public_bytes(serialization.Encoding.PEM) for each in certificates))
    return path


def verify_cms(receipt: bytes, root: x509.Certificate, at: int, folder: Path) -> tuple[bytes | None, str]:
    """The payload if `openssl cms -verify` accepts the receipt at that date, else None; and what it said."""
    pem = write_pem(folder / "root.pem", root)
    (folder / "receipt.der").write_bytes(receipt)
    output = folder / "payload.der"
    output.unlink(missing_ok=True)
    result = subprocess.run(
        ["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", folder / "receipt.der", "-CAfile", pem]
        + ["-no-CApath", "-no-CAstore", "-purpose", "any", "-attime", str(at // 1000), "-out", output],
        capture_output=True,
        text=True,
    )
    return (output.read_bytes() if result.returncode == 0 else None), result.stderr


def sign_cms(payload: bytes, signer, others: list[x509.Certificate], folder: Path, *options: str) -> bytes:
    """A PKCS#7 made by `openssl cms -sign` with a chain of `support.foreign_chain`."""
    key, certificate = signer
    (folder / "in.der").write_bytes(payload)
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    write_pem(folder / "signer.pem", certificate)
    command = ["openssl", "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-in", folder / "in.der"]
    command += ["-signer", folder / "signer.pem", "-inkey", folder / "key.pem", "-out", folder / "out.der", *options]
    if others:
        command += ["-certfile", write_pem(folder / "others.pem", *others)]
    subprocess.run(command, check=True, capture_output=True)
    return (folder / "out.der").read_bytes()
