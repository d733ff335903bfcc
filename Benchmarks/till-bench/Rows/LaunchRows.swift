import StoreKit
import StoreModel
import StoreSigning

/// How long an app with a long history takes to start.
struct LaunchRow: BenchmarkRow {
    let name = "storekit-launch"
    let summary =
        "A session begins with 10 000 transactions in its journal, and tells of the 500 that are not finished, verified."
    let reference = "these 500 verified, and nothing else"

    func prepare() throws -> Contest {
        let history = try LongHistory()
        let waiting = history.waiting
        let roots = try history.roots
        let reference = LoopContestant(batch: 4) { _ in
            let verifier = try JWSVerifier(roots: roots)
            for signed in waiting { _ = try verifier.verify(signed) }
        }
        return Contest(ours: Launches(history), reference: reference)
    }
}

/// How much memory an app with a long history takes.
struct LaunchMemoryRow: BenchmarkRow {
    /// In bytes.
    static let limit = 60_000_000

    let name = "storekit-memory"
    let summary = "A process that has begun such a session: how many fit into a gigabyte of memory."
    let reference = "the limit of 60 MB"

    func prepare() throws -> Contest {
        Contest(
            ours: LaunchMemory(try LongHistory()),
            reference: FixedRate(Rate(operations: 1, seconds: Double(Self.limit) / 1e9)))
    }
}
