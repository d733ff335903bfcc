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

/// What a byte of the answer costs where there are ten thousand renewals, against where there are ten.
struct RenewalBytesRow: BenchmarkRow {
    let name = "verify-receipt-10000"
    let summary = "verifyReceipt of a customer with 10 000 renewals: bytes of answers per second."
    let reference = "the same of a customer with 10"

    func prepare() throws -> Contest {
        Contest(ours: try AnsweredBytes(renewals: RenewalsRow.renewals), reference: try AnsweredBytes(renewals: 10))
    }
}

/// `verifyReceipt` of a customer with so many renewals, one request after the other, counted in bytes of answers.
private final class AnsweredBytes: Contestant {
    private let requests: WrkContestant
    private let bytes: Int

    init(renewals: Int) throws {
        let store = try StoreFolder(customers: 100)
        try store.addRenewals(renewals)
        let bodies = try ReceiptBodies(store, of: [1], password: StoreFolder.sharedSecret)
        let server = try ServerProcess(store)
        bytes = try server.post("/verifyReceipt", "@\(bodies.path)").utf8.count
        requests = WrkContestant(server, "/verifyReceipt", clients: 1, bodies: bodies.path)
    }

    func run(seconds: Double) throws -> Rate {
        let rate = try requests.run(seconds: seconds)
        return Rate(operations: rate.operations * bytes, seconds: rate.seconds)
    }
}
