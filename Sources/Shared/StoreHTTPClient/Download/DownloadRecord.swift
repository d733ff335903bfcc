import Foundation
import StoreHTTP
import Synchronization

/// What is known of the file that a part will become: kept beside it, so another process can continue.
struct DownloadRecord: Codable, Hashable, Sendable {
    /// The identity of the file.
    var identity: String
    /// A strong entity tag, in its quotation marks.
    var entityTag: String?
    /// The date of its last change, if there is no tag.
    var lastModified: String?
    /// The length of the whole file.
    var length: Int?
    /// How much of it is synchronized to disk.
    var synchronized = 0
    /// The boot in which it was written: until the next one, everything written is there.
    var boot: String
    /// Everything is there and synchronized; only the rename is missing.
    var isComplete = false

    /// The validator for a request for the rest.
    var validator: String? { entityTag ?? lastModified }

    /// How much of a part of this length can be used.
    func usableLength(of partLength: Int, boot: String) -> Int {
        guard validator != nil || isComplete else { return 0 }
        let certain = boot == self.boot ? partLength : min(partLength, synchronized)
        return certain <= length ?? Int.max ? certain : 0
    }

    /// The id of this boot of the machine.
    static let currentBoot =
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""

    static let maximumBytes = 64 * 1024

    init(identity: String, boot: String) {
        self.identity = identity
        self.boot = boot
    }

    /// Reads a record; nil if it is malformed.
    init?(json: [UInt8]) {
        guard json.count <= Self.maximumBytes,
            let record = try? JSONDecoder().decode(DownloadRecord.self, from: Data(json)),
            record.synchronized >= 0, record.length ?? 0 >= 0,
            record.entityTag.map({ EntityTag(parsing: $0)?.text == $0 }) ?? true,
            record.lastModified.map({ HTTPDate(parsing: $0) != nil }) ?? true
        else { return nil }
        self = record
    }

    var json: [UInt8] { (try? JSONEncoder().encode(self)).map { Array($0) } ?? [] }
}

/// What callers want of a download, and what to resume when that changes.
struct DownloadState {
    enum Intent: Hashable, Sendable {
        case run, pause, cancel
    }

    var intent = Intent.run
    var hasBegun = false
    var hasEnded = false
    /// The attempt that is under way.
    var attempt: ExchangeCancellation?
    /// The wait for the next attempt.
    var wait: Task<Void, any Error>?
    /// The continuation that waits for the end of a pause.
    var paused: CheckedContinuation<Void, Never>?
    var progress = DownloadProgress(received: 0, expected: nil)
    var watchers: [Int: AsyncStream<DownloadProgress>.Continuation] = [:]
    var watcherCount = 0

    /// Ends what is under way, so the new intent takes effect; the returned closure runs without the lock.
    mutating func interrupt() -> @Sendable () -> Void {
        let (attempt, wait, paused) = (attempt, wait, paused)
        self.paused = nil
        return {
            attempt?.cancel()
            wait?.cancel()
            paused?.resume()
        }
    }
}
