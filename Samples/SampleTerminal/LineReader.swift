import Foundation
import Synchronization

/// Reads standard input on a thread of its own, a line whenever it is asked for one: the main thread belongs to StoreKit's
/// callbacks. While it is not asked it leaves the terminal alone, where StoreKit may have a question open.
package final class LineReader: Sendable {
    private struct State {
        var isAsked = false
        /// What was read and not yet handed on: a pipe gives many lines at once.
        var bytes: [UInt8] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let alarm: (reader: Int32, writer: Int32)
    private let receive: @MainActor @Sendable (String?) -> Void

    /// - Parameter receive: takes each line on the main queue, and nil when there are no more.
    package init(_ receive: @escaping @MainActor @Sendable (String?) -> Void) {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        alarm = (ends[0], ends[1])
        self.receive = receive
        Thread.detachNewThread { [self] in
            while isOpen() {}
        }
    }

    package func askForLine() {
        state.withLock { $0.isAsked = true }
        ring()
    }

    /// Asks no more. What was half typed is dropped, so that it answers nothing else.
    ///
    /// - Returns: whether no line was handed on since the last time one was asked for.
    package func withdraw() -> Bool {
        let wasAsked = state.withLock { state in
            defer { state.isAsked = false }
            return state.isAsked
        }
        if wasAsked, isatty(STDIN_FILENO) == 1 { tcflush(STDIN_FILENO, TCIFLUSH) }
        ring()
        return wasAsked
    }

    /// Lets the thread look again whether a line is asked for.
    private func ring() {
        var byte: UInt8 = 0
        _ = write(alarm.writer, &byte, 1)
    }

    /// Waits until something is asked for or typed, and hands a line on; whether more may come.
    private func isOpen() -> Bool {
        let isAsked = state.withLock { $0.isAsked }
        var events = [
            pollfd(fd: alarm.reader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isAsked ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&events, 2, -1) > 0 else { return true }
        var rung: UInt8 = 0
        if events[0].revents != 0 { _ = read(alarm.reader, &rung, 1) }
        return state.withLock { state in
            guard state.isAsked else { return true }
            if !state.bytes.contains(Self.newline) { Self.take(&state) }
            let line: String?
            if let end = state.bytes.firstIndex(of: Self.newline) {
                line = String(decoding: state.bytes[..<end], as: UTF8.self)
                state.bytes.removeSubrange(...end)
            } else {
                guard state.hasEnded else { return true }
                line = state.bytes.isEmpty ? nil : String(decoding: state.bytes, as: UTF8.self)
                state.bytes = []
            }
            state.isAsked = false
            DispatchQueue.main.async { [receive] in receive(line) }
            return line != nil
        }
    }

    private static let newline = UInt8(ascii: "\n")

    /// Takes what is there, without waiting for it.
    private static func take(_ state: inout State) {
        var event = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, 0) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count > 0 { state.bytes += bytes[..<count] }
        if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { state.hasEnded = true }
    }
}
