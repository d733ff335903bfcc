package import Foundation

/// Runs a real program under strace and lets one chosen system call kill it, or fail.
///
/// Which calls there are is learned from a run without faults, so that every one of them can have its turn.
package struct InjectedFault: Sendable {
    package enum Effect: Sendable {
        /// `kill -9` as the call begins.
        case kill
        /// The call fails with this error, by its C name.
        case error(String)
    }

    package struct Call: Hashable, Sendable, CustomStringConvertible {
        package let name: String
        /// Counts the calls of this name by one thread, from 1.
        package let number: Int

        package var description: String { "\(name) \(number)" }
    }

    /// strace could not do its work.
    struct NotTraced: Error {
        let errors: String
    }

    /// Everything by which a program changes a disk.
    package static let changingCalls = ["openat", "write", "fsync", "rename", "unlink", "mkdir"]

    private let program: URL
    private let words: [String]
    private let names: [String]
    private let paths: [String]

    /// Calls of these names that concern one of the paths count.
    ///
    /// strace counts the calls of each thread by itself. So these should be files that only one thread changes: what
    /// the runtime opens and writes is done by one thread or another, as it happens.
    package init(_ program: URL, _ words: [String], calls names: [String] = changingCalls, at paths: [String]) {
        self.program = program
        self.words = words
        self.names = names
        self.paths = paths
    }

    /// Runs the program without faults and lists its calls from the first on that names this text.
    package func calls(within data: String) throws -> [Call] {
        let log = NSTemporaryDirectory() + "till-strace-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: log) }
        let run = try strace(["-e", "trace=\(names.joined(separator: ","))", "-o", log])
        guard run.status == 0 else { throw NotTraced(errors: run.errors) }
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        var counts: [String: Int] = [:]
        var begun = false
        var calls: [Call] = []
        for line in lines {
            // A line is: process, call(arguments) = result.
            guard let name = names.first(where: { line.contains(" \($0)(") }) else { continue }
            let thread = line.prefix { $0 != " " }
            counts["\(thread) \(name)", default: 0] += 1
            begun = begun || line.contains(data)
            if begun { calls.append(Call(name: name, number: counts["\(thread) \(name)"] ?? 0)) }
        }
        return calls
    }

    /// Runs the program with a fault at one call.
    package func run(_ effect: Effect, at call: Call) throws -> (status: Int32, output: String, errors: String) {
        let fault =
            switch effect {
            case .kill: "signal=KILL"
            case .error(let name): "error=\(name)"
            }
        let injection = "inject=\(call.name):\(fault):when=\(call.number)"
        return try strace(["-e", "trace=\(call.name)", "-e", injection, "-o", "/dev/null"])
    }

    private func strace(_ options: [String]) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        process.arguments = ["-f", "-qq"] + options + paths.flatMap { ["-P", $0] } + [program.path] + words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: text, as: UTF8.self),
            String(decoding: complaints, as: UTF8.self)
        )
    }
}

/// Runs what waits for processes on a thread of its own: those of tasks are as few as cores, and all tests run on them.
package func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
