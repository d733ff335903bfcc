import base64
import hashlib
import plistlib
import subprocess
import tempfile
from pathlib import Path

import requests

from support.shop import Shop
from support.waiting import PATIENCE, wait_until

PART = 8 << 20


def package(product: str, version: str, files: dict[str, bytes]) -> bytes:
    """A package of hosted content, as bsdtar makes it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "content"
        (root / "Contents").mkdir(parents=True)
        info = {"ContentVersion": version, "IAPProductIdentifier": product}
        (root / "ContentInfo.plist").write_bytes(plistlib.dumps(info))
        for name, content in files.items():
            path = root / "Contents" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        made = Path(folder) / "content.pkg"
        subprocess.run(
            ["bsdtar", "--format=xar", "-cf", made, "-C", root, "ContentInfo.plist", "Contents"], check=True
        )
        return made.read_bytes()


class Hosting:
    """A product whose content the store hosts, uploaded by `requests`."""

    def __init__(self, shop: Shop, product: str, bundle: str = Shop.BUNDLE):
        self.shop, self.product = shop, product
        self.path = f"/apps/{bundle}/products/{product}"

    def begin(self, made: bytes) -> requests.Response:
        body = {"packageBytes": len(made), "packageDigest": hashlib.sha256(made).hexdigest()}
        return self.shop.control("POST", f"{self.path}/content/uploads", body)

    def put(
        self, upload: str, number: int, part: bytes, digest: bytes | None = None, first: int | None = None
    ) -> requests.Response:
        """Sends a part, or what follows its first bytes."""
        digest = base64.b64encode(digest if digest is not None else hashlib.sha256(part).digest()).decode()
        headers = {"Authorization": f"Bearer {self.shop.token}", "Content-Type": "application/octet-stream"}
        if first is None:
            headers["Content-Digest"] = f"sha-256=:{digest}:"
        else:
            headers["Repr-Digest"] = f"sha-256=:{digest}:"
            headers["Content-Range"] = f"bytes {first}-{len(part) - 1}/{len(part)}"
        return requests.put(
            f"{self.shop.address}/control/v1{self.path}/content/uploads/{upload}/parts/{number}",
            data=part[first or 0 :], headers=headers, timeout=PATIENCE,
        )

    def complete(self, upload: str) -> requests.Response:
        return self.shop.control("POST", f"{self.path}/content/uploads/{upload}/completion")

    def push(self, made: bytes) -> dict:
        """Uploads a package and returns what became of it."""
        begun = self.begin(made)
        assert begun.ok, begun.text
        upload = begun.json()["uploadId"]
        for start in range(0, len(made), PART):
            answer = self.put(upload, start // PART + 1, made[start : start + PART])
            assert answer.status_code == 204, answer.text
        answer = self.complete(upload)
        assert answer.status_code == 202, answer.text
        return self.processed(answer.json()["number"])

    def processed(self, number: int) -> dict:
        def is_processed():
            return self.version(number)["state"] != "processing"

        wait_until(is_processed)
        return self.version(number)

    def version(self, number: int) -> dict:
        return self.shop.ask("GET", f"{self.path}/content/{number}")

    def versions(self) -> list[dict]:
        return self.shop.ask("GET", f"{self.path}/content")["items"]

    @property
    def state(self) -> str:
        return self.shop.ask("GET", self.path)["product"]["state"]
