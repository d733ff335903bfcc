/// Proves with a shared secret who a message is from: HMAC (RFC 2104) with SHA-256.
package struct AuthenticationCode: Sendable {
    private static let blockBytes = 64

    private let inner: [UInt8]
    private let outer: [UInt8]

    package init(secret: some Sequence<UInt8>) throws {
        var key = Array(secret)
        if key.count > Self.blockBytes { key = try DigestAlgorithm.sha256.digest(key) }
        key += [UInt8](repeating: 0, count: Self.blockBytes - key.count)
        inner = key.map { $0 ^ 0x36 }
        outer = key.map { $0 ^ 0x5C }
    }

    /// The 32 bytes that only those can make who know the secret.
    package func code(of message: some Sequence<UInt8>) throws -> [UInt8] {
        let digest = DigestAlgorithm.sha256
        return try digest.digest(outer + digest.digest(inner + message))
    }

    /// Whether a code is that of a message, in a time that does not tell how nearly.
    package func isGood(_ code: [UInt8], for message: some Sequence<UInt8>) throws -> Bool {
        SecretComparison.areEqual(code, try self.code(of: message))
    }
}
