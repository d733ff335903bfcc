import Foundation

/// The memory of other processes.
enum ProcessMemory {
    /// What of a process is in memory, in bytes.
    static func resident(of process: Int32) throws -> Int { try figure("VmRSS", of: process) }

    /// The most that was ever in memory of a process, in bytes.
    static func largest(of process: Int32) throws -> Int { try figure("VmHWM", of: process) }

    private static func figure(_ name: String, of process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Int($0)
            })
        else { throw BenchmarkError("the system does not tell the memory of a process") }
        return kilobytes * 1024
    }
}
