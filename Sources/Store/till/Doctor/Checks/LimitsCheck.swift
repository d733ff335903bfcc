import Foundation

/// How many files and connections may the store have open at once?
struct LimitsCheck {
    let openFiles: UInt64

    /// What the system allows this process.
    static var systemOpenFiles: UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        return UInt64(limit.rlim_cur)
    }

    func findings() -> [Finding] {
        guard openFiles < Self.enough else { return [.ok("open files", "enough may be open at once")] }
        return [
            .warning(
                "open files", "only \(openFiles) may be open at once, which is also the number of connections",
                remedy: "raise it with: ulimit -n 65536 (LimitNOFILE= of a systemd unit)")
        ]
    }

    static let enough: UInt64 = 4096
}
