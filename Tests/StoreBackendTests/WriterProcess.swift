import Foundation
import StoreBackend
import TestSupport
import Testing

/// The program that writes to a database until it is done or killed, in this case by a fault at a call of the system.
enum WriterProcess {
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("storage-writer")

    /// A run with these words. Every call counts by which it changes the file, or asks or hears the server.
    static func fault(_ words: [String], _ place: BackendPlace) -> InjectedFault {
        switch place.dialect {
        case .sqlite:
            let calls = ["openat", "pwrite64", "fdatasync", "fsync", "ftruncate", "unlink"]
            let paths = ["", "-wal", "-shm", "-journal"].map { place.address + $0 }
            return InjectedFault(executable, words, calls: calls, at: paths)
        case .postgres: return InjectedFault(executable, words, calls: ["sendto", "recvfrom"], at: [])
        }
    }

    /// What the call names from which on a step counts.
    static func beginning(of place: BackendPlace) -> String {
        switch place.dialect {
        case .sqlite: place.address
        case .postgres: "BEGIN"
        }
    }

    /// All steps in a soak, else some of every part, and the last.
    static func chosen(_ steps: [InjectedFault.Call], most count: Int) -> [InjectedFault.Call] {
        guard !RandomizedRun.isSoak, steps.count > count else { return steps }
        var random = RandomizedRun.generator(named: "kills of writers")
        let parts = (0..<count).map { $0 * steps.count / count..<($0 + 1) * steps.count / count }
        let places = parts.map { Int.random(in: $0, using: &random) } + [steps.count - 1]
        return Set(places).sorted().map { steps[$0] }
    }

    /// Runs it from its beginning to its end; gives its lines.
    static func run(_ words: [String]) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words) ended with \(process.terminationStatus)")
        return text.split(separator: "\n").map(String.init)
    }
}
