import StoreModel

/// Walks once through a command line: down the tree of commands, collecting the texts of options and arguments.
///
/// ``ArgumentResolver`` converts them afterwards.
struct CommandParser<Action: Sendable> {
    let program: Program<Action>
    let environment: [String: String]
    private let settings: SettingsLookup?
    /// The commands from the root to the chosen one.
    private(set) var path: [Command<Action>]

    private var rest: ArraySlice<String>
    private var optionsEnded = false
    private var texts: [String: [String]] = [:]
    private var words: [String] = []

    init(
        program: Program<Action>, arguments: [String], environment: [String: String], settings: SettingsLookup? = nil
    ) {
        self.program = program
        self.settings = settings
        self.environment = environment
        path = [program.root]
        rest = arguments[...]
    }

    private var command: Command<Action> { path.last ?? program.root }

    mutating func parse() throws(ParseStop) -> Invocation<Action> {
        if rest.isEmpty && program.root.action == nil { throw .help }
        do throws(ParseStop) {
            while let argument = rest.popFirst() { try take(argument) }
        } catch {
            // A request for help outweighs mistakes: the help is that of the command found so far.
            guard case .failure = error, asksForHelp(rest) else { throw error }
            throw .help
        }
        let resolver = ArgumentResolver(
            root: program.root, path: path, texts: texts, words: words, environment: environment)
        do throws(UsageError) {
            guard let action = command.action else { throw missingCommand() }
            return Invocation(path: path.map(\.name), arguments: try resolver.resolve(settings), action: action)
        } catch {
            throw .failure(error)
        }
    }

    private mutating func take(_ argument: String) throws(ParseStop) {
        // Bytes are compared, not characters: a dash with a combining accent is another character.
        let isDashed = argument.utf8.first == UInt8(ascii: "-") && argument.utf8.count > 1
        if optionsEnded || !isDashed {
            try takeWord(argument)
        } else if argument == "--" {
            optionsEnded = true
        } else if argument.utf8.starts(with: "--".utf8) {
            try takeLong(argument)
        } else if argument.utf8.dropFirst().first.map(isDigit) == true, option(short: argument.dropFirst().first) == nil
        {
            // A negative number, unless there is an option of that digit.
            try takeWord(argument)
        } else {
            try takeShort(argument)
        }
    }

    private mutating func takeWord(_ word: String) throws(ParseStop) {
        guard !command.subcommands.isEmpty, !optionsEnded else {
            words.append(word)
            return
        }
        if path.count == 1 && word == "help" {
            for word in rest where !word.utf8.starts(with: "-".utf8) { try descend(to: word) }
            throw .help
        }
        try descend(to: word)
    }

    private mutating func descend(to word: String) throws(ParseStop) {
        if let next = command.subcommands.first(where: { $0.name == word }) {
            path.append(next)
            return
        }
        let subject = PrintableText(word).description
        throw failure(.unknownCommand, subject, "there is no command \"\(subject)\".", advice: suggestion(for: word))
    }

    private mutating func takeLong(_ argument: String) throws(ParseStop) {
        let body = argument.utf8.dropFirst(2)
        let separator = body.firstIndex(of: UInt8(ascii: "="))
        let name = String(Substring(body[..<(separator ?? body.endIndex)]))
        let attached = separator.map { String(Substring(body[body.index(after: $0)...])) }
        guard let option = option(named: name) else { throw unknown("--\(name)") }
        try take(option, as: "--\(name)", attached: attached)
    }

    /// One letter with its value, or several letters of flags of which the last may have one.
    private mutating func takeShort(_ argument: String) throws(ParseStop) {
        var letters = argument.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            let form = "-\(letter)"
            guard let option = option(short: Character(letter)) else { throw unknown(form) }
            let isLast = letters.isEmpty
            let takesRest = option.placeholder != nil || letters.first == "="
            guard takesRest, !isLast else {
                try take(option, as: form, attached: nil)
                continue
            }
            if letters.first == "=" { letters.removeFirst() }
            try take(option, as: form, attached: String(Substring(letters)))
            return
        }
    }

    private mutating func take(
        _ option: any OptionDeclaration, as form: String, attached: String?
    ) throws(ParseStop) {
        if option.name == StandardOptions.help.name {
            for word in rest.prefix(while: { $0 != "--" }) {
                guard let next = command.subcommands.first(where: { $0.name == word }) else { continue }
                path.append(next)
            }
            throw .help
        }
        if isVersion(option) { throw .version }
        if texts[option.name] != nil && !option.isRepeated {
            throw failure(.repeatedOption, option.longForm, "\(option.longForm) is given more than once.")
        }
        let text: String
        if let attached {
            text = attached
        } else if option.placeholder == nil {
            text = "true"
        } else {
            text = try nextValue(of: option, as: form)
        }
        texts[option.name, default: []].append(text)
    }

    private mutating func nextValue(of option: any OptionDeclaration, as form: String) throws(ParseStop) -> String {
        let placeholder = option.placeholder ?? ""
        guard let next = rest.first else {
            throw failure(.missingValue, option.longForm, "\(form) needs a value: \(form) \(placeholder).")
        }
        let second = next.utf8.dropFirst().first
        guard next.utf8.first != UInt8(ascii: "-") || second == nil || second.map(isDigit) == true else {
            // More often a missing value than a value that begins with a dash.
            throw failure(
                .missingValue, option.longForm, "\(form) needs a value: \(form) \(placeholder).",
                advice: "A value that begins with a dash is written \(option.longForm)=VALUE.")
        }
        rest.removeFirst()
        return next
    }
}

