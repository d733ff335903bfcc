import Foundation
import Testing

/// The real program, as a process of its own.
struct TillProcess {
    let process = Process()
    private let output = Pipe()

    /// The binary that was built together with these tests.
    static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("till")
    }

    /// Starts the program, under another umask if one is given.
    init(_ words: [String], umask: Int? = nil) throws {
        if let umask {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "umask \(umask); exec \"$0\" \"$@\"", Self.executable.path] + words
        } else {
            process.executableURL = Self.executable
            process.arguments = words
        }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for the end and answers the status and what was written.
    func finish() -> (status: Int32, output: String) {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Ends it the hard way.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
