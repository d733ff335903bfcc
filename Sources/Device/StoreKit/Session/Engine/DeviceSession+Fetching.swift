import ContentPackage
import Foundation
import StoreFoundation
import StoreHTTPClient
import StoreModel
import Synchronization

/// How content comes from the store to the app.
///
/// A process may be killed at any point. What the next one finds, and does:
///
/// | on the disk | what is missing |
/// |---|---|
/// | a part with its record | the rest, from the last chunk that is right |
/// | the archive | unpacking, for which no network is needed |
/// | a draft of a folder | unpacking anew |
/// | the folder | only the journal does not know |
extension DeviceSession {
    /// Fetches the content of a download and unpacks it. What was cancelled or paused meanwhile simply ends.
    func fetch(_ id: TransactionID) async {
        guard let entry = note(.begun, of: id), entry.state == .active else { return }
        do throws(SessionFailure) {
            let complete = try await bring(entry)
            note(.unpacked(folder: contents.name(of: complete)), of: id)
            unlink(contents.archive(of: complete))
        } catch {
            // The part is kept: who starts it again, or the next launch, goes on from there.
            guard !Task.isCancelled, error != .ended else { return }
            settings.report("the content of \(entry.product) cannot be had: \(error)")
            note(.failed(error), of: id)
        }
    }

    /// Brings the content to its folder, from wherever an earlier process has left it.
    private func bring(_ entry: DownloadEntry) async throws(SessionFailure) -> DownloadEntry {
        var entry = entry
        if contents.isUnpacked(entry) { return entry }
        do { try contents.make() } catch { throw .content("file", "\(error)") }
        if entry.manifest == nil || !isComplete(entry) { entry = try await fetchArchive(of: entry) }
        try await unpack(entry)
        return entry
    }

    private func isComplete(_ entry: DownloadEntry) -> Bool {
        FileManager.default.fileExists(atPath: contents.archive(of: entry))
    }

    // MARK: The archive

    private func fetchArchive(of entry: DownloadEntry) async throws(SessionFailure) -> DownloadEntry {
        var entry = entry
        var failures = 0
        while true {
            let link = try await link(to: entry)
            let content = DownloadableContent(version: link.contentVersion.text, length: link.contentLength)
            let manifest = DownloadEntry.Manifest(unpackedLength: link.unpackedLength, fileCount: link.fileCount)
            guard let linked = note(.linked(content, manifest), of: entry.transaction) else { throw .ended }
            entry = linked
            try await findRoom(for: entry, manifest)
            let before = contents.bytesThere(of: entry)
            do throws(DownloadError) {
                try await settings.connection.fetch(try order(link, entry))
                return entry
            } catch {
                if Task.isCancelled || error.code == .cancelled { throw .ended }
                // An address that is refused has ended, or the customer may not have the content any more: the store says which
                // when it is asked for another.
                failures = contents.bytesThere(of: entry) > before ? 1 : failures + 1
                guard error.code == .refused, failures < DownloadLimits.links else { throw SessionFailure(error) }
            }
        }
    }

    private func order(_ link: ContentLinkAnswer, _ entry: DownloadEntry) throws(DownloadError) -> ContentOrder {
        var policy = settings.retries
        policy.attempts = DownloadLimits.attempts
        let progress = ProgressNote(entry.content.length)
        let order = ContentOrder(link, to: contents.archive(of: entry), policy: policy) { [weak self, settings] count in
            let seconds = progress.note(Int64(count), at: settings.wall())
            guard let seconds else { return }
            self?.note(.received(Int64(count), secondsLeft: seconds < 0 ? nil : seconds), of: entry.transaction)
        }
        guard let order else {
            throw DownloadError(.unexpectedContent, "What the store says of the content contradicts itself.")
        }
        return order
    }

