/// What the sources cannot tell: what waits for a later part of the store, what is ours, what is left out and why.
enum ParityNotes {
    /// What a declaration answers until the store has the part that it needs.
    struct Later {
        let type: String
        /// A part of the declaration; empty for everything of the type.
        let part: String
        let answer: String
    }

    static let later: [Later] = [
        Later(type: "SKProductStorePromotionController", part: "for product", answer: unsupported),
        Later(type: "SKProductStorePromotionController", part: "romotionOrder", answer: unsupported),
        Later(type: "SKStoreReviewController", part: "requestReview", answer: "a question for a review: does nothing"),
    ]

    private static let unsupported = "promoted products of one device: fails with `SKError.unsupportedPlatform`"

    /// What Apple's platforms do not have.
    static let own: Set<String> = [
        "public var storeReceiptURL: URL?", "public var storeTime: Date",
        "public static let reasonKey", "public static let requestIdentifierKey",
        "public var errorDescription: String?", "public var failureReason: String?",
        "public var recoverySuggestion: String?", "open var updates: AsyncStream<ContentProgress>",
        "open var progressNow: ContentProgress", "open func present()", "open var isPresented: Bool",
        "open func dismiss(animated flag: Bool = true, completion: (() -> Void)? = nil)",
    ]

    /// The types of which Apple's platforms have nothing.
    static let ownTypes: Set<String> = ["OptionalObserverMethod", "OptionalQueueMethod", "OptionalRequestMethod"]

    /// What is there in another form.
    static let different: [(String, String)] = [
        (
            "`SKPaymentQueue.default() -> Self`, `SKProductStorePromotionController.default() -> Self`",
            "Return the class itself: for a subclass there is no object to return, and StoreKit never traps."
        ),
        (
            "`SKStoreProductViewController: UIViewController`",
            "An `NSObject`: there is no UIKit. `present()` shows it in the browser, `dismiss(animated:completion:)` takes it away."
        ),
        (
            "Optional methods of protocols",
            "Requirements with a default. `delegate.method?()` compiles, and is never nil: it calls the default."
        ),
        (
            "`SKRequest`, `SKPayment` and their subclasses, which are not `Sendable`",
            "`@unchecked Sendable`, so that subclasses in tests compile in Swift 6 mode."
        ),
        (
            "`SKError` as an `NSError` of the domain `SKErrorDomain`",
            "A value; `error as? SKError` works, `error as? NSError` does not succeed on Linux for any error."
        ),
    ]

    /// What is not there.
    static let excluded: [(String, String)] = [
        ("`SKStoreReviewController.requestReview(in: UIWindowScene)`", "There is no UIKit on Linux."),
        (
            "`SKStoreProductViewController.loadProduct(withParameters:impression:completionBlock:)`",
            "It takes an `SKAdImpression`."
        ),
        (
            "`SKOverlay`, its configurations, its transition context and `SKOverlayDelegate`",
            "They lay a view of the system over a `UIWindowScene`; there is neither."
        ),
        (
            "`SKAdNetwork`, `SKAdImpression`, `SKANError`, `SKANErrorDomain`",
            "They report to Apple's advertising networks; Till has none."
        ),
        (
            "`SKCloudServiceController`, `SKCloudServiceSetupViewController`, their enumerations and notifications",
            "They open Apple Music; Till has no such service. The error codes are there."
        ),
        ("`SKArcadeService`", "It belongs to Apple Arcade."),
        (
            "`SKDownload.contentLength: NSNumber`",
            "The type that macOS once had; the one of iOS is there, and a name has one type."
        ),
        (
            "The spellings of Swift 2, such as `defaultQueue()`, `addPayment(_:)`, `originalTransaction`",
            "Compilers of today do not take programs of that time."
        ),
        ("Attributes of availability", "On Linux they have no effect, and a deprecation would warn about every use."),
    ]
}
