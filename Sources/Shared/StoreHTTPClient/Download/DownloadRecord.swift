import Foundation
import StoreHTTP

/// What is known of the file that a part will become: kept beside it, so that another process can go on.
struct DownloadRecord: Codable, Hashable, Sendable {
    /// What it is a part of.
    var identity: String
    /// A strong entity tag, in its quotation marks.
    var entityTag: String?
    /// When it was changed, where there is no tag.
    var lastModified: String?
    /// Of the whole.
    var length: Int?
    /// How much of it is sure to be on disk, whatever happens to the machine.
    var synchronized = 0
    /// Which run of the machine wrote it: within one, everything written is there.
    var boot: String
    /// Everything is there and synchronised; only the name is missing.
    var isComplete = false

    /// What proves that the rest belongs to this beginning.
    var validator: String? { entityTag ?? lastModified }

    /// How much of a part of this length can be built upon.
    func usableLength(of partLength: Int, boot: String) -> Int {
        guard validator != nil || isComplete else { return 0 }
        let certain = boot == self.boot ? partLength : min(partLength, synchronized)
        return certain <= length ?? Int.max ? certain : 0
    }

    /// Names this run of the machine; alike in all processes until it is started anew.
    static let currentBoot =
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""

    static let maximumBytes = 64 * 1024

    init(identity: String, boot: String) {
        self.identity = identity
        self.boot = boot
    }

    /// Reads a record; nil for anything that is none.
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
