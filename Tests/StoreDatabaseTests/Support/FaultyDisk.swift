import CFaultyDisk
import CSQLite
import Foundation
import Testing

/// A folder on a disk that fails on demand. It goes away with its owner.
final class FaultyDisk: Sendable {
    /// What SQLite asks of a disk.
    struct Calls: OptionSet {
        let rawValue: UInt32

        static let read = Calls(rawValue: TILL_DISK_READ.rawValue)
        static let write = Calls(rawValue: TILL_DISK_WRITE.rawValue)
        static let sync = Calls(rawValue: TILL_DISK_SYNC.rawValue)
        static let truncate = Calls(rawValue: TILL_DISK_TRUNCATE.rawValue)
        static let sharedMemory = Calls(rawValue: TILL_DISK_SHARED_MEMORY.rawValue)
    }

    let folder: String
    private let plan: Int32

    /// The path of the database.
    var path: String { folder + "/sample.sqlite" }

    init() throws {
        try #require(till_disk_install() == SQLITE_OK)
        // Nothing here outlives the machine, and memory is faster than any disk.
        let shelf = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
        folder = shelf + "till-faulty-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        plan = till_disk_plan(folder)
        try #require(plan >= 0)
    }

    deinit {
        till_disk_forget(plan)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Lets calls fail from the one with this number on, counted from now, so many times.
    func fail(_ calls: Calls, from number: Int, times: Int = 1, code: Int32, files suffix: String = "") {
        till_disk_fail(plan, Int32(calls.rawValue), number, times, code, suffix)
    }

    /// Lets nothing fail any more, and counts calls.
    func count(_ calls: Calls, files suffix: String = "") {
        till_disk_fail(plan, Int32(calls.rawValue), 0, 0, SQLITE_OK, suffix)
    }

    /// How many calls there were since they were last named.
    var calls: Int { till_disk_count(plan) }

    /// What would be there if the process ended now: the files as they are, at another place of the same disk.
    func crashed() throws -> String {
        let copy = folder + "/crashed-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        for name in ["sample.sqlite", "sample.sqlite-wal"]
        where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
            try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
        }
        return copy + "/sample.sqlite"
    }
}
