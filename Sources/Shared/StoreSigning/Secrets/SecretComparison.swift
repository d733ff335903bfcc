import COpenSSL

/// Compares secrets in a time that does not tell where they differ.
package enum SecretComparison {
    package static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        first.count == second.count && CRYPTO_memcmp(first, second, first.count) == 0
    }
}
