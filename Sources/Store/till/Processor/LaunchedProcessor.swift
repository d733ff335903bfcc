import Foundation
import Synchronization

/// One run of the test processor as a child of this process. It ends when this process does, because its input does.
// Safe: Process is set up before it is shared; afterwards only its thread-safe properties are read.
final class LaunchedProcessor: @unchecked Sendable {
    /// This program: by its name, or, where another file has that name by now, by what runs.
    private static var program: URL {
        let running = "/proc/self/exe"
        let name = try? FileManager.default.destinationOfSymbolicLink(atPath: running)
        return URL(fileURLWithPath: name.flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? running)
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let state = Mutex((isReady: false, isEnding: false, hasEnded: false))

    init(_ words: [String], environment: [String: String]) {
        process.executableURL = Self.program
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        process.standardInput = input
        process.standardOutput = output
    }

    /// Whether it said that it takes calls.
    var wasReady: Bool { state.withLock { $0.isReady } }

    /// Starts it and returns its status when it has ended; `ready` gets the line by which it says that it takes calls.
    func run(ready: @escaping @Sendable (String) -> Void) async -> Int32 {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: self.live(ready)) }
            thread.name = "processor process"
            thread.start()
        }
    }

    private func live(_ ready: (String) -> Void) -> Int32 {
        let mayStart = state.withLock { !$0.isEnding }
        guard mayStart, (try? process.run()) != nil else { return -1 }
        readOutput(ready)
        process.waitUntilExit()
        state.withLock { $0.hasEnded = true }
        return process.terminationStatus
    }

    /// Reads to the end, which is that of the process, and hands on the first line.
    private func readOutput(_ ready: (String) -> Void) {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var piece = [UInt8](repeating: 0, count: 4096)
        var line: [UInt8] = []
        while true {
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            guard !wasReady else { continue }
            line += piece.prefix(count)
            guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            let isWanted = state.withLock { state in
                state.isReady = true
                return !state.isEnding
            }
            if isWanted { ready(String(decoding: line[..<end], as: UTF8.self)) }
        }
    }

    /// Lets its input end, and kills it if it does not end then.
    func end(within seconds: Int) {
        let isFirst = state.withLock { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        guard isFirst else { return }
        try? input.fileHandleForWriting.close()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
            let pid = self.process.processIdentifier
            if pid > 0, !self.state.withLock({ $0.hasEnded }) { kill(pid, SIGKILL) }
        }
    }
}
