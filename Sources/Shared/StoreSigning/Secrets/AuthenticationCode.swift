import COpenSSL

/// Authenticates a message with a shared secret: HMAC (RFC 2104), with SHA-256 unless it is said otherwise.
package struct AuthenticationCode: Sendable {
    private static let blockBytes = 64

    private let inner: [UInt8]
    private let outer: [UInt8]
    private let digest: DigestAlgorithm

    /// - Parameter digest: one with blocks of 64 bytes; SHA-1 is for the codes of authenticator apps only.
    package init(secret: some Sequence<UInt8>, digest: DigestAlgorithm = .sha256) throws {
        self.digest = digest
        var key = Array(secret)
        if key.count > Self.blockBytes { key = try digest.digest(key) }
        key += [UInt8](repeating: 0, count: Self.blockBytes - key.count)
        inner = key.map { $0 ^ 0x36 }
        outer = key.map { $0 ^ 0x5C }
    }

    /// The bytes that only holders of the secret can compute: 32 of SHA-256.
    package func code(of message: some Sequence<UInt8>) throws -> [UInt8] {
        try digest.digest(outer + digest.digest(inner + message))
    }

    /// Whether a code is that of a message, compared in constant time.
    package func isGood(_ code: [UInt8], for message: some Sequence<UInt8>) throws -> Bool {
        SecretComparison.areEqual(code, try self.code(of: message))
    }
}

/// Compares secrets in constant time.
package enum SecretComparison {
    package static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        first.count == second.count && CRYPTO_memcmp(first, second, first.count) == 0
    }
}
