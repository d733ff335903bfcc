/// How long a test waits for its session.
struct TestSessionRow: BenchmarkRow {
    let name = "test-sessions"
    let summary = "A session of StoreKitTest is made and let go, one after the other; by the wall (aim 0.5)."
    let reference = "SQLite: three databases in memory with the same migrations"

    func prepare() throws -> Contest {
        let sessions = try TestSessions()
        let ours = WallContestant { clock in try clock.measure { _ = try sessions.make() } }
        return Contest(ours: ours, reference: try MemoryMigrations.contestant())
    }
}

/// How much memory tests take that run side by side.
struct TestSessionMemoryRow: BenchmarkRow {
    private static let count = 200
    /// In bytes.
    private static let limit = 2_000_000_000

    let name = "test-session-memory"
    let summary = "A process with 200 sessions of StoreKitTest: how many fit into a gigabyte of memory."
    let reference = "the limit of 2 GB"

    func prepare() throws -> Contest {
        Contest(
            ours: TestSessionMemory(Self.count),
            reference: FixedRate(Rate(operations: 1, seconds: Double(Self.limit) / 1e9)))
    }
}

/// What StoreKit 2 adds to the requests of a purchase.
struct PurchaseCallRow: BenchmarkRow {
    let name = "storekit2-purchase"
    let summary =
        "A call of purchase(), one after the other, with the store in the same process; by the wall (aim 0.7)."
    let reference = "the bare requests over the same transport: opened, confirmed, both receipts"

    func prepare() throws -> Contest {
        let sessions = try TestSessions()
        return Contest(ours: try PurchaseCalls.contestant(sessions), reference: try PurchaseCalls.bare(sessions))
    }
}
