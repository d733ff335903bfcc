import Foundation
import StoreModel
import StoreSigning

/// Signed transactions like those of a store with one popular subscription: one chain, and no two payloads alike.
struct SampleTransactions {
    static let bundleID = "com.example.monkeycredits"
    static let count = 512

    let key: CertifiedKey
    let payloads: [TransactionPayload]
    /// The JSON of the payloads.
    let texts: [[UInt8]]

    init() throws {
        key = try ChainAuthority(environment: .sandbox, purpose: .jws, organization: "Example Store")
            .issueChain(at: SampleTime.signing)
        payloads = try (0..<Self.count).map(Self.payload)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        texts = try payloads.map { try Array(encoder.encode($0)) }
    }

    func signed() throws -> [String] {
        let signer = try JWSSigner(key)
        return try texts.map { try signer.sign($0, at: SampleTime.signing) }
    }

    /// A renewal at the price of an offer: about a kilobyte, at the upper end of what stores sign.
    private static func payload(_ index: Int) throws -> TransactionPayload {
        let number = Int64(index)
        let purchase = SampleTime.signing.adding(milliseconds: -60_000 * (number + 1))
        return try TransactionPayload(
            transactionId: TransactionID(number: 2_000_000_900_000_000 + number),
            originalTransactionId: TransactionID(number: 2_000_000_800_000_000 + number / 4),
            bundleId: BundleID(parsing: bundleID),
            productId: ProductID(parsing: "com.example.monkeycredits.unlimited.monthly"),
            type: .autoRenewable,
            purchaseDate: purchase,
            originalPurchaseDate: purchase.adding(.oneMonth, times: -3),
            quantity: 1,
            inAppOwnershipType: .purchased,
            environment: .sandbox,
            signedDate: SampleTime.signing,
            storefront: StorefrontCode(rawValue: "USA"),
            storefrontId: StorefrontID(number: 143441),
            transactionReason: .renewal,
            price: 4_990 + number * 10,
            currency: CurrencyCode(rawValue: "USD"),
            appTransactionId: AppTransactionID(parsing: "\(704_000_000_000_000_000 + number)"),
            webOrderLineItemId: WebOrderLineItemID(number: 2_000_000_700_000_000 + number),
            subscriptionGroupIdentifier: SubscriptionGroupID(parsing: "20900001"),
            expiresDate: purchase.adding(.oneMonth),
            offerType: .promotional,
            offerIdentifier: "loyal-customers-\(index)",
            offerDiscountType: .payAsYouGo,
            offerPeriod: .oneMonth,
            appAccountToken: AppAccountToken(UUID()),
            deviceVerification: Data(RandomBytes()(48)).base64EncodedString(),
            deviceVerificationNonce: DeviceVerificationNonce(UUID()))
    }
}
