import Foundation
import Testing

@testable import till

/// Runs the real program under strace and lets one chosen system call kill it, or fail.
///
/// Which calls there are is learned from a run without faults, so that every one of them can have its turn.
struct InjectedFault {
    enum Effect {
        /// `kill -9` as the call begins.
        case kill
        /// The call fails with this error, by its C name.
        case error(String)
    }

    struct Call: CustomStringConvertible {
        let name: String
        /// Counts the calls of this name, from 1.
        let number: Int

        var description: String { "\(name) \(number)" }
    }

    /// Everything by which a program changes a disk.
    private static let changingCalls = ["openat", "write", "fsync", "rename", "unlink", "mkdir"]

    /// Runs the program without faults and lists its calls from the first that concerns the data directory on.
    static func calls(of words: [String], within data: String) throws -> [Call] {
        let log = NSTemporaryDirectory() + "till-strace-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: log) }
        let run = try strace(["-e", "trace=\(changingCalls.joined(separator: ","))", "-o", log], words)
        try #require(run.status == 0, "strace and the right to trace are needed: \(run.errors)")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        var counts: [String: Int] = [:]
        var begun = false
        var calls: [Call] = []
        for line in lines {
            // A line is: process, call(arguments) = result.
            guard let name = changingCalls.first(where: { line.contains(" \($0)(") }) else { continue }
            counts[name, default: 0] += 1
            begun = begun || line.contains(data)
            if begun { calls.append(Call(name: name, number: counts[name] ?? 0)) }
        }
        return calls
    }

    /// Runs the program with a fault at one call.
    static func run(_ words: [String], _ effect: Effect, at call: Call) throws -> (status: Int32, errors: String) {
        let fault =
            switch effect {
            case .kill: "signal=KILL"
            case .error(let name): "error=\(name)"
            }
        let injection = "inject=\(call.name):\(fault):when=\(call.number)"
        return try strace(["-e", "trace=\(call.name)", "-e", injection, "-o", "/dev/null"], words)
    }

    private static func strace(_ options: [String], _ words: [String]) throws -> (status: Int32, errors: String) {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        process.arguments = ["-f"] + options + [TillProcess.executable.path] + words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
