import CommandOptions
import Foundation
import Synchronization

/// How far long work has come: a bar that moves on a terminal, and elsewhere a line for each tenth. Work that is over in a
/// moment shows nothing.
final class TransferBar: Sendable {
    private struct State {
        var begun: Int64
        var first: Int64?
        var shown: Int64 = 0
        var tenths = 0
        var hasBar = false
    }

    private let what: String
    private let write: @Sendable (String) -> Void
    private let isTerminal: Bool
    private let nanoseconds: @Sendable () -> Int64
    private let state: Mutex<State>
    private static let second: Int64 = 1_000_000_000

    /// - Parameter since: monotonic nanoseconds.
    init(_ what: String, _ context: CommandContext, since: @escaping @Sendable () -> Int64 = SystemClock.nanoseconds) {
        self.what = what
        write = { context.warn(Array($0.utf8)) }
        isTerminal = context.errorIsTerminal
        nanoseconds = since
        state = Mutex(State(begun: since()))
    }

    /// Shows that so much is done.
    func show(_ done: Int64, of total: Int64) {
        let now = nanoseconds()
        state.withLock { state in
            // What was done before this process does not count for the rate.
            let first = state.first ?? done
            state.first = first
            guard total > 0, now - state.begun > Self.second else { return }
            let tenths = Int(done * 10 / total)
            if isTerminal {
                guard now - state.shown > Self.second / 10 || done == total else { return }
                state.hasBar = true
                write("\r\u{1B}[K" + Self.bar(what, done, total, rate: Self.rate(done - first, now - state.begun)))
            } else {
                guard tenths > state.tenths else { return }
                write(Self.plain(what, done, total) + "\n")
            }
            (state.shown, state.tenths) = (now, tenths)
        }
    }

    /// Says something between.
    func say(_ line: String) {
        state.withLock { state in
            if state.hasBar { write("\r\u{1B}[K") }
            state.hasBar = false
            write(line + "\n")
        }
    }

    /// Takes the bar away.
    func end() {
        state.withLock { state in
            if state.hasBar { write("\r\u{1B}[K") }
            state.hasBar = false
        }
    }

    /// Bytes a second.
    static func rate(_ bytes: Int64, _ nanoseconds: Int64) -> Double {
        nanoseconds > 0 ? Double(bytes) / Double(nanoseconds) * Double(second) : 0
    }

    static func plain(_ what: String, _ done: Int64, _ total: Int64) -> String {
        "\(what): \(done * 100 / max(total, 1)) % of \(ByteText(total))"
    }

    static func bar(_ what: String, _ done: Int64, _ total: Int64, rate: Double) -> String {
        let width = 24
        let filled = Int(done * Int64(width) / max(total, 1))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        var line = "\(what) [\(bar)] \(done * 100 / max(total, 1)) %, \(ByteText(done)) of \(ByteText(total))"
        if rate >= 1 {
            let seconds = Int(Double(total - done) / rate)
            line += ", \(ByteText(Int64(rate)))/s, " + String(format: "%d:%02d left", seconds / 60, seconds % 60)
        }
        return line
    }
}
