import CommandOptions
import Testing

@Suite("Positional arguments")
struct ArgumentParsingTests {
    @Test("Required, optional and the rest are filled in their order")
    func order() throws {
        let one = try #require(Outcome("import a").arguments)
        #expect(one[SampleOptions.file] == "a")
        #expect(one[SampleOptions.count] == 1)
        #expect(one[SampleOptions.more] == [])
        let many = try #require(Outcome("import a 3 b --tag t c").arguments)
        #expect(many[SampleOptions.count] == 3)
        #expect(many[SampleOptions.more] == ["b", "c"])
    }

    @Test("A missing argument is named and explained")
    func missing() throws {
        let error = try #require(Outcome("import --tag x").error)
        #expect(error.code == .missingArgument)
        #expect(error.description == "shop import: FILE is missing: What to import.\nSee 'shop import --help'.")
    }

    @Test("One argument too many is refused")
    func tooMany() throws {
        let error = try #require(Outcome("keys init now").error)
        #expect(error.code == .unexpectedArgument)
        #expect(error.message == "the argument \"now\" is one too many.")
    }

    @Test("After two dashes nothing is an option")
    func endOfOptions() throws {
        let arguments = try #require(Outcome("import -- --tag 2 -h --").arguments)
        #expect(arguments[SampleOptions.file] == "--tag")
        #expect(arguments[SampleOptions.count] == 2)
        #expect(arguments[SampleOptions.more] == ["-h", "--"])
    }

    @Test("A negative number is a value, not an option")
    func negativeNumber() throws {
        let arguments = try #require(Outcome("import a -3").arguments)
        #expect(arguments[SampleOptions.count] == -3)
        let error = try #require(Outcome("import a -9").error)
        #expect(error.message == "COUNT cannot be \"-9\": expected a whole number from -5 to 5.")
    }

    @Test("One dash is an argument like another")
    func dash() throws {
        #expect(Outcome("import -").arguments?[SampleOptions.file] == "-")
    }

    /// Fails if a command that is copied from a page sets its placeholder.
    @Test("A value that is the name of what is to be put there is understood, and not filled in")
    func unfilled() throws {
        let title = Option<String?>.optional("title", .text("TEXT"), help: "What it is called.")
        let name = Argument.optional(.text("NAME"), help: "Whose.")
        let program = Program(Command<String>("put", "Put.", options: [title], arguments: [name], action: "put"))
        func unfilled(_ words: [String]) -> String? {
            Outcome(words: words, program: program).arguments?.unfilled?.subject
        }
        #expect(unfilled(["--title", "TEXT"]) == "--title" && unfilled(["--title=TITLE"]) == "--title")
        #expect(unfilled(["NAME"]) == "NAME" && unfilled(["--title", "A TEXT", "Ann"]) == nil)
    }

    @Test("A rest that must not be empty says so")
    func emptyRest() throws {
        let codes = Argument.rest(.text("CODE"), atLeastOne: true, help: "Codes to approve.")
        let program = Program(Command<String>("approve", "Approve.", arguments: [codes], action: "approve"))
        #expect(Outcome(words: [], program: program).error?.message == "CODE is missing: Codes to approve.")
        #expect(Outcome(words: ["a", "b"], program: program).arguments?[codes] == ["a", "b"])
        let name = Argument.optional(.text("NAME"), help: "Whose.")
        let other = Program(Command<String>("who", "Tell.", arguments: [name], action: "who"))
        #expect(Outcome(words: [], program: other).arguments.map { $0[name] == nil } == true)
        #expect(Outcome(words: ["Ann"], program: other).arguments?[name] == "Ann")
    }
}
