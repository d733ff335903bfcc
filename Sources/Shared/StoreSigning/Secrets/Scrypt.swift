import COpenSSL

/// The scrypt function: turns a password into a key at a price in time and memory.
package struct Scrypt: Hashable, Sendable {
    /// Binary logarithm of the cost.
    package let logarithmicCost: Int
    package let blockSize: Int
    package let parallelism: Int

    /// What new passwords are hashed with: 32 MB and about a tenth of a second.
    package static let standard = Scrypt(known: 15, blockSize: 8, parallelism: 1)

    /// The most memory one derivation may take.
    package static let largestMemory = 256 * 1024 * 1024

    private init(known logarithmicCost: Int, blockSize: Int, parallelism: Int) {
        self.logarithmicCost = logarithmicCost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Parameters from elsewhere; refused if they ask for more memory than ``largestMemory``.
    package init(logarithmicCost: Int, blockSize: Int, parallelism: Int) throws {
        guard (1...24).contains(logarithmicCost), (1...32).contains(blockSize), (1...16).contains(parallelism) else {
            throw SigningError(.malformed, "scrypt parameters are out of range")
        }
        self.init(known: logarithmicCost, blockSize: blockSize, parallelism: parallelism)
        guard memory <= Self.largestMemory else {
            throw SigningError(.tooLarge, "scrypt parameters ask for more than \(Self.largestMemory >> 20) MB")
        }
    }

    /// The memory that one derivation takes, in bytes.
    package var memory: Int { 128 * blockSize * ((1 << logarithmicCost) + parallelism + 2) }

    /// Derives a key.
    package func derive(password: [UInt8], salt: [UInt8], count: Int) throws -> [UInt8] {
        var key = [UInt8](repeating: 0, count: count)
        let result = password.withUnsafeBytes { bytes in
            EVP_PBE_scrypt(
                bytes.bindMemory(to: CChar.self).baseAddress, password.count, salt, salt.count,
                UInt64(1) << UInt64(logarithmicCost), UInt64(blockSize), UInt64(parallelism), UInt64(memory), &key,
                count)
        }
        try OpenSSLFailure.check(result, "deriving a key with scrypt")
        return key
    }
}
