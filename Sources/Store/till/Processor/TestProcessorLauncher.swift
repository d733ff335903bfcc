import Foundation
import StoreLog
import StoreModel
import StoreService

/// Runs the test processor of an environment as a process of its own: starts it, starts it again when it died, and ends it.
final class TestProcessorLauncher: Sendable {
    private static let pauses: [Duration] = [.milliseconds(10), .milliseconds(100), .seconds(1), .seconds(5)]
    private static let endSeconds = 5

    private let task: Task<Void, Never>

    /// Starts it without waiting for it.
    ///
    /// - Parameters:
    ///   - options: what `till processor serve` is told besides.
    ///   - secret: what its news are signed with.
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
