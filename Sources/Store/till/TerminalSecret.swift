import CommandOptions
import Foundation

/// Asks on the terminal for something that must not be seen while it is typed.
enum TerminalSecret {
    static func ask(_ question: String) throws -> String {
        StandardStream.writeError(Array(question.utf8))
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw failure }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { throw failure }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            StandardStream.writeError([UInt8(ascii: "\n")])
        }
        guard let line = readLine() else { throw failure }
        return line
    }

    private static var failure: CommandFailure {
        CommandFailure(.inputOutput, "nothing could be read from the terminal")
    }
}
