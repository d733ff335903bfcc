extension Program {
    /// Mistakes in the declarations that would surprise people: every program tests that there are none.
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
