import Foundation
import StoreModel
import StoreSigning

@testable import StoreKit

/// A store that signs what a test has it say, and a device that verifies it.
struct SignedScene {
    static let now = Instant(millisecondsSinceEpoch: 1_790_000_000_000)
    // Safe: a UUID in its usual form.
    static let device = UUID(uuidString: "11111111-2222-4333-8444-555555555555")!
    static let nonce = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"

    private let keys: CertifiedKey
    private let signer: JWSSigner

    init(at instant: Instant = SignedScene.now) throws {
        keys = try ChainAuthority(environment: .sandbox, purpose: .jws, organization: "Corner Shop")
            .issueChain(at: instant)
        signer = try JWSSigner(keys)
    }

    /// The device's verifier, by the root of this store.
    func verifier(
        app: String = "com.example.monkey", environment: StoreEnvironment = .sandbox, device: UUID? = Self.device,
        revoking revocations: Revocations = Revocations(), failure: (@Sendable () -> (any Error)?)? = nil
    ) throws -> SignedValueVerifier {
        SignedValueVerifier(
            verifier: try JWSVerifier(roots: [keys.chain.root], revocations: revocations),
            app: try BundleID(parsing: app), environment: environment, device: device, failure: failure)
    }

    /// The certificate that signs, revoked.
    func leafRevoked() throws -> Revocations { Revocations(fingerprints: [try keys.chain.leaf.fingerprint]) }

    func sign(_ payload: [String: any Sendable], at instant: Instant = SignedScene.now) throws -> String {
        try signer.sign(JSONSerialization.data(withJSONObject: payload, options: [.sortedKeys]), at: instant)
    }

    func sign(text: String) throws -> String { try signer.sign(Data(text.utf8), at: Self.now) }

    /// The payload of a renewal of a subscription, with everything that it can say.
    static func transaction() throws -> [String: any Sendable] {
        let payload: [String: any Sendable] = [
            "transactionId": "2000000000000002", "originalTransactionId": "2000000000000001",
            "webOrderLineItemId": "2000000000000009", "bundleId": "com.example.monkey",
            "productId": "com.example.monkey.monthly", "subscriptionGroupIdentifier": "20001",
            "purchaseDate": 1_789_000_000_000, "originalPurchaseDate": 1_780_000_000_000,
            "expiresDate": 1_791_000_000_500, "quantity": 1, "type": "Auto-Renewable Subscription",
            "appAccountToken": "00000000-0000-4000-8000-0000000000ff", "inAppOwnershipType": "FAMILY_SHARED",
            "signedDate": now.millisecondsSinceEpoch, "environment": "Sandbox", "transactionReason": "RENEWAL",
            "storefront": "DEU", "storefrontId": "143443", "price": 1990, "currency": "EUR", "isUpgraded": true,
            "offerType": 2, "offerIdentifier": "spring", "offerDiscountType": "PAY_AS_YOU_GO", "offerPeriod": "P1M",
            "revocationDate": 1_789_500_000_000, "revocationReason": 1, "revocationType": "REFUND_PRORATED",
            "revocationPercentage": 33_333, "appTransactionId": "704000000000000001", "billingPlanType": "MONTHLY",
            "commitmentInfo": [
                "billingPeriodNumber": 2, "totalBillingPeriods": 12, "commitmentPrice": 23_880,
                "commitmentExpiresDate": 1_800_000_000_000,
            ] as [String: any Sendable],
        ]
        return try payload.merging(onDevice()) { first, _ in first }
    }

    static func renewal() throws -> [String: any Sendable] {
        let payload: [String: any Sendable] = [
            "originalTransactionId": "2000000000000001", "productId": "com.example.monkey.monthly",
            "autoRenewProductId": "com.example.monkey.yearly", "autoRenewStatus": 1, "environment": "Sandbox",
            "signedDate": now.millisecondsSinceEpoch, "recentSubscriptionStartDate": 1_780_000_000_000,
            "renewalDate": 1_791_000_000_000, "renewalPrice": 19_990, "currency": "EUR", "expirationIntent": 2,
            "isInBillingRetryPeriod": true, "gracePeriodExpiresDate": 1_792_000_000_000, "priceIncreaseStatus": 0,
            "offerType": 4, "offerIdentifier": "back", "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P2W",
            "eligibleWinBackOfferIds": ["back", "again"],
            "appAccountToken": "00000000-0000-4000-8000-0000000000ff", "appTransactionId": "704000000000000001",
            "renewalBillingPlanType": "BILLED_UPFRONT",
            "commitmentInfo": [
                "commitmentAutoRenewProductId": "com.example.monkey.yearly", "commitmentAutoRenewStatus": 1,
                "commitmentRenewalBillingPlanType": "MONTHLY", "commitmentRenewalDate": 1_800_000_000_000,
                "commitmentRenewalPrice": 23_880,
            ] as [String: any Sendable],
        ]
        return try payload.merging(onDevice()) { first, _ in first }
    }

    static func download() throws -> [String: any Sendable] {
        let payload: [String: any Sendable] = [
            "receiptType": "Sandbox", "bundleId": "com.example.monkey", "applicationVersion": "2.1",
            "originalApplicationVersion": "1.0", "originalPurchaseDate": 1_375_340_400_000,
            "receiptCreationDate": now.millisecondsSinceEpoch, "appAppleId": 42, "versionExternalIdentifier": 7,
            "preorderDate": 1_370_000_000_000, "appTransactionId": "704000000000000001", "originalPlatform": "macOS",
        ]
        return try payload.merging(onDevice()) { first, _ in first }
    }

    private static func onDevice() throws -> [String: any Sendable] {
        let digest = try DeviceVerification.digest(nonce: DeviceVerificationNonce(parsing: nonce).uuid, device: device)
        return [
            "deviceVerification": Base64.encode(digest),
            "deviceVerificationNonce": nonce,
        ]
    }
}
