import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

@Suite("Receipts of transactions (R4.1)")
struct TransactionReceiptOfDeviceTests {
    private func receipt(
        _ purchased: StoreTransaction, in environment: StoreEnvironment = .sandbox
    ) async throws -> TransactionReceipt {
        let store = try await SampleStore()
        let device = try DeviceID(number: 3)
        return try await store.databases[environment].read { transaction in
            try Receipts.transactionReceipt(of: purchased, for: device, in: environment, in: transaction)
        }
    }

    @Test("A receipt says of a transaction what its row says")
    func fields() async throws {
        var purchased = try SampleTransaction.consumable(2)
        purchased.originalID = try SampleTransaction.id(1)
        purchased.originalPurchaseDate = Instant(millisecondsSinceEpoch: 1_790_000_000_456)
        purchased.quantity = 4
        let receipt = try await receipt(purchased)
        #expect(receipt.quantity == 4)
        #expect(receipt.productID == purchased.productID.text)
        #expect(receipt.transactionID == purchased.id.description)
        #expect(receipt.originalTransactionID == purchased.originalID.description)
        #expect(receipt.purchaseDate == purchased.purchaseDate)
        #expect(receipt.originalPurchaseDate == purchased.originalPurchaseDate)
        #expect(receipt.itemID == "1001" && receipt.bundleID == "com.example.monkey")
        #expect(receipt.applicationVersion == "2.1")
        // printf of the bytes 0 to 15, through sha1sum.
        #expect(receipt.uniqueIdentifier == "56178b86a57fac22899a9964185c2cc96e7da589")
        #expect(receipt.uniqueVendorIdentifier == SampleStore.vendorIdentifier)
        #expect(receipt.appItemID == nil && receipt.versionExternalIdentifier == nil)
        #expect(receipt.expirationDate == nil && receipt.isTrialPeriod == nil && receipt.webOrderLineItemID == nil)
    }

    @Test("That of a subscription has its period, and that of production names the app")
    func more() async throws {
        let purchased = try SampleTransaction.subscription(2)
        let receipt = try await receipt(purchased, in: .production)
        #expect(receipt.expirationDate == purchased.expiresDate)
        #expect(receipt.webOrderLineItemID == purchased.webOrderLineItemID?.description)
        #expect(receipt.isTrialPeriod == false)
        #expect(receipt.appItemID == "42" && receipt.versionExternalIdentifier == "0")
    }
}
