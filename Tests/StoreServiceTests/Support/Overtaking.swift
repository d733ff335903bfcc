import Dispatch
import Synchronization
import TestSupport

/// Lets something whole happen in the middle of a transaction that runs already.
final class Overtaking: Sendable {
    private let begun = Observed(0)
    private let over = DispatchSemaphore(value: 0)

    /// How often the transaction has run.
    var runs: Int { begun.value }

    /// What the transaction calls once it has read what it decides by. Only its first run is overtaken.
    func letBy() {
        begun.update { $0 += 1 }
        if runs == 1 { over.wait() }
    }

    /// Waits for the transaction to begin, and lets it go on afterwards.
    func go(_ body: () async throws -> Void) async throws {
        defer { over.signal() }
        try await begun.wait { $0 > 0 }
        try await body()
    }
}
