import StoreFoundation
import StoreSigning

/// Hashes and checks passwords, two at a time: each takes a tenth of a second and 32 MB, and a flood of them must not take
/// the machine.
actor PasswordQueue {
    /// How many run at a time.
    static let width = 2

    private let longest: Int
    private let scrypt: Scrypt
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(longest: Int, scrypt: Scrypt) {
        self.longest = longest
        self.scrypt = scrypt
    }

    /// Hashes a new password.
    func hash(_ password: String) async throws -> String {
        try await run { [scrypt] in try PasswordHash(password, scrypt: scrypt).text }
    }

    /// Whether a password is the one of a hash. Without a hash, and for a password that is too long for any, it takes as
    /// long.
    func matches(_ password: String, hash: String?) async throws -> Bool {
        try await run { [scrypt] in
            guard let hash, password.utf8.count <= PasswordHash.longestPassword else {
                _ = try PasswordHash(String(password.prefix(PasswordHash.longestPassword / 4)), scrypt: scrypt)
                return false
            }
            return try PasswordHash(text: hash).matches(password)
        }
    }

    private func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        if running < Self.width {
            running += 1
        } else {
            guard waiting.count < longest else {
                throw BackendError(
                    .tooManyRequests, "Too many passwords wait to be checked; try again in a moment.", retryAfter: 5)
            }
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
        }
        return try await OwnThread.run(named: "backend-password", body)
    }
}
