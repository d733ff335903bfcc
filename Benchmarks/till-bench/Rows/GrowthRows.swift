/// The stores of the rows about growth: with ten thousand transactions and with a million.
enum GrownStores {
    static func small() throws -> StoreFolder { try StoreFolder(customers: 2000) }
    static func large() throws -> StoreFolder { try StoreFolder(customers: 200_000) }
}

/// What a million transactions do to a purchase.
struct PurchaseGrowthRow: BenchmarkRow {
    let name = "purchase-growth"
    let summary = "The speed of purchases with 1 000 000 transactions in the database, as a share of that with 10 000."
    let reference = "C: SQLite's own share, writing the same rows"

    func prepare() throws -> Contest {
        func clients(_ store: StoreFolder) throws -> PurchaseClients {
            let processor = try ServerProcess(processorOf: store)
            return try PurchaseClients(try ServerProcess(store), processor)
        }
        let (small, large) = try (GrownStores.small(), GrownStores.large())
        let (otherSmall, otherLarge) = try (small.copy(), large.copy())
        return Contest(
            ours: Growth(small: try clients(small), large: try clients(large)),
            reference: Growth(
                small: try PurchaseReference(otherSmall, together: StoreFolder.clients),
                large: try PurchaseReference(otherLarge, together: StoreFolder.clients)))
    }
}

/// What a million transactions do to `verifyReceipt`.
struct VerifyReceiptGrowthRow: BenchmarkRow {
    let name = "verify-receipt-growth"
    let summary =
        "The speed of verifyReceipt with 1 000 000 transactions in the database, as a share of that with 10 000."
    let reference = "C: SQLite's own share, asking the same"

    func prepare() throws -> Contest {
        func requests(_ store: StoreFolder) throws -> WrkContestant {
            WrkContestant(
                try ServerProcess(store), "/verifyReceipt", clients: 64, bodies: try ReceiptBodies(store).path)
        }
        let (small, large) = try (GrownStores.small(), GrownStores.large())
        return Contest(
            ours: Growth(small: try requests(small), large: try requests(large)),
            reference: Growth(small: try LookupReference(small), large: try LookupReference(large)))
    }
}
