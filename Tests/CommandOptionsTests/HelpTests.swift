import CommandOptions
import Testing

@Suite("Help")
struct HelpTests {
    @Test("The help of a command says everything, aligned and wrapped")
    func command() {
        #expect(
            Outcome("keys init --help").text == """
                Make the keys of a store.

                Usage: shop keys init [--data DIR] [--environment ENVIRONMENT] [--der] [--pem]
                                      [--verbose]

                Keys are made once and kept in a folder that only their owner can read. Making
                them again changes nothing.

                  indented lines
                  stay as they are

                A second paragraph follows the first after an empty line.

                Options:
                  -d, --data DIR  The folder in which the store lives. Default: ./till_data.
                                  Environment: TILL_DATA.
                  -e, --environment ENVIRONMENT
                                  Which of the two worlds. One of production, sandbox. Default:
                                  production.
                      --der       Write DER. Not with --pem. Environment: TILL_DER.
                  -p, --pem       Write PEM. Not with --der. Environment: TILL_PEM.
                  -v, --verbose   Say more.

                Options of every command:
                      --json  Print the result as JSON, for programs.
                  -h, --help  Show this help.

                Examples:
                  Keys for the sandbox alone:
                    shop keys init --environment sandbox

                Exit codes:
                   0  Success.
                   1  The command failed; the message says why.
                  64  The command line is wrong; nothing was done.
                  73  The folder cannot be written.

                See also: 'shop keys rotate'.
                """)
    }

    @Test("The help of the program lists its commands")
    func root() {
        let expected = """
            Sell things to people.

            Usage: shop [--json] COMMAND

            Commands:
              keys    Make and show the keys.
              import  Import products.
              open    Open the shop.

            Options:
                  --json  Print the result as JSON, for programs.

            More options:
              -h, --help     Show this help.
                  --version  Show the version.

            See also: 'shop help COMMAND'.
            """
        #expect(Outcome("--help").text == expected)
        #expect(Outcome("").text == expected)
        #expect(Outcome("help").text == expected)
        #expect(SampleProgram.program.help() == expected)
    }

    @Test("Commands are listed by topic, in the order of their declaration, all explanations under each other")
    func topics() throws {
        let keys = Command<String>("keys", "Make the keys.", action: "keys")
        let selling = Command<String>("selling", "Sell.", action: "selling")
        let buy = Command<String>("buy", "Buy.", action: "buy")
        let program = Program(
            Command<String>(
                "shop", "Sell things.",
                subcommands: Command.topic("The first minute", [selling, buy]) + [keys]))
        #expect(
            program.help()?.contains(
                """
                The first minute:
                  selling  Sell.
                  buy      Buy.

                Commands:
                  keys     Make the keys.
                """) == true)
    }

    @Test("Arguments are listed with their rules and defaults")
    func arguments() throws {
        let text = try #require(Outcome("import -h").text)
        #expect(text.contains("Usage: shop import [--tag TAG]… FILE [COUNT] [MORE…]"))
        #expect(text.contains("  FILE   What to import.\n"))
        #expect(text.contains("  COUNT  How often. A whole number from -5 to 5. Default: 1.\n"))
        #expect(text.contains("  -t, --tag TAG  A word to find it by. May be repeated."))
    }

    @Test("A required option stands without brackets and says so")
    func required() throws {
        let text = try #require(Outcome("keys rotate -h").text)
        #expect(text.contains("Usage: shop keys rotate --owner NAME [--days N]"))
        #expect(text.contains("Who owns it. Required. Environment: TILL_OWNER."))
    }

    @Test(
        "Help is found from wherever it is asked",
        arguments: [
            "keys rotate --help", "keys rotate -h", "help keys rotate", "keys --help rotate", "--help keys rotate",
            "keys rotate --owner --help", "keys rotate --nonsense -h", "keys rotate --days=x -h", "keys rotate a b -h",
            "help keys --json rotate",
        ])
    func everywhere(line: String) {
        #expect(Outcome(line).text == SampleProgram.program.help(for: ["keys", "rotate"]))
    }

    @Test("Help for what does not exist is an error")
    func unknown() throws {
        #expect(Outcome("help keys rotat").error?.advice == "Did you mean shop keys rotate?")
        #expect(SampleProgram.program.help(for: ["nothing"]) == nil)
        let afterDashes = try #require(Outcome("keys init -- --help").error)
        #expect(afterDashes.code == .unexpectedArgument)
    }

    @Test("Every width gives lines that fit, as long as words do", arguments: [40, 60, 80, 100, 120])
    func widths(width: Int) throws {
        for words in [[], ["keys"], ["keys", "init"], ["keys", "rotate"], ["import"], ["open"]] {
            let text = try #require(SampleProgram.program.help(for: words, width: width))
            for line in text.split(separator: "\n") where !line.contains("shop keys init --environment sandbox") {
                #expect(line.count <= width, "\(line)")
            }
        }
    }

    @Test("Absurd widths are brought into reason")
    func absurdWidths() {
        let program = SampleProgram.program
        #expect(program.help(width: .min) == program.help(width: 40))
        #expect(program.help(width: .max) == program.help(width: 120))
        #expect(Outcome("--help", environment: ["COLUMNS": "50"]).text == program.help(width: 50))
        #expect(Outcome("--help", environment: ["COLUMNS": "wide"]).text == program.help(width: 80))
    }

    @Test("The version is the program's, and only at its root")
    func version() {
        #expect(Outcome("--version").text == "shop 1.2.3")
        #expect(Outcome("keys --version").error?.code == .unknownOption)
    }

    @Test("A command may have a --version of its own")
    func ownVersion() throws {
        let version = Option.optional("version", .text("TEXT"), help: "The version to upload.")
        let upload = Command<String>("upload", "Upload.", options: [version], action: "upload")
        let program = Program(Command<String>("shop", "Sell.", subcommands: [upload]), version: "shop 1")
        #expect(Outcome(words: ["upload", "--version", "2.0"], program: program).arguments?[version] == "2.0")
        #expect(Outcome(words: ["--version"], program: program).text == "shop 1")
        #expect(program.declarationProblems.isEmpty)
    }
}
