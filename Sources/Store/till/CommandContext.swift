import Foundation
import StoreModel

/// What a command sees of the world.
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
    /// Whether a person reads standard output.
    var outputIsTerminal: Bool
    /// Whether a person reads standard error.
    var errorIsTerminal = false
    /// Asks a person for a secret; nil where nobody is there to be asked.
    var ask: (@Sendable (_ question: String) throws -> String)?

    func print(_ line: String) { write(Array((line + "\n").utf8)) }

    func printError(_ line: String) { warn(Array((line + "\n").utf8)) }

    func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(Array(encoder.encode(value)) + Array("\n".utf8))
    }
}

extension CommandContext {
    /// The world of this process.
    static var process: CommandContext {
        let ask: @Sendable (String) throws -> String = { try TerminalSecret.ask($0) }
        return CommandContext(
            arguments: Array(CommandLine.arguments.dropFirst()),
            environment: ProcessInfo.processInfo.environment, now: SystemClock.now(), write: StandardStream.writeOutput,
            warn: StandardStream.writeError, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            ask: isatty(STDIN_FILENO) == 1 ? ask : nil)
    }
}
