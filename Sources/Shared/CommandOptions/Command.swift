/// A command of a program, or a group of commands, as data: parsing, help and completion all read this one value.
///
/// `Action` is what the program does with a chosen command, usually a closure over a context of its own. A group has
/// subcommands and mostly no action; options declared on it also belong to every command below it.
///
/// ```swift
/// Command("show", "Show the keys of a store.", options: [Options.data], action: showKeys)
/// ```
package struct Command<Action: Sendable>: Sendable {
    package var name: String
    /// One sentence with a full stop.
    package var abstract: String
    /// Paragraphs with an empty line between them; help wraps them.
    package var discussion: String
    package var options: [any OptionDeclaration]
    package var arguments: [any ArgumentDeclaration]
    package var rules: [OptionRule]
    package var examples: [Example]
    /// Exit codes besides success, failure and usage, which every command has.
    package var exitCodes: [ExitCode]
    /// Related commands and documents.
    package var seeAlso: [String]
    package var subcommands: [Command]
    /// The heading under which the help of the group lists it; nil for "Commands".
    package var topic: String?
    package var action: Action?

    package init(
        _ name: String, _ abstract: String, discussion: String = "", options: [any OptionDeclaration] = [],
        arguments: [any ArgumentDeclaration] = [], rules: [OptionRule] = [], examples: [Example] = [],
        exitCodes: [ExitCode] = [], seeAlso: [String] = [], subcommands: [Command] = [], action: Action? = nil
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.options = options
        self.arguments = arguments
        self.rules = rules
        self.examples = examples
        self.exitCodes = exitCodes
        self.seeAlso = seeAlso
        self.subcommands = subcommands
        self.action = action
    }

    /// The same commands, listed under a heading of their own.
    package static func topic(_ heading: String, _ commands: [Command]) -> [Command] {
        commands.map { command in
            var command = command
            command.topic = heading
            return command
        }
    }
}

/// An example of a command line, and what it is for.
package struct Example: Hashable, Sendable {
    /// The purpose, without a full stop: "Keys for the sandbox alone".
    package let purpose: String
    /// The whole line as typed.
    package let line: String

    package init(_ purpose: String, _ line: String) {
        self.purpose = purpose
        self.line = line
    }
}

/// The chosen command, ready to run.
package struct Invocation<Action: Sendable>: Sendable {
    /// The words that lead to the command, the program's name first: `["till", "keys", "init"]`.
    package let path: [String]
    package let arguments: ParsedArguments
    package let action: Action
}

extension Program {
    /// Mistakes in the declarations: every program tests that there are none.
    package var declarationProblems: [String] { DeclarationCheck<Action>().problems(of: root, below: []) }
}

/// Looks through a tree of commands for declarations that contradict each other.
struct DeclarationCheck<Action: Sendable> {
    func problems(of command: Command<Action>, below ancestors: [Command<Action>]) -> [String] {
        let path = ancestors + [command]
        let name = path.map(\.name).joined(separator: " ")
        let found = commandProblems(command) + optionProblems(path) + argumentProblems(command) + ruleProblems(path)
        return found.map { "\(name): \($0)" } + command.subcommands.flatMap { problems(of: $0, below: path) }
    }

    private func commandProblems(_ command: Command<Action>) -> [String] {
        var problems: [String] = []
        if !command.abstract.hasSuffix(".") { problems.append("the abstract is no sentence") }
        if !isName(command.name) { problems.append("the name is not in small letters") }
        if command.subcommands.isEmpty && command.action == nil { problems.append("it has nothing to do") }
        if !command.subcommands.isEmpty && !command.arguments.isEmpty {
            problems.append("it has subcommands and arguments")
        }
        problems += repeated(command.subcommands.map(\.name)).map { "two subcommands are named \($0)" }
        if command.subcommands.contains(where: { $0.name == "help" }) { problems.append("help is reserved") }
        return problems
    }

    private func optionProblems(_ path: [Command<Action>]) -> [String] {
        let options = path.flatMap(\.options)
        var problems: [String] = []
        problems += repeated(options.map(\.name)).map { "two options are named --\($0)" }
        problems += repeated(options.compactMap(\.short)).map { "two options are named -\($0)" }
        for option in options {
            if option.name == "help" || option.short == "h" { problems.append("\(option.longForm): help is reserved") }
            if !isName(option.name) { problems.append("\(option.longForm) is not in small letters") }
            if !option.help.hasSuffix(".") { problems.append("the help of \(option.longForm) is no sentence") }
            if let short = option.short, !(short.isASCII && short.isLetter) {
                problems.append("the short form of \(option.longForm) is no letter")
            }
            if let variable = option.environment, !isVariable(variable) {
                problems.append("\(variable) is no name of an environment variable of ours")
            }
        }
        return problems
    }

    private func argumentProblems(_ command: Command<Action>) -> [String] {
        let arguments = command.arguments
        var problems = repeated(arguments.map(\.name)).map { "two arguments are named \($0)" }
        if arguments.dropLast().contains(where: \.takesRest) { problems.append("an argument follows the rest") }
        let firstOptional = arguments.firstIndex { !$0.isRequired } ?? arguments.endIndex
        if arguments[firstOptional...].contains(where: \.isRequired) {
            problems.append("a required argument follows an optional one")
        }
        return problems
    }

    private func ruleProblems(_ path: [Command<Action>]) -> [String] {
        let known = Set(path.flatMap(\.options).map(\.name))
        let named = path.last?.rules.flatMap(\.names) ?? []
        return named.filter { !known.contains($0) }.map { "a rule names --\($0), which is not declared" }
    }

    private func isName(_ text: String) -> Bool {
        text.first?.isLetter == true && text.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    }

    private func isVariable(_ text: String) -> Bool {
        text.hasPrefix("TILL_") && text.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
    }

    private func repeated<Name: Hashable>(_ names: [Name]) -> [Name] {
        var seen: Set<Name> = []
        return names.filter { !seen.insert($0).inserted }
    }
}
