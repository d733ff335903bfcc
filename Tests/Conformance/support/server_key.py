"""A key with which a developer's server asks the App Store Server API, and tokens that are signed with it."""

import time

import jwt

from support.shop import Shop


class ServerKey:
    def __init__(self, shop: Shop, *environments: str, team: str | None = None):
        wanted = {"name": "backend", "environments": list(environments) or ["sandbox"]}
        if team:
            wanted["teamId"] = team
        made = shop.ask("POST", "/api-keys", wanted)
        self.id, self.issuer, self.private_key = made["keyId"], made["issuerId"], made["privateKey"]

    def token(self, bundle: str = Shop.BUNDLE) -> str:
        return server_token(self.id, self.issuer, self.private_key, bundle)


def server_token(key_id: str, issuer: str, private_key: str, bundle: str = Shop.BUNDLE) -> str:
    claims = {"iss": issuer, "exp": int(time.time()) + 300, "aud": "appstoreconnect-v1", "bid": bundle}
    return jwt.encode(claims, private_key, algorithm="ES256", headers={"kid": key_id})


def production_token(shop: Shop) -> str:
    """A token with a key that opens production alone, made by the command."""
    made = shop.till("api-key", "create", "of production", "--environment", "production", "--output", "-")
    key_id, issuer = (line.rsplit(" ", 1)[1] for line in made.stderr.strip().splitlines()[-2:])
    return server_token(key_id, issuer, made.stdout)
