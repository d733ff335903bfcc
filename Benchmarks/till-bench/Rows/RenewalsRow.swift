/// What all but a hundredth of the requests take at most: `verifyReceipt` of a customer whose subscription was renewed ten thousand times.
struct RenewalsRow: BenchmarkRow {
    /// How long it may take, in seconds.
    static let limit = 0.05
    static let renewals = 10_000

    let name = "verify-receipt-renewals"
    let summary =
        "verifyReceipt of a customer with 10 000 renewals, all of them told: how many of the slowest fit a second."
    let reference = "the limit of 50 ms for 99 of 100"

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: 100)
        try store.addRenewals(Self.renewals)
        let bodies = try ReceiptBodies(store, of: [1], password: StoreFolder.sharedSecret)
        return Contest(
            ours: WrkContestant(
                try ServerProcess(store), "/verifyReceipt", clients: 1, figure: .slowest, bodies: bodies.path),
            reference: FixedRate(Rate(operations: 1, seconds: Self.limit)))
    }
}
