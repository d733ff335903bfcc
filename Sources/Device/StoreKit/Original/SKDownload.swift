// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Synchronization

/// What ``SKDownload/timeRemaining`` is while it is unknown.
// Safe: a variable because it is one on Apple's platforms; nothing writes to it.
nonisolated(unsafe) public var SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// A download of content that the store hosts for a product.
///
/// An app never makes one: ``SKPaymentTransaction/downloads`` has it once the transaction is purchased or restored. It begins
/// when the app asks for it (``SKPaymentQueue/start(_:)``), goes on at the next launch if the app or the machine ended meanwhile,
/// and can be started again while the transaction is unfinished. Like those of transactions, its values change on the main
/// queue, right before the observers hear of it.
// Safe: everything that changes is behind a mutex.
open class SKDownload: NSObject, @unchecked Sendable {
    private struct State {
        var entry: DownloadEntry?
        var folder: URL?
        var error: SKError?
        var watchers: [Int: AsyncStream<ContentProgress>.Continuation] = [:]
        var watcherCount = 0
    }

    private let details: Mutex<State>
    private let source: Source

    /// The transaction is not retained, because it retains this; once nobody else does, another object stands for it.
    // Safe: set when it is made; weak references are atomic.
    private final class Source: @unchecked Sendable {
        weak var transaction: SKPaymentTransaction?
        let entry: QueueEntry

        init(_ transaction: SKPaymentTransaction?, _ entry: QueueEntry) {
            self.transaction = transaction
            self.entry = entry
        }
    }

    /// Makes a download of nothing, to be subclassed in tests.
    public override init() {
        details = Mutex(State())
        source = Source(nil, .unkept(Payment("")))
        super.init()
    }

    init(_ download: DownloadEntry, of transaction: SKPaymentTransaction, _ entry: QueueEntry) {
        details = Mutex(State(entry: download))
        source = Source(transaction, entry)
        super.init()
        update(download)
    }

    /// How far the download has come.
    open var state: SKDownloadState { entry.map { SKDownloadState($0.state) } ?? .waiting }

    /// How far the download has come, by its older name.
    open var downloadState: SKDownloadState { state }

    /// How many bytes come over the network, by its older name.
    open var contentLength: Int64 { expectedContentLength }

    /// How many bytes come over the network.
    open var expectedContentLength: Int64 { entry?.content.length ?? 0 }

    /// What names the content: the product identifier.
    open var contentIdentifier: String { entry?.product ?? transaction.payment.productIdentifier }

    /// The folder of the content, with `ContentInfo.plist` and `Contents`; nil until the download has finished.
    ///
    /// It lies in the caches of the app and may be removed as soon as the transaction is finished, so copy or move what is in it
    /// before that.
    open var contentURL: URL? { details.withLock { $0.folder } }

    /// The version of the content. Where it is not kept any more when the download begins, the newest takes its place.
    open var contentVersion: String { entry?.content.version ?? "" }

    /// Why the download failed, an ``SKError``; nil otherwise.
    open var error: (any Error)? { details.withLock { $0.error } }

    /// How much has come, from 0 to 1. It is 1 before the download has finished: what came is then unpacked.
    open var progress: Float {
        guard let entry, entry.content.length > 0 else { return 0 }
        return Float(min(1, Double(entry.received) / Double(entry.content.length)))
    }

    /// How many seconds are left, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval {
        entry?.secondsLeft.map { TimeInterval($0) } ?? SKDownloadTimeRemainingUnknown
    }

    /// The transaction that the content was bought by.
    open var transaction: SKPaymentTransaction { source.transaction ?? SKPaymentTransaction(source.entry) }

    /// How far the download has come, as one value. Not known on Apple's platforms.
    open var progressNow: ContentProgress { details.withLock { ContentProgress($0.entry, $0.folder, $0.error) } }

    /// How the download comes along, from now on: the present state, every change, and at last the state in which it ended. Not
    /// known on Apple's platforms.
    ///
    /// ```swift
    /// SKPaymentQueue.default().start([download])
    /// for await progress in download.updates { show(progress.fraction) }
    /// ```
    ///
    /// A slow reader gets the newest alone. A download that is started once more is read once more.
    open var updates: AsyncStream<ContentProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number: Int? = details.withLock { details in
                continuation.yield(ContentProgress(details.entry, details.folder, details.error))
                guard details.entry?.state != .finished else { return nil }
                details.watcherCount += 1
                details.watchers[details.watcherCount] = continuation
                return details.watcherCount
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.details.withLock { $0.watchers[number] = nil }
            }
        }
    }

    /// Where the content of a product lies that was downloaded last; nil if there is none any more.
    open class func contentURL(forProductID productID: String) -> URL? {
        CurrentSession.session.contentFolder(of: productID)
    }

    /// Removes the content of a product that was downloaded. It can be downloaded again while its transaction is unfinished.
    open class func deleteContent(forProductID productID: String) {
        CurrentSession.session.deleteContent(of: productID)
    }
}

extension SKDownload {
    /// What the journal said last; nil for those that tests make.
    var entry: DownloadEntry? { details.withLock { $0.entry } }

    /// Takes over what the journal says now.
    func update(_ entry: DownloadEntry) {
        let watchers = details.withLock { details -> [AsyncStream<ContentProgress>.Continuation] in
            details.entry = entry
            details.folder = entry.state == .finished ? entry.location : nil
            details.error = entry.state == .failed ? entry.failure.map { SKError($0) } : nil
            let progress = ContentProgress(entry, details.folder, details.error)
            for watcher in details.watchers.values { watcher.yield(progress) }
            guard entry.isTerminal else { return [] }
            defer { details.watchers = [:] }
            return Array(details.watchers.values)
        }
        // Outside of the lock, which the end of a stream takes.
        for watcher in watchers { watcher.finish() }
    }
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

extension SKDownloadState {
    init(_ state: DownloadEntry.State) {
        self =
            switch state {
            case .waiting, .queued: .waiting
            case .active: .active
            case .paused: .paused
            case .finished: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}
