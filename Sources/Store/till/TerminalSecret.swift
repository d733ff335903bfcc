import CommandOptions
import Foundation

/// Asks on the terminal for something that must not be seen while it is typed.
enum TerminalSecret {
    /// What ends the program from the terminal or from outside. A hidden question must not leave a mute terminal behind.
    private static let endings = [SIGINT, SIGQUIT, SIGTERM]

    static func ask(_ question: String) throws -> String {
        guard tcgetattr(STDIN_FILENO, terminalBefore) == 0 else { throw failure }
        let former = endings.map { signal($0, restoreTerminalAndEnd) }
        defer { for (ending, handler) in zip(endings, former) { signal(ending, handler) } }
        var silent = terminalBefore.pointee
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { throw failure }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, terminalBefore)
            StandardStream.writeError([UInt8(ascii: "\n")])
        }
        StandardStream.writeError(Array(question.utf8))
        guard let line = readLine() else { throw failure }
        return line
    }

    private static var failure: CommandFailure {
        CommandFailure(.inputOutput, "nothing could be read from the terminal")
    }
}

/// The terminal as it was before the question.
// Safe: one question is asked at a time, and this is written before the handler that reads it is there.
nonisolated(unsafe) private let terminalBefore = UnsafeMutablePointer<termios>.allocate(capacity: 1)

/// Ends the program by the same signal, as if it had not been caught. Calls only what a handler may call.
private func restoreTerminalAndEnd(by ending: Int32) {
    tcsetattr(STDIN_FILENO, TCSANOW, terminalBefore)
    signal(ending, SIG_DFL)
    raise(ending)
}
