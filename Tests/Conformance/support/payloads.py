"""What a store signs as JSON, in both environments, with every field that Apple's library decodes strictly."""

import json

from .instants import EXPIRES_AT, PURCHASED_AT, SIGNED_AT

BUNDLE_ID = "com.example.lamp"
APP_ID = 1234567890
ENVIRONMENTS = ("sandbox", "production")
WIRE_NAMES = {"sandbox": "Sandbox", "production": "Production"}


def as_bytes(payload: dict) -> bytes:
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def transaction(environment: str, **changes) -> dict:
    return {
        "transactionId": "2000000000000042",
        "originalTransactionId": "2000000000000007",
        "webOrderLineItemId": "2000000000000099",
        "bundleId": BUNDLE_ID,
        "productId": "com.example.lamp.monthly",
        "subscriptionGroupIdentifier": "20000001",
        "purchaseDate": PURCHASED_AT,
        "originalPurchaseDate": PURCHASED_AT,
        "expiresDate": EXPIRES_AT,
        "quantity": 1,
        "type": "Auto-Renewable Subscription",
        "appAccountToken": "7d3f2c1a-0b4e-4f6a-9c8d-1e2f3a4b5c6d",
        "inAppOwnershipType": "PURCHASED",
        "signedDate": SIGNED_AT,
        "environment": WIRE_NAMES[environment],
        "transactionReason": "PURCHASE",
        "storefront": "DEU",
        "storefrontId": "143443",
        "price": 4990,
        "currency": "EUR",
        "appTransactionId": "704000000000000001",
        **changes,
    }


def renewal_info(environment: str, **changes) -> dict:
    return {
        "originalTransactionId": "2000000000000007",
        "autoRenewProductId": "com.example.lamp.yearly",
        "productId": "com.example.lamp.monthly",
        "autoRenewStatus": 1,
        "renewalPrice": 39990,
        "currency": "EUR",
        "signedDate": SIGNED_AT,
        "environment": WIRE_NAMES[environment],
        "recentSubscriptionStartDate": PURCHASED_AT,
        "renewalDate": EXPIRES_AT,
        "appTransactionId": "704000000000000001",
        **changes,
    }


def app_transaction(environment: str, **changes) -> dict:
    return {
        "receiptType": WIRE_NAMES[environment],
        "appAppleId": APP_ID,
        "bundleId": BUNDLE_ID,
        "applicationVersion": "42",
        "versionExternalIdentifier": 880000001,
        "receiptCreationDate": SIGNED_AT,
        "originalPurchaseDate": PURCHASED_AT,
        "originalApplicationVersion": "1.0",
        "deviceVerification": "AAECAwQFBgcICQoLDA0ODw==",
        "deviceVerificationNonce": "48ccfa42-7431-4f22-9908-7e88983e105a",
        "appTransactionId": "704000000000000001",
        "originalPlatform": "iOS",
        **changes,
    }


def notification(environment: str, data_changes: dict | None = None, **changes) -> dict:
    return {
        "notificationType": "SUBSCRIBED",
        "subtype": "INITIAL_BUY",
        "notificationUUID": "0f6e2d0c-5b0a-4a9e-8f7c-6d5e4c3b2a19",
        "version": "2.0",
        "signedDate": SIGNED_AT,
        "data": {
            "appAppleId": APP_ID,
            "bundleId": BUNDLE_ID,
            "bundleVersion": "42",
            "environment": WIRE_NAMES[environment],
            "status": 1,
            **(data_changes or {}),
        },
        **changes,
    }


def realtime_request(environment: str, **changes) -> dict:
    """What a store asks a developer's server while a customer looks at cancelling."""
    return {
        "originalTransactionId": "2000000000000007",
        "appAppleId": APP_ID,
        "productId": "com.example.lamp.monthly",
        "userLocale": "de-DE",
        "requestIdentifier": "0f6e2d0c-5b0a-4a9e-8f7c-6d5e4c3b2a19",
        "environment": WIRE_NAMES[environment],
        "signedDate": SIGNED_AT,
        **changes,
    }
