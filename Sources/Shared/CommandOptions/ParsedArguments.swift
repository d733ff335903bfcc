import StoreModel

/// The values of one command line, read by the options and arguments that declared them.
package struct ParsedArguments: Sendable {
    private let values: [String: any Sendable]
    private let sources: [String: ValueSource]
    /// The texts of options that were given, and the place in the settings file of those that are set there.
    private let texts: [String: [String]]
    private let places: [String: String]
    /// The first value that is still the word of help or of a page in its place, as in `--title TITLE`; nil if all are filled in.
    ///
    /// A command that is copied from a page is understood with it and not to be carried out.
    package let unfilled: UsageError?

    init(
        values: [String: any Sendable], sources: [String: ValueSource], texts: [String: [String]] = [:],
        places: [String: String] = [:], unfilled: UsageError? = nil
    ) {
        self.values = values
        self.sources = sources
        self.texts = texts
        self.places = places
        self.unfilled = unfilled
    }

    /// What an option is set to and where that came from, for people. What is secret is not shown.
    package func setting(_ option: any OptionDeclaration) -> GivenSetting {
        let source = sources[option.longForm] ?? .declaration
        let place: String? =
            switch source {
            case .commandLine: option.longForm
            case .environment: option.environment
            case .file: places[option.longForm]
            case .declaration: nil
            }
        let isFlag = option.placeholder == nil
        let given = (texts[option.longForm] ?? []).joined(separator: ", ")
        let text = source == .declaration ? option.defaultText ?? (isFlag ? "false" : nil) : given
        return GivenSetting(
            name: option.name, text: option.isSecret && source != .declaration ? nil : text, source: source,
            place: place,
            isSecret: option.isSecret, help: option.help)
    }

    package subscript<Result>(option: Option<Result>) -> Result {
        value(of: option.longForm, as: Result.self)
    }

    package subscript<Result>(argument: Argument<Result>) -> Result {
        value(of: argument.name, as: Result.self)
    }

    /// Whether the command declares an option, for what all commands of a program share.
    package func declares<Result>(_ option: Option<Result>) -> Bool { sources[option.longForm] != nil }

    /// Where the value of an option came from, for messages that have to say so.
    package func source<Result>(of option: Option<Result>) -> ValueSource {
        sources[option.longForm] ?? .declaration
    }

    private func value<Result>(of key: String, as type: Result.Type) -> Result {
        guard let value = values[key] as? Result else {
            // Safe: no input gets here. The parser stores a value of the declared type for every declaration of the
            // chosen command, so only a command that reads what it does not declare stops here, at its first run.
            preconditionFailure("a command reads \(key) but does not declare it")
        }
        return value
    }
}

/// What an option is set to, and where that came from.
package struct GivenSetting: Hashable, Sendable {
    package let name: String
    /// Nil where it is not set, or secret.
    package let text: String?
    package let source: ValueSource
    /// The option, the variable, or the line of the file; nil for a default.
    package let place: String?
    package let isSecret: Bool
    package let help: String
}

/// Where the value of an option came from.
package enum ValueSource: Hashable, Sendable {
    case commandLine
    case environment
    /// The settings file.
    case file
    /// The declared default, or nil.
    case declaration
}

/// Turns the collected texts of one command line into values: command line first, then environment, then settings file,
/// then default.
struct ArgumentResolver<Action: Sendable> {
    let root: Command<Action>
    /// The commands from the root to the chosen one.
    let path: [Command<Action>]
    /// The texts of each option on the command line, by name.
    let texts: [String: [String]]
    /// The positional arguments.
    let words: [String]
    let environment: [String: String]

    private var options: [any OptionDeclaration] { path.flatMap(\.options) }
    private var rules: [OptionRule] { path.flatMap(\.rules) }

    func resolve(_ lookup: SettingsLookup? = nil) throws(UsageError) -> ParsedArguments {
        var given = try given(by: nil)
        if let lookup, let settings = try settings(of: given, lookup) { given = try self.given(by: settings) }
        try check(given: Set(options.filter { given.sources[$0.longForm] != .declaration }.map(\.name)))
        try checkNothingMissing(given.values)
        try readWords(into: &given.values)
        return ParsedArguments(
            values: given.values, sources: given.sources, texts: given.texts, places: given.places,
            unfilled: unfilled)
    }

    /// What was typed in the place of a value and is the name of that value, in capital letters.
    private var unfilled: UsageError? {
        for option in options {
            guard let placeholder = option.placeholder else { continue }
            let names = Self.standIns(placeholder) + [option.name.uppercased()]
            guard let text = texts[option.name]?.first(where: { names.contains($0) }) else { continue }
            return failure(
                .invalidValue, option.longForm, "\(text) stands for a value: put the value after \(option.longForm).")
        }
        let arguments = path.last?.arguments ?? []
        for (index, word) in words.enumerated() {
            guard let argument = index < arguments.count ? arguments[index] : arguments.last,
                Self.standIns(argument.name).contains(word)
            else { continue }
            return failure(.invalidValue, argument.name, "\(word) stands for a value: put the value there.")
        }
        return nil
    }

    /// The names of a value, in capital letters; other words are choices of which one is typed as it stands.
    private static func standIns(_ placeholder: String) -> [String] {
        placeholder.split(separator: "|").map(String.init).filter { $0 == $0.uppercased() && $0 != $0.lowercased() }
    }

    private struct Given {
        var values: [String: any Sendable] = [:]
        var sources: [String: ValueSource] = [:]
        var texts: [String: [String]] = [:]
        var places: [String: String] = [:]
    }

