import CSecret
import Foundation
import StoreFoundation
import StoreSigning

/// Where a new key is kept.
public struct VaultKeyPlace: RawRepresentable, Hashable, Sendable {
    /// The word for the place.
    public let rawValue: String

    /// Makes a place from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// In the Secret Service if it answers, otherwise in a file.
    public static let automatic = VaultKeyPlace(rawValue: "automatic")
    /// In the Secret Service, which encrypts it under the person's login: GNOME Keyring, KWallet, KeePassXC.
    public static let secretService = VaultKeyPlace(rawValue: "secret_service")
    /// In a file beside the record that only its owner may read. It is in every backup of the record.
    public static let file = VaultKeyPlace(rawValue: "file")
}

/// Where the key came from that opened a vault.
public struct VaultKeySource: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The word for the source.
    public let rawValue: String

    /// Makes a source from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The Secret Service.
    public static let secretService = VaultKeySource(rawValue: "secret_service")
    /// The file beside the record.
    public static let file = VaultKeySource(rawValue: "file")
    /// The recovery passphrase. The key is back in its place then, and the next opening needs no passphrase.
    public static let recoveryPassphrase = VaultKeySource(rawValue: "recovery_passphrase")
    /// It was made: the vault is new.
    public static let new = VaultKeySource(rawValue: "new")

    /// The source in words for a log.
    public var description: String {
        switch self {
        case .secretService: "the Secret Service"
        case .file: "the file beside the record"
        case .recoveryPassphrase: "the recovery passphrase"
        case .new: "a new key"
        default: rawValue
        }
    }
}

/// The key of a vault.
struct VaultKey: Hashable, Sendable {
    private static let word = "till-vault-key-1"
    private static let saltBytes = 16
    /// Salt, three parameters, nonce, key, tag.
    static let recoveryBytes = saltBytes + 3 + AESGCM.nonceBytes + AESGCM.keyBytes + AESGCM.tagBytes

    let identity: [UInt8]
    let bytes: [UInt8]

    var name: String { Self.hexadecimal(identity) }

    init(random: RandomBytes = RandomBytes()) throws {
        identity = try random(VaultHeader.identityBytes)
        bytes = try random(AESGCM.keyBytes)
    }

    private init(identity: [UInt8], bytes: [UInt8]) {
        self.identity = identity
        self.bytes = bytes
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    // MARK: As text

    /// The line that the file and the Secret Service keep, with a digest by which damage is known.
    var text: String {
        get throws {
            let line = "\(Self.word) \(name) \(Base64.encode(bytes))"
            return try "\(line) \(Self.digest(line))"
        }
    }

    /// Reads the line; nil if one character of it is another.
    init?(text: String) throws {
        let words = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: " ").map(String.init)
        guard words.count == 4, words[0] == Self.word, let bytes = Base64.decode(words[2]),
            bytes.count == AESGCM.keyBytes, words[1].utf8.count == VaultHeader.identityBytes * 2,
            try Self.digest(words[0...2].joined(separator: " ")) == words[3]
        else { return nil }
        let digits = Array(words[1].utf8)
        let identity = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        guard identity.count == VaultHeader.identityBytes else { return nil }
        self.init(identity: identity, bytes: bytes)
    }

    private static func digest(_ line: String) throws -> String {
        hexadecimal(Array(try DigestAlgorithm.sha256.digest(Array(line.utf8)).prefix(8)))
    }

    // MARK: Under a passphrase

    /// The key, sealed under a recovery passphrase.
    func sealed(under passphrase: String, scrypt: Scrypt) throws -> [UInt8] {
        let salt = try RandomBytes()(Self.saltBytes)
        let key = try scrypt.derive(password: Array(passphrase.utf8), salt: salt, count: AESGCM.keyBytes)
        let parameters = [scrypt.logarithmicCost, scrypt.blockSize, scrypt.parallelism].map(UInt8.init(clamping:))
        return try salt + parameters + AESGCM(key: key).seal(bytes, context: identity)
    }

    /// Opens what ``sealed(under:scrypt:)`` made; nil if the passphrase is another one.
    init?(_ sealed: [UInt8], of identity: [UInt8], passphrase: String) throws {
        guard sealed.count == Self.recoveryBytes, passphrase.utf8.count <= VaultLimits.passphraseBytes else {
            return nil
        }
        let salt = Array(sealed.prefix(Self.saltBytes))
        let numbers = sealed[Self.saltBytes..<Self.saltBytes + 3].map(Int.init)
        guard
            let scrypt = try? Scrypt(
                logarithmicCost: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
        else { return nil }
        let key = try scrypt.derive(password: Array(passphrase.utf8), salt: salt, count: AESGCM.keyBytes)
        let body = Array(sealed.dropFirst(Self.saltBytes + 3))
        guard let bytes = try? AESGCM(key: key).open(body, context: identity) else { return nil }
        self.init(identity: identity, bytes: bytes)
    }
}

/// Keeps short secrets for vaults.
protocol SecretKeeper: Sendable {
    /// The secret of a vault; nil if there is none.
    func secret(of vault: String) throws -> String?
    func keep(_ secret: String, of vault: String, label: String) throws
}

/// The Secret Service of the desktop session, through libsecret. It may ask the person to unlock it.
struct SecretService: SecretKeeper {
    private static let reasonBytes = 512
    private static let secretBytes = 512

    func secret(of vault: String) throws -> String? {
        var (secret, reason) = ([CChar](repeating: 0, count: Self.secretBytes), Self.noReason)
        defer { for index in secret.indices { secret[index] = 0 } }
        switch Int(till_secret_lookup(vault, &secret, secret.count, &reason, reason.count)) {
        case TILL_SECRET_DONE: return Self.text(secret)
        case TILL_SECRET_MISSING: return nil
        default: throw Self.error(reason)
        }
    }

    func keep(_ secret: String, of vault: String, label: String) throws {
        var reason = Self.noReason
        let answer = till_secret_store(vault, label, secret, &reason, reason.count)
        guard Int(answer) == TILL_SECRET_DONE else { throw Self.error(reason) }
    }

    private static var noReason: [CChar] { [CChar](repeating: 0, count: reasonBytes) }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func error(_ reason: [CChar]) -> VaultError {
        VaultError(.secretServiceUnavailable, "the Secret Service does not answer: \(text(reason))")
    }
}
