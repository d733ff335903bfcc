import CommandOptions

/// `till completion`
enum CompletionCommand {
    static let command = Command<TillProgram.Action>(
        "completion", "Teach a shell to complete the words of till.",
        examples: [Example("Complete in this bash", load(.bash))],
        subcommands: CompletionShell.allCases.map(script) + [answer])

    private static func script(_ shell: CompletionShell) -> Command<TillProgram.Action> {
        Command(
            shell.rawValue, "Print what \(shell.rawValue) has to read.",
            examples: [Example("Complete in this shell", load(shell)), Example("In every shell", install(shell))],
            action: { _, context in context.print(shell.script(for: "till", asking: "completion answer --")) })
    }

    private static func load(_ shell: CompletionShell) -> String {
        switch shell {
        case .bash, .zsh: "source <(till completion \(shell.rawValue))"
        case .fish: "till completion fish | source"
        }
    }

    private static func install(_ shell: CompletionShell) -> String {
        switch shell {
        case .bash: "till completion bash > ~/.local/share/bash-completion/completions/till"
        case .zsh: "till completion zsh > \"${fpath[1]}/_till\""
        case .fish: "till completion fish > ~/.config/fish/completions/till.fish"
        }
    }

    private static let words = Argument<[String]>.rest(
        ValueFormat("WORD", rule: "any text", explainsRule: false) { $0 },
        help: "The words after till, the last of them under the cursor.")

    private static let answer = Command<TillProgram.Action>(
        "answer", "Say what may stand at the end of a line; the scripts ask this.",
        discussion: """
            Prints a line for each candidate, the word and after a tab what it stands for, and last a colon with none, \
            files or directories: the names the shell has to find itself.
            """,
        arguments: [words], examples: [Example("What may follow 'till keys'", "till completion answer -- keys \"\"")],
        action: answer)

    private static func answer(_ arguments: ParsedArguments, _ context: CommandContext) {
        let completion = TillProgram.program.completion(of: arguments[words])
        for candidate in completion.candidates { context.print("\(candidate.word)\t\(candidate.explanation)") }
        context.print(":\(completion.names.rawValue)")
    }
}
