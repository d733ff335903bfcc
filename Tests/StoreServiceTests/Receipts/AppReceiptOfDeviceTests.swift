import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

@Suite("App receipts of devices (R4.1, P17, P36)")
struct AppReceiptOfDeviceTests {
    private let instant = Instant(millisecondsSinceEpoch: 1_801_000_000_000)
    private let opaque = [UInt8](repeating: 9, count: Receipts.opaqueBytes)

    private func receipt(
        _ store: SampleStore, device: Int64 = 3, in environment: StoreEnvironment = .sandbox
    ) async throws -> AppReceipt {
        let id = try DeviceID(number: device)
        return try await store.databases[environment].read { [opaque, instant] transaction in
            try Receipts.appReceipt(
                of: id, in: environment, opaqueValue: opaque, at: instant, in: transaction)
        }
    }

    @Test("A receipt is there before anything was bought and without anybody signed in")
    func empty() async throws {
        let store = try await SampleStore()
        try await store.addDevice(8, customer: nil, in: .sandbox)
        try await store.add([SampleTransaction.consumable()])
        let receipt = try await receipt(store, device: 8)
        #expect(receipt.purchases == [])
        #expect(receipt.bundleID == "com.example.monkey" && receipt.applicationVersion == "2.1")
        #expect(receipt.creationDate == instant && receipt.opaqueValue == opaque)
    }

    @Test("Receipts of the sandbox have its constants")
    func sandbox() async throws {
        let receipt = try await receipt(SampleStore())
        #expect(receipt.type == .sandbox)
        #expect(receipt.appID == 0 && receipt.downloadID == 0 && receipt.versionExternalIdentifier == 0)
        #expect(receipt.originalPurchaseDate?.gmtText == "2013-08-01 07:00:00 Etc/GMT")
        #expect(receipt.originalApplicationVersion == "1.0")
    }

    @Test("Receipts of production name the app, the download and how it all began")
    func production() async throws {
        let receipt = try await receipt(SampleStore(), in: .production)
        #expect(receipt.type == .production)
        #expect(receipt.appID == 42)
        #expect(receipt.downloadID == AppTransactionID.numbers(in: .production).lowerBound + 3)
        #expect(receipt.originalPurchaseDate == SampleStore.registeredAt)
        #expect(receipt.originalApplicationVersion == "1.4")
    }

    @Test("A receipt belongs to its device, and to no other (R4.3)")
    func device() async throws {
        let receipt = try await receipt(SampleStore())
        #expect(try receipt.belongs(toDevice: SampleStore.deviceIdentifier))
        #expect(try !receipt.belongs(toDevice: Array(1...16)))
    }

    @Test("A purchase stands in the receipt as it does in the books")
    func purchase() async throws {
        let store = try await SampleStore()
        var renewal = try SampleTransaction.subscription(2)
        renewal.originalID = try SampleTransaction.id(1)
        renewal.originalPurchaseDate = Instant(millisecondsSinceEpoch: 1_790_000_000_000)
        renewal.quantity = 2
        try await store.add([renewal])
        try await store.revoke(renewal.id, .appIssue, at: Instant(millisecondsSinceEpoch: 1_800_500_000_000))
        let purchase = try #require(try await receipt(store).purchases.first)
        #expect(purchase.quantity == 2)
        #expect(purchase.productID == "com.example.monkey.monthly")
        #expect(purchase.transactionID == renewal.id.description)
        #expect(purchase.originalTransactionID == renewal.originalID.description)
        #expect(purchase.purchaseDate == renewal.purchaseDate)
        #expect(purchase.originalPurchaseDate == renewal.originalPurchaseDate)
        #expect(purchase.kind == .autoRenewable)
        #expect(purchase.expirationDate == renewal.expiresDate)
        #expect(purchase.webOrderLineItemID == renewal.webOrderLineItemID?.number)
        #expect(purchase.cancellationDate == Instant(millisecondsSinceEpoch: 1_800_500_000_000))
        #expect(purchase.cancellationReason == 1)
        #expect(purchase.isTrialPeriod == false && purchase.isInIntroductoryPeriod == false)
    }

    @Test("Consumables stay until they are finished, everything else for good, and a restore is not told twice")
    func finished() async throws {
        let store = try await SampleStore()
        var all: [StoreTransaction] = []
        let kinds: [ProductKind] = [.consumable, .consumable, .nonConsumable, .nonRenewing, .autoRenewable]
        for (index, kind) in kinds.enumerated() {
            var one = try SampleTransaction.consumable(Int64(index + 1))
            one.kind = kind
            all.append(one)
        }
        var restore = all[2]
        restore.id = try SampleTransaction.id(6)
        restore.restoredID = all[2].id
        restore.orderID = nil
        try await store.add(all + [restore])
        for one in all where one.id != all[0].id { try await store.finish(one.id) }
        let listed = try await receipt(store).purchases
        #expect(listed.map(\.transactionID) == [all[0], all[2], all[3], all[4]].map(\.id.description))
        #expect(listed.map(\.kind) == [.consumable, .nonConsumable, .nonRenewing, .autoRenewable])
    }

    @Test("Nothing of another customer or another app is in it")
    func others() async throws {
        let store = try await SampleStore()
        try await store.addCustomer(8, in: .sandbox)
        var ofOther = try SampleTransaction.consumable(1)
        ofOther.customerID = try CustomerID(number: 8)
        var elsewhere = try SampleTransaction.consumable(2)
        elsewhere.appID = try AppID(number: 43)
        try await store.add([ofOther, elsewhere])
        #expect(try await receipt(store).purchases == [])
    }

    @Test("A long subscription pushes nothing out: the newest periods are listed, and all else")
    func many() async throws {
        let store = try await SampleStore()
        var all = [try SampleTransaction.consumable(1)]
        all[0].kind = .nonConsumable
        for number in 2...Int64(ReceiptLimits.periods + 4) {
            all.append(try SampleTransaction.subscription(number))
            all[all.count - 1].orderID = try SaleID(number: number)
        }
        try await store.add(all)
        let listed = try await receipt(store).purchases.map(\.transactionID)
        #expect(listed.count == ReceiptLimits.periods + 1)
        #expect(listed.first == all[0].id.description)
        #expect(listed.last == all.last?.id.description)
        #expect(!listed.contains(all[3].id.description) && listed.contains(all[4].id.description))
    }
}
