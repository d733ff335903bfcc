import CLinux
import Foundation
import StoreModel

/// Does the clock tell the time? Receipts are dated by it, and certificates judged.
struct ClockCheck {
    let now: Instant
    /// Whether the system keeps its clock by others; nil where it does not say.
    let isSynchronized: Bool?
    /// When something in the data directory was last written.
    let lastWrite: Instant?

    func findings() -> [Finding] {
        if let lastWrite, lastWrite > now.adding(milliseconds: Self.toleranceMilliseconds) {
            return [
                .problem(
                    "clock", "it says \(now), but the store was last written at \(lastWrite)",
                    remedy: "set the clock; what is sold now would be dated before what was sold then")
            ]
        }
        if isSynchronized == false {
            return [
                .warning(
                    "clock", "it says \(now) and is not kept by a time server",
                    remedy: "switch synchronisation on, for example with: timedatectl set-ntp true")
            ]
        }
        return [.ok("clock", "it says \(now)")]
    }

    static let toleranceMilliseconds: Int64 = 60_000

    /// What the kernel says of its clock.
    static var systemIsSynchronized: Bool? {
        let answer = till_clock_is_synchronized()
        return answer < 0 ? nil : answer == 1
    }

    /// The newest time of a change to the databases.
    static func lastWrite(in directory: DataDirectory) -> Instant? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.databasesPath)) ?? []
        let times = names.compactMap { name -> Int64? in
            var status = stat()
            guard stat("\(directory.databasesPath)/\(name)", &status) == 0 else { return nil }
            return Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        }
        return times.max().map { Instant(millisecondsSinceEpoch: $0) }
    }
}
