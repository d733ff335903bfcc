import Foundation

/// Starts the programs that ours is compared with.
enum ChildProcess {
    /// Runs a program to its end and answers what it printed.
    static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = make(program, arguments)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(program) ended with status \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// A process that looks its program up in `PATH`.
    static func make(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        return process
    }
}
