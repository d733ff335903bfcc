import CommandOptions
import Testing

@Suite("Completion (X9)")
struct CompletionTests {
    private func words(_ words: String...) -> [String] {
        SampleProgram.program.completion(of: words).candidates.map(\.word)
    }

    private func names(_ words: String...) -> Completion.Names { SampleProgram.program.completion(of: words).names }

    @Test("Commands follow the program's name, help among them")
    func commands() {
        #expect(words("") == ["keys", "import", "open", "help"])
        #expect(words("k") == ["keys"])
        #expect(words("keys", "") == ["init", "rotate"])
        #expect(words("keys", "x") == [])
        #expect(words() == ["keys", "import", "open", "help"])
    }

    @Test("A candidate comes with what it stands for")
    func explanations() {
        let completion = SampleProgram.program.completion(of: ["ke"])
        #expect(completion.candidates.map(\.explanation) == ["Make and show the keys."])
    }

    @Test("Commands follow help, and nothing follows a command that is explained")
    func help() {
        #expect(words("help", "") == ["keys", "import", "open"])
        #expect(words("help", "keys", "r") == ["rotate"])
        #expect(words("help", "import", "") == [])
        #expect(names("help", "import", "") == .none)
    }

    @Test("Options begin with a dash, those of the command before those of every command")
    func options() {
        #expect(
            words("keys", "init", "--") == [
                "--data", "--environment", "--der", "--pem", "--verbose", "--json", "--help",
            ])
        #expect(words("keys", "init", "--d") == ["--data", "--der"])
        #expect(words("-") == ["--json", "--help", "--version"])
    }

    @Test("An option that was given, or that another excludes, is not offered")
    func spentOptions() {
        #expect(words("keys", "init", "--der", "--") == ["--data", "--environment", "--verbose", "--json", "--help"])
        #expect(words("keys", "init", "-p", "--de") == [])
        #expect(words("import", "--tag", "a", "--t") == ["--tag"])
    }

    @Test("What an option may hold follows it, or its equals sign")
    func values() {
        #expect(words("keys", "init", "--environment", "") == ["production", "sandbox"])
        #expect(words("keys", "init", "-e", "s") == ["sandbox"])
        #expect(words("keys", "init", "--environment=s") == ["--environment=sandbox"])
        #expect(names("keys", "init", "--data", "x") == .directories)
        #expect(names("keys", "init", "--data=x") == .directories)
        #expect(names("keys", "init", "--data", "x", "") == .none)
        #expect(words("keys", "rotate", "--owner", "-") == [])
    }

    @Test("Files are offered where an argument is one, and only there")
    func arguments() {
        #expect(names("import", "") == .files)
        #expect(names("import", "a", "") == .none)
        #expect(names("import", "--tag", "x", "b") == .files)
        #expect(names("keys", "init", "") == .none)
    }

    @Test("After two dashes everything is an argument")
    func endOfOptions() {
        #expect(names("import", "--", "-x") == .files)
        #expect(words("import", "--", "-") == [])
    }

    @Test("Mistakes before the cursor do not keep it from helping")
    func mistakes() {
        #expect(words("keys", "--what", "init", "--da") == ["--data"])
        #expect(words("keys", "wrong", "ro") == ["rotate"])
    }

    @Test("Every script asks for the words of the line", arguments: CompletionShell.allCases)
    func scripts(shell: CompletionShell) {
        let script = shell.script(for: "my-shop", asking: "complete --")
        #expect(script.contains("complete --"))
        #expect(script.contains("_my_shop"))
        #expect(!script.contains("{" + "name}") && !script.contains("{" + "question}"))
    }
}
