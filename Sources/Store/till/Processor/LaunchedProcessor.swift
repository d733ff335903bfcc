import ChildProcesses
import Foundation
import Synchronization

/// One run of the test processor as a child of this process. It ends when this process does, because its input does.
final class LaunchedProcessor: Sendable {
    /// This program: by its name, or, where another file has that name by now, by what runs.
    private static var program: String {
        let running = "/proc/self/exe"
        let name = try? FileManager.default.destinationOfSymbolicLink(atPath: running)
        return name.flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? running
    }

    private struct State {
        var child: ChildProcess?
        var isReady = false
        var isEnding = false
    }

    private let words: [String]
    private let environment: [String: String]
    private let state = Mutex(State())

    init(_ words: [String], environment: [String: String]) {
        self.words = words
        self.environment = environment
    }

    /// Whether it said that it takes calls.
    var wasReady: Bool { state.withLock { $0.isReady } }

    /// Starts it and returns its status when it has ended; `ready` gets the line by which it says that it takes calls.
    ///
    /// The status is negative if it could not be started: the system's error number.
    func run(ready: @escaping @Sendable (String) -> Void) async -> Int32 {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: self.live(ready)) }
            thread.name = "processor process"
            thread.start()
        }
    }

    private func live(_ ready: (String) -> Void) -> Int32 {
        do {
            guard let child = try start() else { return 0 }
            readOutput(of: child, ready)
            return child.wait()
        } catch {
            return -error.number
        }
    }

    /// Nothing if it is to end already.
    private func start() throws(ChildProcess.Failure) -> ChildProcess? {
        try state.withLock { state throws(ChildProcess.Failure) in
            guard !state.isEnding else { return nil }
            let variables = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
            state.child = try ChildProcess(
                Self.program, words, environment: variables, input: .pipe, output: .pipe)
            return state.child
        }
    }

    /// Reads to the end, which is that of the process, and hands on the first line.
    private func readOutput(of child: ChildProcess, _ ready: (String) -> Void) {
        guard let descriptor = child.output?.fileDescriptor else { return }
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
        let child = state.withLock { state in
            defer { state.isEnding = true }
            return state.isEnding ? nil : state.child
        }
        guard let child else { return }
        try? child.input?.close()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { child.kill() }
    }
}
