// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The domain of the errors of the original API.
public let SKErrorDomain: String = "SKErrorDomain"

/// An error of the original API.
///
/// Every error that StoreKit hands to an app is a value of this type, never an `NSError` that stands for one. Its text
/// is fit to be shown to a person. What the store said about it is in `userInfo`, under ``reasonKey``,
/// ``requestIdentifierKey`` and `NSLocalizedFailureReasonErrorKey`.
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
        userInfo[NSLocalizedDescriptionKey] = SKErrorText.sentence(of: error.code)
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

    /// The key, in `userInfo`, of the number under which the store's log has the request. Not known on Apple's
    /// platforms.
    public static let requestIdentifierKey = "TillRequestID"
}

extension SKError {
    /// What the parts answer that need something of the store which it does not have yet.
    static var unavailable: SKError {
        SKError(.unsupportedPlatform, userInfo: [reasonKey: "not_available"])
    }

    /// A failure as apps get it.
    init(_ failure: SessionFailure) {
        var userInfo: [String: Any] = [
            SKError.reasonKey: failure.reason, NSLocalizedFailureReasonErrorKey: failure.text,
        ]
        if let request = failure.request { userInfo[SKError.requestIdentifierKey] = request }
        // The domain has codes that no case stands for.
        userInfo[NSLocalizedDescriptionKey] = SKErrorText.sentence(of: failure.code)
        self.init(_nsError: NSError(domain: SKErrorDomain, code: failure.code, userInfo: userInfo))
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

/// What errors say to a person.
enum SKErrorText {
    /// The sentence for a code, also for the two that have no name.
    static func sentence(of code: Int) -> String {
        named[code] ?? "Something unexpected happened. Please try again later."
    }

    private static let named: [Int: String] = [
        SKErrorCode.unknown.rawValue: "Cannot connect to the store. Please try again later.",
        SKErrorCode.clientInvalid.rawValue: "This app is not allowed to make this purchase.",
        SKErrorCode.paymentCancelled.rawValue: "The purchase was cancelled. Nothing was charged.",
        SKErrorCode.paymentInvalid.rawValue: "This purchase is not known to the store. Nothing was charged.",
        SKErrorCode.paymentNotAllowed.rawValue: "In-app purchases are not allowed on this device.",
        SKErrorCode.storeProductNotAvailable.rawValue: "This product is not available in your country or region.",
        SKErrorCode.cloudServicePermissionDenied.rawValue: "The app has no permission to use the cloud service.",
        SKErrorCode.cloudServiceNetworkConnectionFailed.rawValue: "The cloud service cannot be reached.",
        SKErrorCode.cloudServiceRevoked.rawValue: "The permission to use the cloud service was taken back.",
        SKErrorCode.privacyAcknowledgementRequired.rawValue: "Please agree to the store's privacy policy first.",
        SKErrorCode.unauthorizedRequestData.rawValue: "This app is not allowed to add data to a payment.",
        SKErrorCode.invalidOfferIdentifier.rawValue: "This offer does not exist or has ended. Nothing was charged.",
        SKErrorCode.invalidSignature.rawValue: "This offer could not be verified. Nothing was charged.",
        SKErrorCode.missingOfferParams.rawValue: "This offer is incomplete. Nothing was charged.",
        SKErrorCode.invalidOfferPrice.rawValue: "The price of this offer has changed. Nothing was charged.",
        SKErrorCode.overlayCancelled.rawValue: "The page of the store was closed.",
        SKErrorCode.overlayInvalidConfiguration.rawValue: "The page of the store cannot be shown.",
        SKErrorCode.overlayTimeout.rawValue: "The page of the store took too long to load.",
        SKErrorCode.ineligibleForOffer.rawValue: "This offer is not for your account. Nothing was charged.",
        SKErrorCode.unsupportedPlatform.rawValue: "This is not possible on this system.",
        SKErrorCode.overlayPresentedInBackgroundScene.rawValue: "The page of the store is shown by the app in front.",
        5002: "An unknown error has occurred.",
        5020: "Forget Your Password?",
    ]
}
