import CommandOptions
import Testing

@Suite("The tree of commands")
struct CommandTreeTests {
    @Test("Words lead to a command, options may stand between them")
    func descent() throws {
        #expect(Outcome("keys rotate --owner=a").invocation?.path == ["shop", "keys", "rotate"])
        let arguments = try #require(Outcome("--json keys --json=true init").error)
        #expect(arguments.code == .repeatedOption)
        #expect(Outcome("keys --json init").arguments?[StandardOptions.json] == true)
        #expect(Outcome("keys init").invocation?.action == "init")
    }

    @Test("A slip gets the name that was meant")
    func suggestion() throws {
        let command = try #require(Outcome("keys rotaet").error)
        #expect(command.code == .unknownCommand)
        #expect(
            command.description
                == "shop keys: there is no command \"rotaet\". Did you mean shop keys rotate?\nSee 'shop keys --help'.")
        let option = try #require(Outcome("keys init --dtaa x").error)
        #expect(option.code == .unknownOption)
        #expect(option.message == "there is no option --dtaa.")
        #expect(option.advice == "Did you mean --data?")
        let value = try #require(Outcome("keys init -e sandbx").error)
        #expect(
            value.message == "--environment cannot be \"sandbx\": expected one of production, sandbox.")
        #expect(value.advice == "Did you mean sandbox?")
        #expect(Outcome("halp").error?.advice == "Did you mean shop help?")
        // A name that is right, but further below.
        #expect(Outcome("rotate").error?.advice == "Did you mean shop keys rotate?")
    }

    @Test("What is like no name gets no suggestion", arguments: ["keys zzzzzz", "zzzzzz", "keys init --zzzzzz"])
    func noSuggestion(line: String) throws {
        let error = try #require(Outcome(line).error)
        #expect(error.advice == nil)
    }

    @Test("An option written before its command is told where it belongs")
    func early() throws {
        let error = try #require(Outcome("--owner Ann keys rotate").error)
        #expect(error.advice == "It belongs after 'shop keys rotate'.")
    }

    @Test("A group alone asks which of its commands")
    func group() throws {
        let error = try #require(Outcome("keys").error)
        #expect(error.code == .missingCommand)
        #expect(error.message == "say which command: init, rotate.")
        #expect(Outcome("--json").error?.code == .missingCommand)
        #expect(Outcome("keys -- init").error?.code == .missingCommand)
    }

    @Test("A group with an action of its own runs without a word and still leads to its commands")
    func groupWithAction() throws {
        let group = Command<String>(
            "clock", "Show the clock.", subcommands: [Command("set", "Set the clock.", action: "set")], action: "show")
        let program = Program(Command<String>("shop", "Sell.", subcommands: [group]))
        #expect(program.declarationProblems.isEmpty)
        #expect(Outcome(words: ["clock"], program: program).invocation?.action == "show")
        #expect(Outcome(words: ["clock", "set"], program: program).invocation?.action == "set")
        #expect(Outcome(words: ["clock", "sat"], program: program).error?.advice == "Did you mean shop clock set?")
        #expect(Outcome(words: ["clock", "--", "set"], program: program).error?.code == .unexpectedArgument)
    }

    @Test("A program without subcommands runs its root")
    func singleCommand() throws {
        let program = Program(
            Command<String>("bench", "Measure.", options: [SampleOptions.days], action: "bench"))
        #expect(Outcome(words: [], program: program).invocation?.path == ["bench"])
        #expect(Outcome(words: ["--days", "3"], program: program).arguments?[SampleOptions.days] == 3)
        #expect(Outcome(words: ["--version"], program: program).error?.code == .unknownOption)
        #expect(Outcome(words: ["help"], program: program).error?.code == .unexpectedArgument)
    }
}
