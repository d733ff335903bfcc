// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What ``SKDownload/timeRemaining`` is while it is unknown.
// Safe: a variable because it is one on Apple's platforms; nothing writes to it.
nonisolated(unsafe) public var SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// A download of content that the store hosts for a product.
///
/// The store does not host content yet: no transaction has downloads, and only tests make one.
// Safe: nothing in it changes.
open class SKDownload: NSObject, @unchecked Sendable {
    private let source = SKPaymentTransaction()

    /// Makes a download of nothing, to be subclassed in tests.
    public override init() { super.init() }

    /// How far the download has come.
    open var state: SKDownloadState { .waiting }

    /// How far the download has come, by its older name.
    open var downloadState: SKDownloadState { state }

    /// How many bytes the content has, by its older name.
    open var contentLength: Int64 { expectedContentLength }

    /// How many bytes the content has.
    open var expectedContentLength: Int64 { 0 }

    /// What names the content; the product identifier unless it says otherwise.
    open var contentIdentifier: String { transaction.payment.productIdentifier }

    /// The folder of the content; nil until the download has finished.
    open var contentURL: URL? { nil }

    /// The version of the content.
    open var contentVersion: String { "" }

    /// Why the download failed; nil otherwise.
    open var error: (any Error)? { nil }

    /// How much has come, from 0 to 1.
    open var progress: Float { 0 }

    /// How many seconds are left, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval { SKDownloadTimeRemainingUnknown }

    /// The transaction that the content was bought by.
    open var transaction: SKPaymentTransaction { source }

    /// Where the content of a product lies; nil while the store hosts none.
    open class func contentURL(forProductID productID: String) -> URL? { nil }

    /// Removes the content of a product; there is none while the store hosts none.
    open class func deleteContent(forProductID productID: String) {}
}

/// How far a download has come.
@frozen public enum SKDownloadState: Int, Sendable {
    /// It has not begun.
    case waiting = 0
    /// It is running.
    case active = 1
    /// It was paused.
    case paused = 2
    /// The content is there.
    case finished = 3
    /// It failed.
    case failed = 4
    /// It was cancelled.
    case cancelled = 5
}