    private func given(by settings: Settings?) throws(UsageError) -> Given {
        var given = Given()
        for option in options {
            let (source, texts) = self.given(option, settings)
            given.sources[option.longForm] = source
            given.texts[option.longForm] = texts
            if source == .file { given.places[option.longForm] = settings?.place(of: option) }
            given.values[option.longForm] = try value(of: option, from: source, texts, settings)
        }
        return given
    }

    private func settings(of given: Given, _ lookup: SettingsLookup) throws(UsageError) -> Settings? {
        do {
            guard let file = try lookup(ParsedArguments(values: given.values, sources: given.sources)) else {
                return nil
            }
            return try Settings(file, known: Self.options(below: root))
        } catch {
            throw failure(.settings, (error as? SettingsProblem)?.path ?? "", "\(error)")
        }
    }

    private static func options(below command: Command<Action>) -> [any OptionDeclaration] {
        command.options + command.subcommands.flatMap(options(below:))
    }

    private func given(_ option: any OptionDeclaration, _ settings: Settings?) -> (ValueSource, [String]) {
        if let texts = texts[option.name] { return (.commandLine, texts) }
        let excluded = rules.flatMap { $0.namesExcluded(by: option.name) }
        if excluded.contains(where: { texts[$0] != nil }) { return (.declaration, []) }
        if let text = variable(of: option) { return (.environment, [text]) }
        let isOutweighed = options.contains { excluded.contains($0.name) && variable(of: $0) != nil }
        guard !isOutweighed, let text = settings?.text(of: option) else { return (.declaration, []) }
        return (.file, [text])
    }

    /// An empty variable counts as unset, as in most shells' idioms.
    private func variable(of option: any OptionDeclaration) -> String? {
        guard let name = option.environment, let text = environment[name], !text.isEmpty else { return nil }
        return text
    }

    private func value(
        of option: any OptionDeclaration, from source: ValueSource, _ texts: [String], _ settings: Settings?
    ) throws(UsageError) -> (any Sendable)? {
        do {
            return try option.anyValue(of: texts)
        } catch {
            let origin =
                switch source {
                case .environment: "\(option.environment ?? "") (for \(option.longForm))"
                case .file: settings?.origin(of: option) ?? option.longForm
                case .commandLine, .declaration: option.longForm
                }
            throw refusal(error, subject: option.longForm, origin: origin)
        }
    }

    private func check(given: Set<String>) throws(UsageError) {
        for rule in rules {
            let forms = rule.names.map { "--\($0)" }
            let present = rule.names.filter(given.contains)
            switch rule.kind {
            case .atMostOne, .exactlyOne:
                if present.count > 1 {
                    let pair = present.prefix(2).map { "--\($0)" }.joined(separator: " and ")
                    throw failure(.conflict, "--\(present[1])", "\(pair) exclude each other.")
                }
                if present.isEmpty && rule.kind == .exactlyOne {
                    throw failure(.missingOption, forms[0], "one of \(forms.joined(separator: ", ")) is needed.")
                }
            case .needs:
                if present == [rule.names[0]] {
                    throw failure(.missingOption, forms[1], "\(forms[0]) needs \(forms[1]).")
                }
            }
        }
    }

    private func checkNothingMissing(_ values: [String: any Sendable]) throws(UsageError) {
        let missing = options.filter { $0.isRequired && values[$0.longForm] == nil }
        guard let first = missing.first else { return }
        let forms = missing.map { option in
            let variable = option.environment.map { " (or the variable \($0))" } ?? ""
            return "\(option.longForm) \(option.placeholder ?? "")\(variable)"
        }
        let verb = missing.count == 1 ? "is" : "are"
        throw failure(.missingOption, first.longForm, "\(forms.joined(separator: ", ")) \(verb) needed.")
    }

    private func readWords(into values: inout [String: any Sendable]) throws(UsageError) {
        var rest = words[...]
        for argument in path.last?.arguments ?? [] {
            let taken = argument.takesRest ? rest.count : min(1, rest.count)
            let texts = Array(rest.prefix(taken))
            rest = rest.dropFirst(taken)
            do {
                values[argument.name] = try argument.anyValue(of: texts)
            } catch {
                throw refusal(error, subject: argument.name, origin: argument.name)
            }
            if texts.isEmpty && argument.isRequired {
                throw failure(.missingArgument, argument.name, "\(argument.name) is missing: \(argument.help)")
            }
        }
        if let extra = rest.first {
            let subject = PrintableText(extra).description
            throw failure(.unexpectedArgument, subject, "the argument \"\(subject)\" is one too many.")
        }
    }

    private func refusal(_ error: any Error, subject: String, origin: String) -> UsageError {
        guard let refusal = error as? ValueRefusal else {
            return failure(.invalidValue, subject, "\(origin) cannot be read.")
        }
        let shown = refusal.isSecret ? "does not fit" : "cannot be \"\(PrintableText(refusal.text))\""
        let nearest = refusal.isSecret ? nil : NearestName.of(refusal.text, among: refusal.words)
        return failure(
            .invalidValue, subject, "\(origin) \(shown): expected \(refusal.rule).",
            advice: nearest.map { "Did you mean \($0)?" })
    }

    private func failure(
        _ code: UsageError.Code, _ subject: String, _ message: String, advice: String? = nil
    ) -> UsageError {
        UsageError(code: code, subject: subject, message: message, advice: advice, path: path.map(\.name))
    }
}
