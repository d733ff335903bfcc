import COpenSSL

/// A password hash: salted, and expensive to guess.
///
/// The text form is the one of the PHC string format, `$scrypt$ln=15,r=8,p=1$salt$key`, in Base64 without padding.
package struct PasswordHash: Hashable, Sendable {
    private let scrypt: Scrypt
    private let salt: [UInt8]
    private let key: [UInt8]

    private static let saltBytes = 16
    private static let keyBytes = 32
    private static let longestText = 256
    /// The longest password, in bytes of UTF-8: a longer one is not typed, and hashing it must not be a way to attack.
    package static let longestPassword = 1024

    /// Hashes a new password.
    package init(_ password: String, scrypt: Scrypt = .standard, random: RandomBytes = RandomBytes()) throws {
        try self.init(password, scrypt: scrypt, salt: random(Self.saltBytes))
    }

    init(_ password: String, scrypt: Scrypt, salt: [UInt8]) throws {
        guard password.utf8.count <= Self.longestPassword else {
            throw SigningError(.tooLarge, "the password exceeds \(Self.longestPassword) bytes")
        }
        self.scrypt = scrypt
        self.salt = salt
        key = try scrypt.derive(password: Array(password.utf8), salt: salt, count: Self.keyBytes)
    }

    /// Whether this is the password that was hashed.
    package func matches(_ password: String) throws -> Bool {
        guard password.utf8.count <= Self.longestPassword else { return false }
        let derived = try scrypt.derive(password: Array(password.utf8), salt: salt, count: key.count)
        return SecretComparison.areEqual(derived, key)
    }

    /// Whether it was made with other parameters than new passwords are; hash again at the next sign-in.
    package var isOutdated: Bool { scrypt != .standard }

    package var text: String {
        func encode(_ bytes: [UInt8]) -> String { String(Base64.encode(bytes).prefix { $0 != "=" }) }
        let parameters = "ln=\(scrypt.logarithmicCost),r=\(scrypt.blockSize),p=\(scrypt.parallelism)"
        return "$scrypt$\(parameters)$\(encode(salt))$\(encode(key))"
    }

    /// Reads the text form.
    package init(text: String) throws {
        let malformed = SigningError(.malformed, "the password hash is not of the form $scrypt$ln=,r=,p=$salt$key")
        guard text.utf8.count <= Self.longestText else { throw malformed }
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].isEmpty, fields[1] == "scrypt",
            let salt = Self.decode(fields[3]), let key = Self.decode(fields[4]), !salt.isEmpty, key.count >= 16
        else { throw malformed }
        let parameters = fields[2].split(separator: ",", omittingEmptySubsequences: false)
        let numbers = zip(["ln=", "r=", "p="], parameters).compactMap { name, field in
            field.hasPrefix(name) ? Int(field.dropFirst(name.count)) : nil
        }
        guard parameters.count == 3, numbers.count == 3 else { throw malformed }
        scrypt = try Scrypt(logarithmicCost: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
        self.salt = salt
        self.key = key
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        Base64.decode(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}

/// The scrypt function: turns a password into a key at a cost in time and memory.
package struct Scrypt: Hashable, Sendable {
    /// Binary logarithm of the cost.
    package let logarithmicCost: Int
    package let blockSize: Int
    package let parallelism: Int

    /// The parameters for new passwords: 32 MB and about a tenth of a second.
    package static let standard = Scrypt(known: 15, blockSize: 8, parallelism: 1)

    /// Cheap parameters, for tests and stores in memory.
    package static let quick = Scrypt(known: 4, blockSize: 8, parallelism: 1)

    /// The most memory one derivation may take.
    package static let largestMemory = 256 * 1024 * 1024

    private init(known logarithmicCost: Int, blockSize: Int, parallelism: Int) {
        self.logarithmicCost = logarithmicCost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Parameters from stored text; refused if they ask for more memory than ``largestMemory``.
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
