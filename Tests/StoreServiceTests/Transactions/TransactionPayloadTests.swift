import StoreModel
import StoreService
import StoreTestSupport
import Testing

@Suite struct TransactionPayloadTests {
    private let signedAt = Instant(millisecondsSinceEpoch: 1_800_000_900_000)

    @Test("A payload says of a transaction what its row says")
    func fields() throws {
        var transaction = try SampleTransaction.subscription(2)
        transaction.originalID = try SampleTransaction.id(1)
        transaction.originalPurchaseDate = Instant(millisecondsSinceEpoch: 1_790_000_000_000)
        transaction.quantity = 3
        let download = try AppTransactionID(number: AppTransactionID.numbers(in: .sandbox).lowerBound + 9)
        let payload = transaction.payload(in: .sandbox, appTransaction: download, signedAt: signedAt)
        #expect(payload.transactionId == transaction.id)
        #expect(payload.originalTransactionId == transaction.originalID)
        #expect(payload.bundleId == transaction.bundleID)
        #expect(payload.productId == transaction.productID)
        #expect(payload.type == .autoRenewable)
        #expect(payload.purchaseDate == transaction.purchaseDate)
        #expect(payload.originalPurchaseDate == transaction.originalPurchaseDate)
        #expect(payload.quantity == 3)
        #expect(payload.inAppOwnershipType == .purchased)
        #expect(payload.environment == .sandbox)
        #expect(payload.signedDate == signedAt)
        #expect(payload.storefront?.rawValue == "USA")
        #expect(payload.storefrontId?.description == "143441")
        #expect(payload.transactionReason == .purchase)
        #expect(payload.price == 1990)
        #expect(payload.currency?.rawValue == "USD")
        #expect(payload.appTransactionId == download)
        #expect(payload.webOrderLineItemId == transaction.webOrderLineItemID)
        #expect(payload.subscriptionGroupIdentifier == transaction.groupID)
        #expect(payload.expiresDate == transaction.expiresDate)
        #expect(payload.appAccountToken == transaction.accountToken)
        #expect(payload.revocationDate == nil && payload.revocationReason == nil && payload.revocationType == nil)
    }

    @Test("A payload tells what was taken back, and of a refund how much came back")
    func revoked() throws {
        var transaction = try SampleTransaction.consumable()
        let date = Instant(millisecondsSinceEpoch: 1_800_000_800_000)
        transaction.revocation = try TransactionRevocation(
            reason: .appIssue, revokedAt: date, refund: RefundID(number: 4))
        let refunded = transaction.payload(in: .production, appTransaction: nil, signedAt: signedAt)
        #expect(refunded.environment == .production)
        #expect(refunded.revocationDate == date)
        #expect(refunded.revocationReason == .appIssue)
        #expect(refunded.revocationType == .fullRefund)
        #expect(refunded.revocationPercentage == 100_000)
        transaction.revocation = TransactionRevocation(reason: .other, revokedAt: date)
        let withdrawn = transaction.payload(in: .production, appTransaction: nil, signedAt: signedAt)
        #expect(withdrawn.revocationReason == .other)
        #expect(withdrawn.revocationType == nil && withdrawn.revocationPercentage == nil)
    }

    @Test("A price of a currency without minor units is thousandths all the same")
    func yen() throws {
        var transaction = try SampleTransaction.consumable()
        transaction.price = Money(minorUnits: 160, currency: .jpy)
        #expect(transaction.payload(in: .sandbox, appTransaction: nil, signedAt: signedAt).price == 160_000)
    }
}