extension CommandParser {
    private func option(named name: String) -> (any OptionDeclaration)? { known.first { $0.name == name } }

    private func option(short letter: Character?) -> (any OptionDeclaration)? {
        known.first { $0.short != nil && $0.short == letter }
    }

    private var known: [any OptionDeclaration] {
        let standard: [any OptionDeclaration] = [StandardOptions.help] + (hasVersion ? [StandardOptions.version] : [])
        return path.reversed().flatMap(\.options) + standard
    }

    private var hasVersion: Bool { path.count == 1 && program.version != nil }

    private func isVersion(_ option: any OptionDeclaration) -> Bool {
        let isDeclared = path.contains { $0.options.contains { $0.name == StandardOptions.version.name } }
        return option.name == StandardOptions.version.name && hasVersion && !isDeclared
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private func asksForHelp(_ arguments: ArraySlice<String>) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    private func unknown(_ form: String) -> ParseStop {
        let subject = PrintableText(form).description
        let nearest = NearestName.of(form, among: known.map(\.longForm)).map { "Did you mean \($0)?" }
        return failure(.unknownOption, subject, "there is no option \(subject).", advice: nearest ?? owner(of: form))
    }

    /// The commands that may have been meant: one here of nearly this name, and those further below of exactly this one.
    private func suggestion(for word: String) -> String? {
        let here = path.map(\.name)
        let names = command.subcommands.map(\.name) + (path.count == 1 ? ["help"] : [])
        var meant = NearestName.of(word, among: names).map { [here + [$0]] } ?? []
        func search(_ command: Command<Action>, _ path: [String]) -> [[String]] {
            command.subcommands.flatMap { one in
                (one.name == word ? [path + [one.name]] : []) + search(one, path + [one.name])
            }
        }
        let below = search(command, here)
        if below.count <= Self.mostSuggested { meant += below }
        guard !meant.isEmpty else { return nil }
        return "Did you mean \(meant.map { $0.joined(separator: " ") }.joined(separator: ", or "))?"
    }

    /// A name that more commands have says nothing of which is meant.
    private static var mostSuggested: Int { 3 }

    /// Where an option of this form exists below the current command, for options written too early.
    private func owner(of form: String) -> String? {
        func search(_ command: Command<Action>, _ path: [String]) -> [String]? {
            if command.options.contains(where: { $0.longForm == form }) { return path }
            for subcommand in command.subcommands {
                if let found = search(subcommand, path + [subcommand.name]) { return found }
            }
            return nil
        }
        return search(command, path.map(\.name)).map { "It belongs after '\($0.joined(separator: " "))'." }
    }

    private func missingCommand() -> UsageError {
        let names = command.subcommands.map(\.name).joined(separator: ", ")
        return UsageError(
            code: .missingCommand, subject: command.name, message: "say which command: \(names).", advice: nil,
            path: path.map(\.name))
    }

    private func failure(
        _ code: UsageError.Code, _ subject: String, _ message: String, advice: String? = nil
    ) -> ParseStop {
        .failure(UsageError(code: code, subject: subject, message: message, advice: advice, path: path.map(\.name)))
    }
}

/// What a command line asks for.
package enum ParseResult<Action: Sendable>: Sendable {
    case run(Invocation<Action>)
    /// Help or a version, for standard output; the program then ends with ``ExitCode/success``.
    case text(String)
    /// Its description is for standard error; the program then ends with its exit code.
    case failure(UsageError)
}

/// Why parsing ended without a command to run.
enum ParseStop: Error {
    case help
    case version
    case failure(UsageError)
}
