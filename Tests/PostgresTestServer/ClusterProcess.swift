import Foundation

/// The script that runs a server for us, and obeys what we write to it. When it hears no more of us, as when this process
/// has ended in whatever way, it ends the server.
// Safe: whoever writes to it and waits for its answer holds the lock.
final class ClusterProcess: @unchecked Sendable {
    private let lock = NSLock()
    private let process = Process()
    private let words = Pipe()
    private let answers = Pipe()
    private var received = Data()

    init() throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        process.executableURL = repository.appending(path: "Scripts/postgres-cluster.sh")
        process.standardInput = words
        process.standardOutput = answers
        // Whoever waits for the end of our own output need not wait for the server's.
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Says a word and waits for the answer.
    func say(_ word: String) throws -> String {
        try lock.withLock {
            try words.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
            return try nextAnswer()
        }
    }

    /// Waits for the next answer: the folder of the server.
    func answer() throws -> String {
        try lock.withLock { try nextAnswer() }
    }

    private func nextAnswer() throws -> String {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received.removeSubrange(...end)
                guard line.hasPrefix("ready ") else { throw ClusterError(message: line) }
                return String(line.dropFirst(6))
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else { throw ClusterError(message: "the script that runs PostgreSQL has ended") }
            received += more
        }
    }

    deinit {
        try? words.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Why there is no PostgreSQL to test with.
package struct ClusterError: Error, CustomStringConvertible {
    let message: String

    package var description: String { "PostgreSQL for tests: \(message)" }
}
