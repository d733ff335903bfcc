import StoreCatalogue
import StoreDatabase
import StoreFoundation
package import StoreModel
package import StoreSigning

/// Hashes and checks passwords, two at a time: each takes a tenth of a second and 32 MB, and a flood of them must not take
/// the machine.
///
/// Operators have the next turn; the environments share what is left, so that the sandbox does not hold up production.
package actor PasswordGate {
    /// How many run at a time.
    package static let width = 2

    /// Who waits for a turn.
    // Closed: the gate has to say who comes first.
    package enum Asker: Hashable, Sendable {
        case operators
        case customers(StoreEnvironment)
    }

    private var running = 0
    private var queue = Queue<CheckedContinuation<Void, Never>>()

    private let longestQueue: Int
    private let scrypt: Scrypt

    /// - Parameters:
    ///   - longestQueue: how many may wait of each kind; more are told to come back.
    ///   - scrypt: at what cost new passwords are hashed.
    package init(longestQueue: Int = 200, scrypt: Scrypt = .standard) {
        self.longestQueue = longestQueue
        self.scrypt = scrypt
    }

    /// Hashes a new password.
    package func hash(_ password: String, for asker: Asker) async throws -> String {
        try await pass(asker) { [scrypt] in try PasswordHash(password, scrypt: scrypt).text }
    }

    /// Whether a password is the one of a hash. Without a hash, and for a password that is too long for any, it takes as long,
    /// so that nobody learns which accounts there are.
    package func matches(_ password: String, hash: String?, for asker: Asker) async throws -> Bool {
        try await pass(asker) { [scrypt] in
            guard let hash, password.utf8.count <= PasswordHash.longestPassword else {
                _ = try PasswordHash(String(password.prefix(PasswordHash.longestPassword / 4)), scrypt: scrypt)
                return false
            }
            return try PasswordHash(text: hash).matches(password)
        }
    }

    private func pass<Result: Sendable>(
        _ asker: Asker, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        if running >= Self.width {
            guard queue.count(of: asker) < longestQueue else {
                throw ServiceError(
                    .tooMany, "too many passwords wait to be checked; try again in a moment", retryAfter: .seconds(5))
            }
            await withCheckedContinuation { queue.append($0, of: asker) }
        } else {
            running += 1
        }
        defer {
            if let next = queue.next() { next.resume() } else { running -= 1 }
        }
        return try await OwnThread.run(named: "till-blocking", body)
    }

    /// Who waits, in the order of their turns.
    package struct Queue<Waiter> {
        private var waiting: [Asker: [Waiter]] = [:]
        /// The environment whose customers had the last turn.
        private var last = StoreEnvironment.sandbox

        package init() {}

        func count(of asker: Asker) -> Int { waiting[asker, default: []].count }

        package mutating func append(_ waiter: Waiter, of asker: Asker) { waiting[asker, default: []].append(waiter) }

        package mutating func next() -> Waiter? {
            let other: StoreEnvironment = last == .sandbox ? .production : .sandbox
            for asker in [.operators, .customers(other), .customers(last)] as [Asker] {
                guard let first = waiting[asker]?.first else { continue }
                waiting[asker]?.removeFirst()
                if case .customers(let environment) = asker { last = environment }
                return first
            }
            return nil
        }
    }
}
