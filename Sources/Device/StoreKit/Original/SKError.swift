// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import StoreFoundation

/// The domain of the errors of the original API.
public let SKErrorDomain: String = "SKErrorDomain"

/// An error of the original API.
///
/// Every error that StoreKit hands to an app is a value of this type, never an `NSError` that stands for one. Its text
/// is fit to be shown to a person, in the language of the device: no addresses, codes or commands are in it. What the store said
/// about it is in `userInfo`, under ``reasonKey``, ``requestIdentifierKey`` and ``developerTextKey``, and on standard error.
public struct SKError: CustomNSError, _BridgedStoredNSError, LocalizedError {
    /// The reasons why the original API fails.
    public typealias Code = SKErrorCode

    /// The domain of every error of this type.
    public static var errorDomain: String { SKErrorDomain }

    /// The domain of every error of this type.
    public static var _nsErrorDomain: String { SKErrorDomain }

    /// The error as Foundation's class knows it.
    public let _nsError: NSError

    /// Makes an error of one that Foundation knows.
    ///
    /// An error without a text gets ours, so that it also says so as an `NSError`.
    public init(_nsError error: NSError) {
        guard error.userInfo[NSLocalizedDescriptionKey] == nil else {
            _nsError = error
            return
        }
        var userInfo = error.userInfo
        userInfo[NSLocalizedDescriptionKey] = Self.sentence(of: error.code)
        _nsError = NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }

    /// Why it failed; codes that have no name of their own are kept.
    public var code: Code { Code(_nsError.code) }

    /// Why it failed, as a number.
    public var errorCode: Int { _nsError.code }

    /// Whether two errors have the same code and carry the same.
    public static func == (one: SKError, other: SKError) -> Bool {
        one._nsError.domain == other._nsError.domain && one.errorCode == other.errorCode
            && NSDictionary(dictionary: one._nsError.userInfo).isEqual(to: other._nsError.userInfo)
    }

    /// Hashes the code; on Linux an `NSError` cannot be hashed.
    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }

    /// What happened, in a sentence for the person before the screen.
    public var errorDescription: String? {
        _nsError.userInfo[NSLocalizedDescriptionKey] as? String
    }

    /// Why it happened, if the store said so.
    public var failureReason: String? { _nsError.userInfo[NSLocalizedFailureReasonErrorKey] as? String }

    /// What can be done about it, if the store said so.
    public var recoverySuggestion: String? { _nsError.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String }

    /// The key, in `userInfo`, of the store's own word for what went wrong. Not known on Apple's platforms.
    public static let reasonKey = "TillReason"

    /// The key, in `userInfo`, of the cause in English, for logs. Not known on Apple's platforms.
    public static let developerTextKey = "TillDeveloperText"

    /// The key, in `userInfo`, of the number under which the store's log has the request. Not known on Apple's
    /// platforms.
    public static let requestIdentifierKey = "TillRequestID"
}

extension SKError {
    /// Why a page of the store cannot be shown, as Apple's documents have it: whatever the cause, the text is that of a store
    /// which cannot be reached. The cause is in `userInfo`.
    init(noPage failure: SessionFailure) {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: Self.sentence(of: SKErrorCode.unknown.rawValue),
            SKError.reasonKey: failure.reason, SKError.developerTextKey: failure.text,
        ]
        if let request = failure.request { userInfo[SKError.requestIdentifierKey] = request }
        self.init(.storeProductNotAvailable, userInfo: userInfo)
    }

    /// What the parts answer that need something of the store which it does not have yet.
    static var unavailable: SKError {
        SKError(.unsupportedPlatform, userInfo: [reasonKey: "not_available"])
    }

    /// A failure as apps get it, in the language of the device. What the store and StoreKit say for developers is English.
    init(_ failure: SessionFailure) {
        let texts = CurrentSession.texts
        // The domain has codes that no case stands for.
        let sentence = texts.find("error.\(failure.reason)") ?? Self.sentence(of: failure.code, in: texts)
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: sentence, SKError.reasonKey: failure.reason,
            SKError.developerTextKey: failure.text,
        ]
        if let request = failure.request { userInfo[SKError.requestIdentifierKey] = request }
        self.init(_nsError: NSError(domain: SKErrorDomain, code: failure.code, userInfo: userInfo))
    }

    /// What an error of a code says to a person.
    private static func sentence(of code: Int, in texts: Texts = CurrentSession.texts) -> String {
        texts.find("error.\(code)") ?? texts("error.other")
    }
}

// The target beside this one, where C declares the type, cannot know of errors in Swift.
// swift-format-ignore: AvoidRetroactiveConformances
extension SKErrorCode: @retroactive _ErrorCodeProtocol {
    /// The errors that these codes belong to.
    public typealias _ErrorType = SKError
}

extension SKErrorCode {
    /// The code of a number, whether it has a name or not.
    init(_ number: Int) {
        self = SKErrorCode(rawValue: number) ?? .unknown
    }
}
