import Foundation
import StoreFoundation
import Synchronization

/// The terminal that the process runs in. Each question has a thread of its own, which a pipe wakes when the task that asks
/// is cancelled.
package final class SystemTerminal: PromptTerminal {
    /// The most bytes of a line.
    private static let longestLine = 4096

    private let descriptor: Int32
    private let questions = QuestionLock()

    /// The terminal of the process; nil where it has none.
    package init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// - Parameter descriptor: a terminal, which is closed with this object.
    init(descriptor: Int32) { self.descriptor = descriptor }

    package func write(_ text: String) {
        OpenQuestion.interrupt { OpenQuestion.put(text, descriptor) }
    }

    package func read(_ question: String, isSecret: Bool) async -> String? {
        await questions.take()
        defer { questions.give() }
        let wake = Waker()
        guard !Task.isCancelled, wake.descriptor >= 0 else { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    continuation.resume(returning: line(question, isSecret: isSecret, until: wake))
                }
            }
        } onCancel: {
            wake.wake()
        }
    }

    /// Asks, and reads a line on a thread that may wait. Once the question is seen it may be answered: echo is off by then.
    private func line(_ question: String, isSecret: Bool, until wake: Waker) -> String? {
        var former = termios()
        let isHidden = isSecret && tcgetattr(descriptor, &former) == 0
        if isHidden {
            var silent = former
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(descriptor, TCSAFLUSH, &silent)
        }
        OpenQuestion.begin(question, on: descriptor)
        defer {
            OpenQuestion.end()
            if isHidden {
                tcsetattr(descriptor, TCSANOW, &former)
                write("\n")
            }
        }
        var bytes: [UInt8] = []
        while bytes.count < Self.longestLine {
            var events = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&events, 2, -1)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, events[1].revents == 0 else { return nil }
            var byte: UInt8 = 0
            guard Foundation.read(descriptor, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }
}

/// The question that waits for its answer on the terminal of the process. Whatever is written there meanwhile, it is the last
/// line afterwards.
enum OpenQuestion {
    private struct Place {
        let question: String
        let descriptor: Int32
    }

    private static let place = Mutex<Place?>(nil)
    /// Goes to the start of the line and clears it.
    private static let clearing = "\r\u{1B}[K"

    static func begin(_ question: String, on descriptor: Int32) {
        place.withLock { place in
            place = Place(question: question, descriptor: descriptor)
            put(question, descriptor)
        }
    }

    static func end() { place.withLock { $0 = nil } }

    /// Writes lines in the place of the question, and the question below them.
    static func interrupt(_ body: () -> Void) {
        place.withLock { place in
            if let place { put(clearing, place.descriptor) }
            body()
            if let place { put(place.question, place.descriptor) }
        }
    }

    /// Shows the question once more: the app was called, and may have written a line after it.
    static func showAgain() { interrupt {} }

    static func put(_ text: String, _ descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Lets one question after the other have the terminal.
private final class QuestionLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
