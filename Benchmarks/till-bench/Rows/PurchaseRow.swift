/// A consumable is bought over the whole road, and all of it is durable.
struct PurchaseRow: BenchmarkRow {
    let name = "purchase"
    let summary =
        "64 clients buy consumables: opened, confirmed, paid at a processor of its own, finished; SQLite on disk, by the wall."
    let reference = "C: SQLite, the same rows and commits, 64 purchases at a time"

    private static let customers = 2000

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.customers)
        let processor = try ServerProcess(processorOf: store)
        return Contest(
            ours: try PurchaseClients(try ServerProcess(store), processor),
            reference: try PurchaseReference(try StoreFolder(customers: Self.customers)))
    }
}
