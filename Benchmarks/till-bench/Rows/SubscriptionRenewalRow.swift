/// Subscriptions renew by themselves while a clock is advanced, against customers who buy.
struct SubscriptionRenewalRow: BenchmarkRow {
    let name = "renewals"
    let summary =
        "2000 monthly subscriptions are renewed by an advance of the clock, each paid at a processor of its own; SQLite on disk."
    let reference = "64 clients buy consumables at the same store, as in `purchase`"

    private static let subscribers = 2000

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.subscribers)
        let processor = try ServerProcess(processorOf: store)
        return Contest(
            ours: try SubscribedStore(subscribers: Self.subscribers),
            reference: try PurchaseClients(try ServerProcess(store), processor))
    }
}
