/// How long an app takes to know what its customer owns.
struct EntitlementsRow: BenchmarkRow {
    static let all = [
        EntitlementsRow("cold", "the first time in a process"),
        EntitlementsRow("warm", "once more in the same process"),
    ]

    let name: String
    let summary: String
    let reference = "the same 10 000 signatures verified, and nothing else"
    private let isCold: Bool

    private init(_ word: String, _ when: String) {
        name = "storekit2-entitlements-\(word)"
        summary = "currentEntitlements of 10 000 transactions are read to the end, \(when); by the wall (aim 0.6)."
        isCold = word == "cold"
    }

    func prepare() throws -> Contest {
        let history = try LongHistory(isOwned: true)
        return Contest(
            ours: isCold ? EntitlementReadings.cold(history) : try EntitlementReadings.warm(history),
            reference: try EntitlementReadings.bare(history))
    }
}

/// How long an app with a long history takes to start that reads the sequence of updates.
struct UpdatesLaunchRow: BenchmarkRow {
    let name = "storekit2-launch"
    let summary =
        "The session of storekit-launch begins, and Transaction.updates brings the 500 that wait; by the wall (aim 1)."
    let reference = "the launch of storekit-launch"

    func prepare() throws -> Contest {
        let history = try LongHistory()
        return Contest(ours: UpdateLaunches.contestant(history), reference: UpdateLaunches.original(history))
    }
}
