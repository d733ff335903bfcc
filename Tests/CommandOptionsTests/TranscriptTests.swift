import CommandOptions
import Testing

@Suite("Transcripts")
struct TranscriptTests {
    /// What is typed after the program's name, and what standard error gets.
    static let refusals: [(line: String, answer: String)] = [
        (
            "key",
            """
            shop: there is no command "key". Did you mean shop keys?
            See 'shop --help'.
            """
        ),
        (
            "keys",
            """
            shop keys: say which command: init, rotate.
            See 'shop keys --help'.
            """
        ),
        (
            "keys init --dta /srv",
            """
            shop keys init: there is no option --dta. Did you mean --data?
            See 'shop keys init --help'.
            """
        ),
        (
            "keys init -x",
            """
            shop keys init: there is no option -x.
            See 'shop keys init --help'.
            """
        ),
        (
            "keys init --data",
            """
            shop keys init: --data needs a value: --data DIR.
            See 'shop keys init --help'.
            """
        ),
        (
            "keys init --data --der",
            """
            shop keys init: --data needs a value: --data DIR. A value that begins with a dash is written --data=VALUE.
            See 'shop keys init --help'.
            """
        ),
        (
            "keys init --environment=prodution",
            """
            shop keys init: --environment cannot be "prodution": expected one of production, sandbox. \
            Did you mean production?
            See 'shop keys init --help'.
            """
        ),
        (
            "keys init --verbose=maybe",
            """
            shop keys init: --verbose cannot be "maybe": expected true or false.
            See 'shop keys init --help'.
            """
        ),
        (
            "keys rotate --owner Ann --days 0 --passphrase x",
            """
            shop keys rotate: --days cannot be "0": expected a whole number from 1 to 3650.
            See 'shop keys rotate --help'.
            """
        ),
        (
            "keys init --der --pem",
            """
            shop keys init: --der and --pem exclude each other.
            See 'shop keys init --help'.
            """
        ),
        (
            "open",
            """
            shop open: one of --der, --pem is needed.
            See 'shop open --help'.
            """
        ),
        (
            "import",
            """
            shop import: FILE is missing: What to import.
            See 'shop import --help'.
            """
        ),
        (
            "import products.json many",
            """
            shop import: COUNT cannot be "many": expected a whole number from -5 to 5.
            See 'shop import --help'.
            """
        ),
        (
            "keys init products.json",
            """
            shop keys init: the argument "products.json" is one too many.
            See 'shop keys init --help'.
            """
        ),
    ]

    @Test("A mistake is answered with what is wrong, what to do, and where to read on", arguments: refusals)
    func refusal(line: String, answer: String) throws {
        let error = try #require(Outcome(line).error)
        #expect(error.description == answer)
        #expect(error.exitCode == .usage)
    }

    @Test("What an error says in parts is what it says in words")
    func parts() throws {
        for (line, _) in Self.refusals {
            let error = try #require(Outcome(line).error)
            #expect(error.description.contains(error.message), "\(line)")
            #expect(error.description.contains(error.advice ?? ""), "\(line)")
            #expect(error.description.hasPrefix(error.path.joined(separator: " ") + ": "), "\(line)")
            #expect(error.message.hasSuffix(".") && !error.subject.isEmpty, "\(line)")
        }
    }
}
