import CommandOptions
import Testing

@Suite("Hostile arguments")
struct HostileArgumentTests {
    /// Words that parsers stumble over.
    static let words: [String] = [
        "", " ", "-", "--", "---", "----", "--=", "-=", "--=x", "-=x", "=", "--data", "--data=", "-d", "-d=", "--json=",
        "-\u{301}", "--\u{301}", "--data\u{301}=x", "--data=\u{301}", "-d\u{301}", "-\u{1F1E9}", "\u{0}", "\u{FFFD}",
        "--da\u{FFFD}ta", "-\u{FFFD}", "\u{202E}--data", "-5", "-5x", "--5", "-h5", "--help=", "--help=no", "-0",
        "99999999999999999999999", "--days=99999999999999999999", "--days=+3", "--days=0x10", "--days=٣", "help",
        "-vvv",
        "\u{1B}[2J", "--\u{1B}]0;x\u{7}", String(repeating: "-", count: 1000), String(repeating: "x", count: 100_000),
        "--data=" + String(repeating: "\u{301}", count: 10_000), "keys", "init", "rotate", "import", "open",
    ]

    @Test("No pair of odd words traps or prints a control character")
    func pairs() {
        for first in Self.words {
            for second in Self.words {
                expectHarmless([first, second])
                expectHarmless(["keys", "init", first, second])
            }
        }
    }

    @Test("No three odd words trap below a command with arguments")
    func triples() {
        let short = Self.words.filter { $0.utf8.count < 100 }
        for first in short {
            for second in short { expectHarmless(["import", "a", first, second, "-t"]) }
        }
    }

    private func expectHarmless(_ words: [String]) {
        let outcome = Outcome(words: words)
        let printed = outcome.text ?? outcome.error?.description ?? ""
        let isClean = printed.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
        #expect(isClean && printed.utf8.count < 4000, "\(words.map { $0.debugDescription.prefix(80) })")
    }

    @Test("Empty words are arguments, and no file or folder is named by one")
    func empty() throws {
        for words in [["keys", "init", "--data", ""], ["keys", "init", "--data="], ["import", ""]] {
            let error = try #require(Outcome(words: words).error)
            #expect(error.code == .invalidValue)
            #expect(error.message.hasSuffix("cannot be \"\": expected a path in UTF-8 that is not empty."))
        }
        #expect(Outcome(words: [""]).error?.code == .unknownCommand)
        #expect(Outcome(words: ["keys", "init", ""]).error?.code == .unexpectedArgument)
    }

    @Test("Dashes of any number are options that do not exist", arguments: ["---", "----", "--=x", "-=x"])
    func dashes(word: String) throws {
        let error = try #require(Outcome(words: ["keys", "init", word]).error)
        #expect(error.code == .unknownOption)
    }

    @Test("A path whose bytes were not UTF-8 is refused, because another file would be meant")
    func replacedBytes() throws {
        #expect(Outcome(words: ["import", "caf\u{FFFD}.json"]).error?.code == .invalidValue)
        #expect(Outcome(words: ["import", "a\u{0}b"]).error?.code == .invalidValue)
        #expect(Outcome(words: ["import", "café.json"]).arguments?[SampleOptions.file] == "café.json")
    }

    @Test("A huge value is read whole but shown in part")
    func huge() throws {
        let huge = String(repeating: "x", count: 1_000_000)
        #expect(Outcome(words: ["import", huge]).arguments?[SampleOptions.file] == huge)
        let error = try #require(Outcome(words: ["keys", "init", "-e", huge]).error)
        #expect(error.message.contains(String(repeating: "x", count: 80) + "…"))
        #expect(error.description.count < 300)
    }

    @Test("Control characters and reversed text are shown as escapes")
    func escapes() throws {
        let error = try #require(Outcome(words: ["keys", "init", "-e", "a\u{1B}[31m\u{202E}\r\n"]).error)
        #expect(error.message.contains(#""a\u{1B}[31m\u{202E}\u{D}\u{A}""#))
    }

    @Test("A secret is in no message")
    func secret() throws {
        let error = try #require(Outcome(words: ["keys", "rotate", "--owner=a", "--passphrase="]).error)
        #expect(error.message == "--passphrase does not fit: expected text that is not empty.")
        let format = ValueFormat("PIN", rule: "four digits", isSecret: true) { $0.count == 4 ? $0 : nil }
        let pin = Option.optional("pin", format, environment: "TILL_PIN", help: "A number.")
        let program = Program(Command<String>("open", "Open.", options: [pin], action: "open"))
        for outcome in [
            Outcome(words: ["--pin=12345"], program: program),
            Outcome(words: [], environment: ["TILL_PIN": "12345"], program: program),
        ] {
            #expect(try !#require(outcome.error).description.contains("12345"))
        }
    }

    @Test(
        "Whole numbers are decimal, in range and without a plus",
        arguments: ["+3", "0x10", "٣", "3.0", " 3", "1e2", ""])
    func numbers(text: String) {
        let outcome = Outcome(words: ["keys", "rotate", "--owner=a", "--passphrase=p", "--days=\(text)"])
        #expect(outcome.error?.code == .invalidValue)
    }

    @Test("Many arguments take time in proportion")
    func many() throws {
        let words = ["import"] + (0..<20_000).map(String.init).map { "--tag=\($0)" } + ["a"]
        #expect(Outcome(words: words).arguments?[SampleOptions.tags].count == 20_000)
    }
}
