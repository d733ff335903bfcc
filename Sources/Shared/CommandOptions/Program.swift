/// A program: the tree of its commands and its version.
///
/// ```swift
/// switch program.parse(CommandLine.arguments.dropFirst(), environment: environment) {
/// case .run(let invocation): invocation.action(invocation.arguments)
/// case .text(let text): print(text)
/// case .failure(let error): …
/// }
/// ```
package struct Program<Action: Sendable>: Sendable {
    package let root: Command<Action>
    /// What `--version` prints, the program's name included; nil for a program without versions.
    package let version: String?

    package init(_ root: Command<Action>, version: String? = nil) {
        self.root = root
        self.version = version
    }

    /// Reads a command line. It depends on its parameters alone, and prints nothing.
    ///
    /// - Parameters:
    ///   - arguments: the words after the program's name.
    ///   - environment: the environment's variables; `COLUMNS` sets the width of help.
    ///   - settings: finds the settings file, which gives what command line and environment leave out.
    ///   - width: the width of help, to override `COLUMNS`.
    package func parse(
        _ arguments: some Sequence<String>, environment: [String: String] = [:], settings: SettingsLookup? = nil,
        width: Int? = nil
    ) -> ParseResult<Action> {
        let width = width ?? environment["COLUMNS"].flatMap { Int($0) } ?? HelpText<Action>.standardWidth
        var parser = CommandParser(
            program: self, arguments: Array(arguments), environment: environment, settings: settings)
        do throws(ParseStop) {
            return .run(try parser.parse())
        } catch {
            switch error {
            case .help: return .text(HelpText(program: self, path: parser.path, width: width).description)
            case .version: return .text(version ?? root.name)
            case .failure(let error): return .failure(error)
            }
        }
    }

    /// The help of the command that the words lead to, the program's name left out; nil if there is none.
    package func help(for words: [String] = [], width: Int = 80) -> String? {
        var path = [root]
        for word in words {
            guard let next = path.last?.subcommands.first(where: { $0.name == word }) else { return nil }
            path.append(next)
        }
        return HelpText(program: self, path: path, width: width).description
    }
}

/// The exit code of a program: a number of `sysexits.h` and a sentence that explains it.
///
/// Two codes are equal when their numbers are: ``when(_:)`` changes only what help says about one.
package struct ExitCode: Sendable {
    package let rawValue: Int32
    package let meaning: String

    package init(rawValue: Int32, meaning: String) {
        self.rawValue = rawValue
        self.meaning = meaning
    }

    /// The same number with a sentence that fits one command better than the general one.
    package func when(_ meaning: String) -> ExitCode {
        ExitCode(rawValue: rawValue, meaning: meaning)
    }

    package static let success = ExitCode(rawValue: 0, meaning: "Success.")
    package static let failure = ExitCode(rawValue: 1, meaning: "The command failed; the message says why.")
    package static let usage = ExitCode(rawValue: 64, meaning: "The command line is wrong; nothing was done.")
    package static let badData = ExitCode(rawValue: 65, meaning: "The input is not what it should be.")
    package static let inputMissing = ExitCode(rawValue: 66, meaning: "The input does not exist or cannot be read.")
    package static let unavailable = ExitCode(rawValue: 69, meaning: "A service that is needed does not answer.")
    package static let cannotCreate = ExitCode(rawValue: 73, meaning: "The output cannot be created.")
    package static let inputOutput = ExitCode(rawValue: 74, meaning: "Reading or writing failed.")
    package static let tryAgain = ExitCode(rawValue: 75, meaning: "It did not work this time; trying again may help.")
    package static let noPermission = ExitCode(rawValue: 77, meaning: "The permission to do this is missing.")
    package static let configuration = ExitCode(rawValue: 78, meaning: "A setting is wrong or missing.")

    /// All exit codes of our programs, by number.
    package static let all: [ExitCode] = [
        success, failure, usage, badData, inputMissing, unavailable, cannotCreate, inputOutput, tryAgain, noPermission,
        configuration,
    ]
}

extension ExitCode: Hashable {
    package static func == (left: ExitCode, right: ExitCode) -> Bool { left.rawValue == right.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
