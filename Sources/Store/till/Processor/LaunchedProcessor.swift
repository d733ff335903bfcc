import ChildProcesses
import Foundation
import StoreFoundation
import StoreLog
import StoreModel
import StoreService
import Synchronization

/// One run of the test processor as a child of this process. It ends when this process does, because its input does.
final class LaunchedProcessor: Sendable {
    /// This program: by its path, or, if that file was replaced, by the running image.
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

    /// Whether it has reported that it accepts calls.
    var wasReady: Bool { state.withLock { $0.isReady } }

    /// Starts it and returns its status when it has ended; `ready` gets the line by which it says that it takes calls.
    ///
    /// The status is negative if it could not be started: the system's error number.
    func run(ready: @escaping @Sendable (String) -> Void) async -> Int32 {
        await OwnThread.run(named: "processor process") { self.live(ready) }
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

    /// nil if it is to end already.
    private func start() throws(ChildProcess.Failure) -> ChildProcess? {
        try state.withLock { state throws(ChildProcess.Failure) in
            guard !state.isEnding else { return nil }
            let variables = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
            state.child = try ChildProcess(
                Self.program, words, environment: variables, input: .pipe, output: .pipe)
            return state.child
        }
    }

    /// Reads to the end of the process's output, and passes on the first line.
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

    /// Closes its input, and kills it if it does not end then.
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

/// Runs the test processor of an environment as a process of its own: starts it, restarts it after a crash, and ends
/// it.
final class TestProcessorLauncher: Sendable {
    private static let pauses: [Duration] = [.milliseconds(10), .milliseconds(100), .seconds(1), .seconds(5)]
    private static let endSeconds = 5

    private let task: Task<Void, Never>

    /// Starts it without waiting for it.
    ///
    /// - Parameters:
    ///   - options: further options of `till processor serve`.
    ///   - secret: the secret that its notifications are signed with.
    init(
        _ directory: DataDirectory, _ environment: StoreEnvironment, options: [String], secret: String, log: Log
    ) {
        let words =
            [
                "processor", "serve", "--data", directory.path, "--environment", environment.rawValue,
                "--until-input-ends",
            ] + options
        task = Task { await Self.supervise(words, secret, environment, log) }
    }

    private static func supervise(
        _ words: [String], _ secret: String, _ environment: StoreEnvironment, _ log: Log
    ) async {
        var failures = 0
        while !Task.isCancelled {
            let child = LaunchedProcessor(words, environment: ["TILL_PROCESSOR_NEWS_SECRET": secret])
            let status = await withTaskCancellationHandler {
                await child.run { line in
                    log.info(
                        "processor.started", "The test processor takes calls.",
                        ["environment": .text(environment.rawValue), "ready": .text(line)])
                }
            } onCancel: {
                child.end(within: endSeconds)
            }
            if Task.isCancelled { return }
            failures = child.wasReady ? 0 : failures + 1
            log.warning(
                "processor.ended", "The test processor ended; it is started again.",
                ["environment": .text(environment.rawValue), "status": .number(Int64(status))])
            try? await Task.sleep(for: pauses[min(failures, pauses.count - 1)])
        }
    }

    /// Ends the processor and returns when it is gone.
    func stop() async {
        task.cancel()
        await task.value
    }
}
