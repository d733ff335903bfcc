public import Foundation
import StoreFoundation
import StoreSigning

/// Why a vault could not be opened, read or changed. Its text is safe to log, and says what to do.
public struct VaultError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors. More may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word by which logs know the code.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Bytes of the record were changed or are missing. What is intact can be read; see ``Vault/damage``.
        public static let damaged = Code(rawValue: "damaged")
        /// The key of the record is not on this machine, and no recovery passphrase was given that opens it.
        public static let keyMissing = Code(rawValue: "key_missing")
        /// The recovery passphrase is another one, or none was set.
        public static let wrongPassphrase = Code(rawValue: "wrong_passphrase")
        /// The Secret Service was asked for, and does not answer.
        public static let secretServiceUnavailable = Code(rawValue: "secret_service_unavailable")
        /// The balance does not reach.
        public static let balanceTooLow = Code(rawValue: "balance_too_low")
        /// The balance comes from a backup, and nobody has confirmed it since.
        public static let staleBalance = Code(rawValue: "stale_balance")
        /// A value breaks a rule, which the message names.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// A limit is exceeded, which the message names.
        public static let tooLarge = Code(rawValue: "too_large")
        /// A file could not be read or written, or is open to others.
        public static let file = Code(rawValue: "file")
        /// OpenSSL refused.
        public static let cryptography = Code(rawValue: "cryptography")
    }

    /// The kind of error.
    public var code: Code
    /// What happened, why, and what to do.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// The message.
    public var errorDescription: String? { message }

    /// Turns the errors of what lies below into those of the vault; others pass.
    static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as FileFailure {
            throw VaultError(.file, failure.description)
        } catch let error as SigningError {
            let codes: [SigningError.Code: Code] = [
                .keyStore: .file, .tooLarge: .tooLarge, .wrongPassphrase: .wrongPassphrase,
            ]
            throw VaultError(codes[error.code] ?? .cryptography, error.message)
        }
    }
}

/// The limits of a vault.
public enum VaultLimits {
    /// The bytes of a name: of a vault, of what is unlocked, of a balance, of a transaction.
    public static let nameBytes = 256
    /// The most bytes of what is kept of a delivery.
    package static let textBytes = 2048
    /// What one vault keeps: unlocks, balances, deliveries and what is kept of them.
    public static let entries = 100_000
    /// The bytes of a record; one that is larger is not read.
    public static let recordBytes = 64 * 1024 * 1024
    /// The fewest characters of a recovery passphrase.
    public static let shortestPassphrase = 8
    /// The most bytes of a recovery passphrase.
    public static let passphraseBytes = 1024
    /// How many damaged records are set aside beside the one in use.
    public static let damagedRecords = 100
    /// The bytes of one entry in a record.
    static let entryBytes = 4096
}
