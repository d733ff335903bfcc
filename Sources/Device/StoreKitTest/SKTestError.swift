// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import StoreKit

/// The domain of the errors of test sessions.
public let SKTestErrorDomain: String = "SKTestErrorDomain"

/// Why a test session could not do what it was asked.
public struct SKTestError: CustomNSError, _BridgedStoredNSError, LocalizedError {
    /// The reasons.
    // Closed: these are the cases that Apple's platforms have.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The errors that these codes belong to.
        public typealias _ErrorType = SKTestError

        /// The store of the session cannot do its work.
        case serviceUnavailable = 0
        /// The configuration has no product of this identifier, or the storefront does not sell it.
        case invalidProductIdentifier = 1
        /// The product is of a kind that this cannot be done with.
        case invalidProductType = 2
        /// The address is not that of a file, or the file is no configuration.
        case invalidURL = 3
        /// There is no such file.
        case fileNotFound = 4
        /// There is no such subscription.
        case noSubscriptionFound = 5
        /// There is no such transaction.
        case noTransactionFound = 6
        /// The transaction is not in the state for this.
        case invalidAction = 7
    }

    /// The domain of every error of this type.
    public static var errorDomain: String { SKTestErrorDomain }

    /// The domain of every error of this type.
    public static var _nsErrorDomain: String { SKTestErrorDomain }

    /// The error as Foundation's class knows it.
    public let _nsError: NSError

    /// Makes an error of one that Foundation knows.
    public init(_nsError error: NSError) { _nsError = error }

    /// Why it failed.
    public var code: Code { Code(rawValue: _nsError.code) ?? .serviceUnavailable }

    /// Why it failed, as a number.
    public var errorCode: Int { _nsError.code }

    /// What happened, in a sentence.
    public var errorDescription: String? { _nsError.userInfo[NSLocalizedDescriptionKey] as? String }

    /// Whether two errors have the same code and say the same.
    public static func == (one: SKTestError, other: SKTestError) -> Bool {
        one.errorCode == other.errorCode && one.errorDescription == other.errorDescription
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }

    init(_ code: Code, _ sentence: String) {
        _nsError = NSError(
            domain: SKTestErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}

extension SKTestError {
    /// The store of the session cannot do its work.
    public static var serviceUnavailable: Code { .serviceUnavailable }

    /// The configuration has no product of this identifier, or the storefront does not sell it.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }

    /// The product is of a kind that this cannot be done with.
    public static var invalidProductType: Code { .invalidProductType }

    /// The address is not that of a file, or the file is no configuration.
    public static var invalidURL: Code { .invalidURL }

    /// There is no such file.
    public static var fileNotFound: Code { .fileNotFound }

    /// There is no such subscription.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }

    /// There is no such transaction.
    public static var noTransactionFound: Code { .noTransactionFound }

    /// The transaction is not in the state for this.
    public static var invalidAction: Code { .invalidAction }
}
