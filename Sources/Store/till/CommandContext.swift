import CommandOptions
import Foundation
import StoreFoundation
import StoreModel

/// The environment of a command: arguments, streams, terminal and clock.
struct CommandContext: Sendable {
    /// The words after the program's name.
    var arguments: [String]
    var environment: [String: String]
    /// The time at which the command began.
    var now: Instant
    /// Writes to standard output.
    var write: @Sendable ([UInt8]) -> Void
    /// Writes to standard error.
    var warn: @Sendable ([UInt8]) -> Void
    /// Whether standard output is a terminal.
    var outputIsTerminal: Bool
    /// How many columns standard output has, if it is a terminal that says so.
    var outputWidth: Int?
    /// Whether standard error is a terminal.
    var errorIsTerminal = false
    /// Reads a secret from the terminal; nil if there is no terminal.
    var ask: (@Sendable (_ question: String) throws -> String)?
    /// The store that a command is about, whatever its options say; nil where they say it.
    var store: AdminConnection?

    /// The words in the language that the variables ask for.
    var texts: Texts { Texts.best(for: Texts.languages(environment)) }

    func print(_ line: String) { write(Array((line + "\n").utf8)) }

    func printError(_ line: String) { warn(Array((line + "\n").utf8)) }

    func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(Array(encoder.encode(value)) + Array("\n".utf8))
    }

    /// The context of this process.
    static var process: CommandContext {
        let ask: @Sendable (String) throws -> String = { try TerminalSecret.ask($0) }
        return CommandContext(
            arguments: Array(CommandLine.arguments.dropFirst()),
            environment: ProcessInfo.processInfo.environment, now: SystemClock.now(), write: StandardStream.writeOutput,
            warn: StandardStream.writeError, outputIsTerminal: isatty(STDOUT_FILENO) == 1, outputWidth: terminalWidth,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            ask: isatty(STDIN_FILENO) == 1 ? ask : nil)
    }

    private static var terminalWidth: Int? {
        var size = winsize()
        // Fails where it is no terminal.
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

/// Writes to the streams that every process is given.
enum StandardStream {
    /// Opens what is closed of them, for nothing: the first file of the store would get that number, and what is printed
    /// would stand in it.
    static func complete() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// A failed write ends the command, because the output would seem complete.
    @Sendable static func writeOutput(_ bytes: [UInt8]) {
        if !tryOutput(bytes) { exit(ExitCode.inputOutput.rawValue) }
    }

    /// Writes to standard output; false if not everything could be written.
    static func tryOutput(_ bytes: [UInt8]) -> Bool { write(bytes, to: STDOUT_FILENO) }

    /// Writes what can be written within seconds. The status of a command says that it failed, too.
    @Sendable static func writeError(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, errorMilliseconds) > 0, write(Array(rest.prefix(roomOfPipe)), to: STDERR_FILENO)
            else { return }
            rest = rest.dropFirst(roomOfPipe)
        }
    }

    /// How long a reader of errors may take.
    private static let errorMilliseconds: Int32 = 2000
    /// What a pipe has room for, that takes anything.
    private static let roomOfPipe = Int(PIPE_BUF)

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// A file that a command reads; `-` is standard input.
enum InputFile {
    /// The bytes of a file, at most one more than the limit.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let failure = CommandFailure(.inputMissing, "\(path) cannot be read")
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let handle else { throw failure }
        do {
            var bytes: [UInt8] = []
            while bytes.count <= limit, let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty {
                bytes += piece
            }
            return bytes
        } catch {
            throw failure
        }
    }
}

/// Asks on the terminal for something that must not be seen while it is typed.
enum TerminalSecret {
    /// The signals that end the program. A hidden question must not leave the terminal without echo.
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
// Safe: one question is asked at a time, and this is written before the handler that reads it is installed.
nonisolated(unsafe) private let terminalBefore = UnsafeMutablePointer<termios>.allocate(capacity: 1)

/// Ends the program by the same signal, as if it had not been caught. Calls async-signal-safe functions only.
private func restoreTerminalAndEnd(by ending: Int32) {
    tcsetattr(STDIN_FILENO, TCSANOW, terminalBefore)
    signal(ending, SIG_DFL)
    raise(ending)
}
