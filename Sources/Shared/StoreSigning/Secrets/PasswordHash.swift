/// A password as it may be kept: salted, and expensive to guess.
///
/// The text form is the one of the PHC string format, `$scrypt$ln=15,r=8,p=1$salt$key`, in Base64 without padding.
package struct PasswordHash: Hashable, Sendable {
    private let scrypt: Scrypt
    private let salt: [UInt8]
    private let key: [UInt8]

    private static let saltBytes = 16
    private static let keyBytes = 32
    private static let longestText = 256
    /// The longest password, in bytes of UTF-8: nobody types more, and hashing it must not become an attack.
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