    /// Asks for an address of the content, in the version that the app was told of, else in the newest.
    private func link(to entry: DownloadEntry) async throws(SessionFailure) -> ContentLinkAnswer {
        let version = try? ContentVersion(parsing: entry.content.version)
        do throws(ConnectionError) {
            return try await repeating(attempts: DownloadLimits.attempts) { () async throws(ConnectionError) in
                do throws(ConnectionError) {
                    return try await self.device.contentLink(entry.transaction, version: version)
                } catch {
                    guard error.refusal == .contentGone else { throw error }
                    return try await self.device.contentLink(entry.transaction, version: nil)
                }
            }
        } catch {
            if error.kind == .cancelled { throw .ended }
            trouble.note(error)
            throw SessionFailure(error)
        }
    }

    /// Looks whether archive and content fit on the disk, before the person waits for it.
    private func findRoom(for entry: DownloadEntry, _ manifest: DownloadEntry.Manifest) async throws(SessionFailure) {
        let missing = max(0, entry.content.length - contents.bytesThere(of: entry))
        let needed = missing + manifest.unpackedLength + DownloadLimits.spareBytes
        let path = contents.path
        if settings.freeBytes(path) >= needed { return }
        await OwnThread.run(named: "till-content") { self.purge() }
        let free = settings.freeBytes(path)
        guard free < needed else { return }
        throw .diskFull("The content needs \(needed) bytes on the disk, and \(max(0, free)) are free.")
    }

    // MARK: Unpacking

    private func unpack(_ entry: DownloadEntry) async throws(SessionFailure) {
        guard let manifest = entry.manifest else { throw .ended }
        let (contents, unpack) = (contents, settings.unpack)
        try await OwnThread.run(named: "till-content") { () throws(SessionFailure) in
            do {
                try contents.unpack(entry, manifest, with: unpack)
            } catch {
                let failure = SessionFailure(unpacking: error)
                // An archive that cannot be used is not used again.
                if failure.reason == SessionFailure.unusableReason { unlink(contents.archive(of: entry)) }
                throw failure
            }
        }
    }
}

/// How far a download is, said as often as it matters.
private final class ProgressNote: Sendable {
    private let length: Int64
    private let state: Mutex<(told: Int64?, rate: TransferRate)>

    init(_ length: Int64) {
        self.length = length
        state = Mutex((nil, TransferRate()))
    }

    /// Takes in how much is there. Returns the seconds that are left, less than 0 while that cannot be told; nil if it is too
    /// early to say more.
    func note(_ count: Int64, at time: Instant) -> Int? {
        state.withLock { state in
            state.rate.note(count, at: time)
            let step = max(length / DownloadLimits.progressParts, DownloadLimits.progressBytes)
            if let told = state.told, count >= told, count < told + step, count < length || told == length {
                return nil
            }
            state.told = count
            return state.rate.seconds(for: length - count) ?? -1
        }
    }
}

// MARK: - Failures

extension SessionFailure {
    /// The disk has no room for the content.
    fileprivate static let diskFullReason = "disk_full"
    /// What came cannot be unpacked, or breaks the rules for content.
    fileprivate static let unusableReason = "content_unusable"

    /// The content cannot be had, or not be used.
    fileprivate static func content(_ reason: String, _ text: String) -> SessionFailure {
        SessionFailure(code: SKError.Code.unknown.rawValue, reason: reason, text: text)
    }

    fileprivate static func diskFull(_ text: String) -> SessionFailure { content(diskFullReason, text) }

    fileprivate init(_ error: DownloadError) {
        switch error.code {
        case .diskFull: self = .diskFull(error.message)
        case .unexpectedContent, .tooLarge: self = .content("content_damaged", error.message)
        case .refused: self = .content("content_refused", error.message)
        case .file, .busy: self = .content("file", error.message)
        default: self = .content("unreachable", "Cannot connect to the store: \(error.message)")
        }
    }

    fileprivate init(unpacking error: any Error) {
        let error = (error as? FileFailure).map { ContentError($0) } ?? error
        switch (error as? ContentError)?.code {
        case .full?: self = .diskFull("\(error)")
        case .inputOutput?, .missing?, .occupied?: self = .content("file", "\(error)")
        default: self = .content(Self.unusableReason, "\(error)")
        }
    }
}
