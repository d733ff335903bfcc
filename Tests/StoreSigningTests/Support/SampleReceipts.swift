import StoreModel

@testable import StoreSigning

/// Receipts to be signed and read.
enum SampleReceipts {
    /// With nothing but what every receipt has.
    static func plain(_ bundleID: String = "com.example.app") -> AppReceipt {
        AppReceipt(
            type: .sandbox, bundleID: bundleID, applicationVersion: "1.0", creationDate: Fixture.now,
            opaqueValue: Array(0..<16), deviceHash: Array(100..<120))
    }

    /// With a value in every field, none of them the default.
    static func full() throws -> AppReceipt {
        var receipt = try AppReceipt(
            type: .volumePurchase, bundleID: "com.example.grüße", applicationVersion: "2.7.1",
            creationDate: Instant(rfc3339: "2026-01-02T03:04:05Z"), appID: 1_234_567_890,
            opaqueValue: Array(0..<16), deviceHash: Array(100..<120))
        receipt.downloadID = 987_654_321_012
        receipt.versionExternalIdentifier = -3
        receipt.ageRating = "17+"
        receipt.originalPurchaseDate = try Instant(rfc3339: "2013-08-01T07:00:00Z")
        receipt.originalApplicationVersion = "1.0"
        receipt.expirationDate = try Instant(rfc3339: "2027-01-01T00:00:00Z")
        receipt.preorderDate = try Instant(rfc3339: "2013-07-01T00:00:00Z")
        receipt.purchases = try [fullPurchase()]
        // In the order of their bytes, as a DER set has them.
        receipt.otherAttributes = [
            ReceiptAttribute(type: 4711, version: 7, value: []), ReceiptAttribute(type: 99, value: [1, 2, 3]),
        ]
        return receipt
    }

    static func purchase(_ productID: String, _ number: Int = 0) -> PurchaseReceipt {
        PurchaseReceipt(
            productID: productID, transactionID: String(2_000_000_000_000_000 + number),
            originalTransactionID: String(2_000_000_000_000_000 + number), purchaseDate: Fixture.now,
            originalPurchaseDate: Fixture.now)
    }

    static func fullPurchase() throws -> PurchaseReceipt {
        var purchase = try PurchaseReceipt(
            quantity: 10, productID: "com.example.pro.monthly", transactionID: "2000000000000002",
            originalTransactionID: "2000000000000001", purchaseDate: Instant(rfc3339: "2025-12-26T18:39:47Z"),
            originalPurchaseDate: Instant(rfc3339: "2025-11-26T18:39:47Z"), kind: .autoRenewable,
            expirationDate: Instant(rfc3339: "2026-01-26T18:39:47Z"), webOrderLineItemID: .max,
            cancellationDate: Instant(rfc3339: "2025-12-30T00:00:00Z"), cancellationReason: 1, isTrialPeriod: true,
            isInIntroductoryPeriod: false, promotionalOfferID: "winter")
        purchase.otherAttributes = [ReceiptAttribute(type: 1799, value: DER.utf8String("later"))]
        return purchase
    }
}
