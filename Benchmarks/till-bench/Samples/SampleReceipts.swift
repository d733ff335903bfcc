import StoreModel
import StoreSigning

/// App receipts of many customers of one app, five purchases in each.
struct SampleReceipts {
    static let count = 256
    static let purchasesPerReceipt = 5

    let key: CertifiedKey
    let receipts: [[UInt8]]

    init() throws {
        let key = try ChainAuthority(environment: .sandbox, purpose: .receipt, organization: "Example Store")
            .issueChain(at: SampleTime.signing)
        let signer = try ReceiptSigner(key)
        receipts = try (0..<Self.count).map { try signer.sign(Self.receipt($0)) }
        self.key = key
    }

    private static func receipt(_ index: Int) throws -> AppReceipt {
        let random = RandomBytes()
        var receipt = try AppReceipt(
            type: .sandbox, bundleID: SampleTransactions.bundleID, applicationVersion: "1.4.2",
            creationDate: SampleTime.signing, opaqueValue: random(16), deviceHash: random(20))
        receipt.originalPurchaseDate = SampleTime.signing.adding(.oneYear, times: -1)
        receipt.originalApplicationVersion = "1.0"
        receipt.purchases = (0..<purchasesPerReceipt).map { purchase(Int64(index * purchasesPerReceipt + $0)) }
        return receipt
    }

    /// Every other purchase is of a subscription.
    private static func purchase(_ number: Int64) -> PurchaseReceipt {
        let date = SampleTime.signing.adding(milliseconds: -3_600_000 * (number + 1))
        var purchase = PurchaseReceipt(
            productID: "com.example.monkeycredits.pack.\(number)", transactionID: "\(2_000_000_900_000_000 + number)",
            originalTransactionID: "\(2_000_000_800_000_000 + number)", purchaseDate: date,
            originalPurchaseDate: date, kind: .consumable)
        if number.isMultiple(of: 2) {
            purchase.kind = .autoRenewable
            purchase.expirationDate = date.adding(.oneMonth)
            purchase.webOrderLineItemID = 2_000_000_700_000_000 + number
            purchase.isTrialPeriod = false
            purchase.isInIntroductoryPeriod = false
        }
        return purchase
    }
}
