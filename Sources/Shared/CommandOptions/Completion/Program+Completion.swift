extension Program {
    /// The candidates for the last word, without the program's name.
    ///
    /// The last word is the one under the cursor, empty where none has been begun. `--name=val` is completed like
    /// `--name val`, and the candidates then begin with `--name=`.
    package func completion(of words: [String]) -> Completion {
        var position = CompletionPosition(root: root, hasVersion: version != nil)
        for word in words.dropLast() { position.pass(word) }
        return position.completion(of: words.last ?? "")
    }
}

/// The position of the cursor: which command, after which words.
private struct CompletionPosition<Action: Sendable> {
    private var path: [Command<Action>]
    private let hasVersion: Bool
    private var optionsEnded = false
    private var explainsCommand = false
    private var given: Set<String> = []
    private var argumentCount = 0
    /// The option whose value comes next.
    private var waiting: (any OptionDeclaration)?

    init(root: Command<Action>, hasVersion: Bool) {
        path = [root]
        self.hasVersion = hasVersion
    }

    private var command: Command<Action> { path[path.count - 1] }

    /// Takes in a word before the cursor. Mistakes are ignored: the line is not complete yet.
    mutating func pass(_ word: String) {
        if waiting != nil {
            waiting = nil
        } else if optionsEnded || !word.utf8.starts(with: "-".utf8) || word == "-" {
            passWord(word)
        } else if word == "--" {
            optionsEnded = true
        } else if let option = option(spelled: word) {
            given.insert(option.name)
            if option.placeholder != nil && !word.utf8.contains(UInt8(ascii: "=")) { waiting = option }
        }
    }

    private mutating func passWord(_ word: String) {
        if path.count == 1 && word == "help" && !explainsCommand {
            explainsCommand = true
        } else if let next = command.subcommands.first(where: { $0.name == word }) {
            path.append(next)
        } else {
            argumentCount += 1
        }
    }

    func completion(of word: String) -> Completion {
        if let waiting { return values(waiting.completion, beginning: word) }
        if !optionsEnded && !explainsCommand && word.utf8.starts(with: "-".utf8) {
            if let equals = word.firstIndex(of: "="), let option = option(spelled: word) {
                return values(
                    option.completion, beginning: String(word[word.index(after: equals)...]), after: word[...equals])
            }
            return Completion(optionCandidates.filter { $0.word.utf8.starts(with: word.utf8) })
        }
        guard command.subcommands.isEmpty else {
            let help = path.count == 1 && !explainsCommand ? [Candidate("help", "Explain a command.")] : []
            let commands = command.subcommands.map { Candidate($0.name, $0.abstract) } + help
            return Completion(commands.filter { $0.word.utf8.starts(with: word.utf8) })
        }
        guard !explainsCommand, let argument = argument(at: argumentCount) else { return Completion() }
        return values(argument.completion, beginning: word)
    }

    private func argument(at index: Int) -> (any ArgumentDeclaration)? {
        if index < command.arguments.count { return command.arguments[index] }
        return command.arguments.last.flatMap { $0.takesRest ? $0 : nil }
    }

    private func values(
        _ completion: ValueCompletion, beginning text: String, after lead: Substring = ""
    ) -> Completion {
        switch completion {
        case .nothing: Completion()
        case .files: Completion(names: .files)
        case .directories: Completion(names: .directories)
        case .asked(let what): Completion(question: .init(what: what, beginning: text, lead: String(lead)))
        case .words(let words):
            Completion(words.filter { $0.utf8.starts(with: text.utf8) }.map { Candidate(lead + $0) })
        }
    }

    /// The options that may still be given, those of the command first.
    private var optionCandidates: [Candidate] {
        let standard: [any OptionDeclaration] =
            [StandardOptions.help] + (path.count == 1 && hasVersion ? [StandardOptions.version] : [])
        let excluded = path.flatMap(\.rules).flatMap { rule in given.flatMap { rule.namesExcluded(by: $0) } }
        let open = known.filter { option in
            (option.isRepeated || !given.contains(option.name)) && !excluded.contains(option.name)
        }
        return (open + standard).map { Candidate($0.longForm, $0.help) }
    }

    private var known: [any OptionDeclaration] { path.reversed().flatMap(\.options) }

    private func option(spelled word: String) -> (any OptionDeclaration)? {
        let name = word.prefix { $0 != "=" }
        return known.first { option in
            option.longForm == name || option.short.map { "-\($0)" == name } == true
        }
    }
}
