import Foundation
package import StoreModel

/// The content that the store hosts for what a transaction bought, as it was when the transaction was told.
package struct DownloadableContent: Codable, Hashable, Sendable {
    package var version: String
    /// How many bytes come over the network.
    package var length: Int64

    package init(version: String, length: Int64) {
        self.version = version
        self.length = length
    }
}

/// A download of hosted content: what the journal keeps of it, and the rules by which it changes.
///
/// | state | start | pause | resume | cancel | begun | unpacked | failed | transaction over |
/// |---|---|---|---|---|---|---|---|---|
/// | waiting | queued | | | | | | | cancelled |
/// | queued | | paused | | cancelled | active | finished | failed | cancelled |
/// | active | | paused | | cancelled | | finished | failed | cancelled |
/// | paused | | | queued | cancelled | | finished | | cancelled |
/// | finished | | | | | | | | finished |
/// | failed | queued | | | | | | | failed |
/// | cancelled | queued | | | | | | | cancelled |
///
/// An empty place means that nothing happens. Nothing but the app's `start` leaves a terminal state, and nothing at all happens
/// once the transaction is over.
package struct DownloadEntry: Codable, Hashable, Sendable {
    // Closed: those of `SKDownloadState`, whose `waiting` is two of these.
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The app has not started it.
        case waiting
        /// It was started, and waits for its turn.
        case queued
        case active
        case paused
        case finished
        case failed
        case cancelled
    }

    /// What is needed to unpack an archive that is there.
    package struct Manifest: Codable, Hashable, Sendable {
        package var unpackedLength: Int64
        package var fileCount: Int

        package init(unpackedLength: Int64, fileCount: Int) {
            self.unpackedLength = unpackedLength
            self.fileCount = fileCount
        }
    }

    package let transaction: TransactionID
    package let product: String
    package var content: DownloadableContent
    package internal(set) var state = State.waiting
    /// How many bytes of the archive are there.
    package internal(set) var received: Int64 = 0
    /// How long it will take, if that can be told.
    package internal(set) var secondsLeft: Int?
    package internal(set) var manifest: Manifest?
    /// The name of the unpacked folder, once it is complete.
    package internal(set) var folder: String?
    package internal(set) var failure: SessionFailure?
    /// Rises with every start: those that were started first come first.
    package internal(set) var order: Int64 = 0
    /// Whether the transaction is finished or gone; what is on the disk may go, too.
    package internal(set) var isOver = false
    /// The process in which that came to be.
    package internal(set) var endedBy: String?
    /// Where the folder is, when the entry is told; not kept, because the home of a person may move.
    var location: URL?

    private enum CodingKeys: String, CodingKey {
        case transaction, product, content, state, received, secondsLeft, manifest, folder, failure, order, isOver,
            endedBy
    }

    package init(_ transaction: TransactionID, product: String, content: DownloadableContent) {
        self.transaction = transaction
        self.product = product
        self.content = content
    }

    package var isTerminal: Bool { state == .finished || state == .failed || state == .cancelled }

    /// What the app asks for.
    // Closed: the four methods of the payment queue.
    package enum Command: CaseIterable, Hashable, Sendable {
        case start, pause, resume, cancel
    }

    /// What can happen.
    // Closed: only the rules switch over them.
    package enum Event: Hashable, Sendable {
        /// The app asks for something.
        case asked(Command, order: Int64)
        /// Its turn has come.
        case begun
        /// The store has said what is fetched: perhaps another version than it was.
        case linked(DownloadableContent, Manifest)
        case received(Int64, secondsLeft: Int?)
        /// The content is complete in a folder of this name.
        case unpacked(folder: String)
        case failed(SessionFailure)
        /// The transaction was finished, or is the customer's no more.
        case transactionOver(by: String?)
        /// The files of a cancelled download were removed.
        case cleared
    }

    package mutating func handle(_ event: Event) {
        guard !isOver else { return }
        switch event {
        case .asked(let command, let order): handle(command, order)
        case .begun where state == .queued: state = .active
        case .linked(let content, let manifest) where isUnderWay:
            if self.content != content { received = 0 }
            self.content = content
            self.manifest = manifest
        case .received(let count, let seconds) where isUnderWay:
            state = .active
            received = min(count, content.length)
            secondsLeft = seconds
        case .unpacked(let folder) where isUnderWay || state == .paused:
            state = .finished
            received = content.length
            secondsLeft = 0
            self.folder = folder
        case .failed(let failure) where isUnderWay:
            state = .failed
            secondsLeft = nil
            self.failure = failure
        case .transactionOver(let process):
            if !isTerminal {
                state = .cancelled
                secondsLeft = nil
            }
            isOver = true
            endedBy = process
        case .cleared where state == .cancelled: received = 0
        default: break
        }
    }

    /// Whether somebody fetches it, or will.
    private var isUnderWay: Bool { state == .queued || state == .active }

    private mutating func handle(_ command: Command, _ order: Int64) {
        switch (command, state) {
        case (.start, .waiting), (.start, .failed), (.start, .cancelled), (.resume, .paused):
            state = .queued
            failure = nil
            self.order = order
        case (.pause, .queued), (.pause, .active):
            state = .paused
            secondsLeft = nil
        case (.cancel, .queued), (.cancel, .active), (.cancel, .paused):
            state = .cancelled
            secondsLeft = nil
        default: break
        }
    }

    /// Whether an app sees two of them alike.
    func looksLike(_ other: DownloadEntry) -> Bool {
        state == other.state && (received == other.received || state == .cancelled) && secondsLeft == other.secondsLeft
            && content == other.content && folder == other.folder && failure == other.failure
    }
}
