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

    /// Reads a command line. Nothing outside the parameters is looked at, and nothing is printed.
    ///
    /// - Parameters:
    ///   - arguments: the words after the program's name.
    ///   - environment: the environment's variables; `COLUMNS` sets the width of help.
    ///   - settings: finds the settings file, which gives what command line and environment leave out.
    ///   - width: the width of help, where the program knows better than `COLUMNS`.
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
