import StoreDatabase
import StoreFoundation
import StoreModel
import StoreSigning

/// Hashes and checks passwords, two at a time: each takes a tenth of a second and 32 MB, and a flood of them must not take
/// the machine.
package actor PasswordGate {
    /// How many run at a time.
    package static let width = 2
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private let longestQueue: Int

    /// - Parameter longestQueue: how many may wait; more are told to come back.
    package init(longestQueue: Int = 200) {
        self.longestQueue = longestQueue
    }

    /// Hashes a new password.
    package func hash(_ password: String) async throws -> String {
        try await pass { try PasswordHash(password).text }
    }

    /// Whether a password is the one of a hash. Without a hash it takes as long, so that nobody learns which accounts
    /// there are.
    package func matches(_ password: String, hash: String?) async throws -> Bool {
        try await pass {
            guard let hash else {
                _ = try PasswordHash(String(password.prefix(PasswordHash.longestPassword / 4)))
                return false
            }
            return try PasswordHash(text: hash).matches(password)
        }
    }

    private func pass<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        if running >= Self.width {
            guard waiting.count < longestQueue else {
                throw ServiceError(.tooMany, "too many passwords wait to be checked; try again in a moment")
            }
            await withCheckedContinuation { waiting.append($0) }
        } else {
            running += 1
        }
        defer {
            if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
        }
        return try await OwnThread.run(named: "till-blocking", body)
    }
}
