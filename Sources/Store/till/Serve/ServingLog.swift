import Foundation
import StoreLog
import StoreModel

/// The log of a command that runs for long: lines on standard error that it never waits for.
struct ServingLog: Sendable {
    let log: Log
    private let queue: LogQueue

    init(_ format: LogFormat, isVerbose: Bool = true, least: LogLevel) {
        let queue = LogQueue(STDERR_FILENO, format: format, time: SystemClock.now)
        self.queue = queue
        log = LogWriter(format: format, isVerbose: isVerbose, write: queue.add).log(least: least)
    }

    /// How many lines could not be written.
    var lostLines: Int { queue.lost }

    /// Does what a command does, and lets what it has logged be written, too, before its failure is shown. A reader that does
    /// not read keeps it only so long.
    func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            await flush()
            throw error
        }
        await flush()
    }

    private func flush() async { _ = await queue.flush(within: .seconds(2)) }
}

/// Writes entries as lines.
struct LogWriter: Sendable {
    let format: LogFormat
    /// Whether a window shows everything, requests too.
    var isVerbose = true
    let write: @Sendable ([UInt8]) -> Void

    /// What a window does not show: what the announcement says anyway, and requests.
    private static let quiet: Set<String> = ["request", "listener.started", "processor.started"]

    /// The log of a long-running command.
    func log(least: LogLevel) -> Log {
        let (format, write, showsAll) = (format, write, isVerbose || format != .brief)
        return Log(
            least: least, time: SystemClock.now,
            sink: { entry in
                guard showsAll || entry.level >= .warning || !Self.quiet.contains(entry.event) else { return }
                write(Array((format.line(of: entry) + "\n").utf8))
            })
    }
}
