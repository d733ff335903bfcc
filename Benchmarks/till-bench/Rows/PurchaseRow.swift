/// A consumable is bought over the whole road, and all of it is durable.
struct PurchaseRow: BenchmarkRow {
    let name: String
    let summary =
        "64 clients buy consumables: opened, confirmed, paid at a processor of its own, finished; SQLite on disk, by the wall."
    let reference: String
    /// How many purchases of the reference share a commit.
    private let together: Int

    /// Against one that always has all clients in one commit, which is more than any store can hope for.
    static let inLockstep = PurchaseRow(
        name: "purchase", reference: "C: SQLite, the same rows and commits, 64 purchases at a time",
        together: StoreFolder.clients)
    /// Against SQLite as it is without further means: each change is a commit, and durable before the next begins.
    static let oneByOne = PurchaseRow(
        name: "purchase-one-by-one", reference: "C: SQLite, the same rows and commits, one purchase at a time",
        together: 1)

    private static let customers = 2000

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.customers)
        let processor = try ServerProcess(processorOf: store)
        return Contest(
            ours: try PurchaseClients(try ServerProcess(store), processor),
            reference: try PurchaseReference(try StoreFolder(customers: Self.customers), together: together))
    }
}
