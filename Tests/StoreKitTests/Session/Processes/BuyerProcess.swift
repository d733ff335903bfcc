import Foundation

/// A `store-buyer`, which tells its steps line by line.
final class BuyerProcess: Sendable {
    // Closed: what a process does is to write a line or to end.
    enum Event: Sendable {
        case line(String)
        /// - Parameters:
        ///   - status: with which it ended by itself; nil if it was killed.
        ///   - errors: what it wrote to its standard error.
        case ended(status: Int32?, errors: String)
    }

    let events: AsyncStream<Event>
    private let input: FileHandle

    init(_ words: [String], _ variables: [String: String]) throws {
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("store-buyer")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        // Another process that is started meanwhile is not to keep this one's input open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
        self.input = input.fileHandleForWriting
        let (events, continuation) = AsyncStream<Event>.makeStream()
        self.events = events
        Thread.detachNewThread {
            for line in Lines(output.fileHandleForReading) { continuation.yield(.line(line)) }
            let message = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
            process.waitUntilExit()
            let status = process.terminationReason == .exit ? process.terminationStatus : nil
            continuation.yield(.ended(status: status, errors: message))
            continuation.finish()
        }
    }

    /// Lets the process end by itself.
    func end() { try? input.close() }
}

/// The whole lines of a file, as they come.
private struct Lines: Sequence, IteratorProtocol {
    private let file: FileHandle
    private var rest: [UInt8] = []

    init(_ file: FileHandle) {
        self.file = file
    }

    mutating func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let piece = file.availableData
            guard !piece.isEmpty else { return nil }
            rest += piece
        }
    }
}
