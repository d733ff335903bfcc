import Dispatch
import Foundation
import StoreFoundation
package import StoreModel
import Synchronization

/// Lines of a log on their way to a file, a pipe or a terminal, written by a thread of their own.
///
/// Whoever logs never waits: neither for a full disk nor for a reader that does not read. Lines that cannot be written,
/// and those for which the queue has no room, are counted; as soon as something can be written again, a line says how
/// many are missing at that place.
package final class LogQueue: Sendable {
    /// The lines that may wait, in bytes. Further ones are lost.
    package static let waitingBytes = 4 << 20

    private let writer: QueuedWriter

    /// - Parameters:
    ///   - descriptor: where lines go. It stays open as long as the queue.
    ///   - format: the form of the line that says how many are missing.
    ///   - time: returns the time of that line.
    package init(
        _ descriptor: Int32, format: LogFormat, waitingBytes: Int = LogQueue.waitingBytes,
        time: @escaping @Sendable () -> Instant
    ) {
        let writer = QueuedWriter(descriptor, limit: waitingBytes, format: format, time: time)
        self.writer = writer
        writer.isAlone = !OwnThread.start(named: "log") { writer.run() }
    }

    deinit { writer.end() }

    /// Queues a line, which ends with a line feed.
    package func add(_ line: [UInt8]) { writer.add(line) }

    /// How many lines were lost since the beginning.
    package var lost: Int { writer.lost }

    /// Returns when what was added so far is written or lost; false if that takes longer.
    package func flush(within time: Duration) async -> Bool {
        await OwnThread.run(named: "log flush") { [writer] in writer.flush(within: time) }
    }
}

/// What the queue shares with its thread.
private final class QueuedWriter: Sendable {
    private struct Line {
        let bytes: [UInt8]
        /// Lines that were lost before this one, because the queue was full.
        let lostBefore: Int
    }

    private struct Waiter {
        /// It waits until so many lines are done with.
        let count: Int
        let signal: DispatchSemaphore
    }

    private struct State {
        var lines: [Line] = []
        var bytes = 0
        /// Lines that were lost after the last one of the queue.
        var lostBehind = 0
        var lost = 0
        var added = 0
        var done = 0
        var waiters: [Waiter] = []
        var isEnded = false
        /// Whether there is no thread, so that whoever adds a line writes it.
        var isAlone = false
    }

    private let state = Mutex(State())
    private let output: Mutex<LogOutput>
    private let limit: Int
    private let wakeUp = DispatchSemaphore(value: 0)

    init(_ descriptor: Int32, limit: Int, format: LogFormat, time: @escaping @Sendable () -> Instant) {
        self.limit = limit
        output = Mutex(LogOutput(descriptor, format, time))
    }

    var lost: Int { state.withLock { $0.lost } }

    var isAlone: Bool {
        get { state.withLock { $0.isAlone } }
        set { state.withLock { $0.isAlone = newValue } }
    }

    func add(_ line: [UInt8]) {
        let (isFirst, isAlone) = state.withLock { state in
            guard state.bytes + line.count <= limit else {
                state.lost += 1
                state.lostBehind += 1
                return (false, state.isAlone)
            }
            state.lines.append(Line(bytes: line, lostBefore: state.lostBehind))
            state.lostBehind = 0
            state.bytes += line.count
            state.added += 1
            return (state.lines.count == 1, state.isAlone)
        }
        if isAlone { writeAll() } else if isFirst { wakeUp.signal() }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        wakeUp.signal()
    }

    /// Writes what comes until the end.
    func run() {
        while !state.withLock({ $0.isEnded && $0.lines.isEmpty }) {
            wakeUp.wait()
            writeAll()
        }
    }

    private func writeAll() {
        output.withLock { output in
            while true {
                let lines = state.withLock { state in
                    defer { state.lines = [] }
                    return state.lines
                }
                guard !lines.isEmpty else { break }
                for line in lines { write(line, to: &output) }
            }
            // No further line may come for long.
            output.missing += state.withLock { state in
                defer { state.lostBehind = 0 }
                return state.lostBehind
            }
            if output.works { _ = output.tellMissing() }
        }
    }

    private func write(_ line: Line, to output: inout LogOutput) {
        output.missing += line.lostBefore
        let isWritten = output.write(line.bytes)
        let met = state.withLock { state in
            state.bytes -= line.bytes.count
            if !isWritten { state.lost += 1 }
            state.done += 1
            let done = state.done
            let met = state.waiters.filter { $0.count <= done }
            state.waiters.removeAll { $0.count <= done }
            return met
        }
        for waiter in met { waiter.signal.signal() }
    }

    func flush(within time: Duration) -> Bool {
        let signal = DispatchSemaphore(value: 0)
        let isDone = state.withLock { state in
            guard state.done < state.added else { return true }
            state.waiters.append(Waiter(count: state.added, signal: signal))
            return false
        }
        guard !isDone else { return true }
        let milliseconds = Int(time / .milliseconds(1))
        return signal.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }
}

/// Where lines go, and what is missing there.
private struct LogOutput: Sendable {
    private let descriptor: Int32
    private let format: LogFormat
    private let time: @Sendable () -> Instant
    /// Lines that are missing behind the last one that was written.
    var missing = 0
    /// Whether the last attempt succeeded.
    private(set) var works = true
    /// Whether a line was written in part only.
    private var isWithinLine = false

    init(_ descriptor: Int32, _ format: LogFormat, _ time: @escaping @Sendable () -> Instant) {
        self.descriptor = descriptor
        self.format = format
        self.time = time
    }

    /// Writes a line, after one that says what is missing before it; false if it could not be written.
    mutating func write(_ line: [UInt8]) -> Bool {
        guard tellMissing(), put(line) else {
            missing += 1
            return false
        }
        return true
    }

    /// Says what is missing; false if that could not be written either.
    mutating func tellMissing() -> Bool {
        guard missing > 0 else { return true }
        let entry = LogEntry(
            time: time(), level: .warning, event: "log.lines_lost",
            message: missing == 1 ? "1 line could not be written." : "\(missing) lines could not be written.",
            fields: [.init("lines", .number(Int64(missing)))])
        guard put(Array((format.line(of: entry) + "\n").utf8)) else { return false }
        missing = 0
        return true
    }

    /// One call writes a whole line, which the system keeps together with those of other processes.
    private mutating func put(_ line: [UInt8]) -> Bool {
        let bytes = isWithinLine ? [UInt8(ascii: "\n")] + line : line
        var rest = bytes[...]
        works = true
        while works, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                works = count < 0 && errno == EAGAIN && waitForRoom()
            }
        }
        if rest.count < bytes.count { isWithinLine = !rest.isEmpty }
        return works
    }

    /// Waits where another process has made the pipe or terminal one that does not wait; false if it is no good any more.
    private func waitForRoom() -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, -1) >= 0 || errno == EINTR
    }
}
