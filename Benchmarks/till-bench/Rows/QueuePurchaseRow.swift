/// What StoreKit adds to the requests of a purchase.
struct QueuePurchaseRow: BenchmarkRow {
    let name = "storekit-purchase"
    let summary = "From add(payment) to the callback with .purchased, one purchase after the other, over loopback."
    let reference = "the bare requests: opened, confirmed, both receipts; by the same client"

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: StoreFolder.clients)
        try store.addAccounts()
        let processor = try ServerProcess(processorOf: store)
        let server = try ServerProcess(store)
        return Contest(
            ours: try QueuePurchases(server, processor, BenchDevice(of: store, port: server.port)),
            reference: try BarePurchases(server, BenchDevice(of: store, port: server.port)))
    }
}
