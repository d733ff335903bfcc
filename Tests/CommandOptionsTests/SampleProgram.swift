import CommandOptions

/// The realm of a sample value; the raw values are what one types.
enum SampleWorld: String, CaseIterable {
    case production
    case sandbox
}

enum SampleOptions {
    static let data = Option.defaulted(
        "data", short: "d", .directory(), to: "./till_data", environment: "TILL_DATA",
        help: "The folder in which the store lives.")
    static let world = Option.defaulted(
        "environment", short: "e", .choice("ENVIRONMENT", of: SampleWorld.self), to: .production,
        help: "Which of the two worlds.")
    static let days = Option.optional("days", .integer(in: 1...3650), environment: "TILL_DAYS", help: "How long.")
    static let der = Option.flag("der", environment: "TILL_DER", help: "Write DER.")
    static let pem = Option.flag("pem", short: "p", environment: "TILL_PEM", help: "Write PEM.")
    static let verbose = Option.flag("verbose", short: "v", help: "Say more.")
    static let owner = Option.required("owner", .text("NAME"), environment: "TILL_OWNER", help: "Who owns it.")
    static let tags = Option.repeated("tag", short: "t", .text("TAG"), help: "A word to find it by.")
    static let passphrase = Option.optional(
        "passphrase", .secret("TEXT"), environment: "TILL_PASSPHRASE", help: "What the keys are locked with.")
    static let lengths = Option.optional("lengths", .list(of: .integer("N", in: 0...9)), help: "Some lengths.")
    static let file = Argument.required(.file(), help: "What to import.")
    static let count = Argument.defaulted(.integer("COUNT", in: -5...5), to: 1, help: "How often.")
    static let more = Argument.rest(.text("MORE"), help: "Whatever is left.")
}

/// A small program with everything a declaration can say; the action is the name of what would run.
enum SampleProgram {
    static let program = Program(root, version: "shop 1.2.3")

    static let root = Command<String>(
        "shop", "Sell things to people.", options: [StandardOptions.json], subcommands: [keys, importing, open])

    static let keys = Command<String>(
        "keys", "Make and show the keys.", subcommands: [initialise, rotate])

    static let initialise = Command<String>(
        "init", "Make the keys of a store.",
        discussion: """
            Keys are made once and kept in a folder that only their owner can read. Making them again
            changes nothing.

              indented lines
              stay as they are

            A second paragraph follows the first after an empty line.
            """,
        options: [
            SampleOptions.data, SampleOptions.world, SampleOptions.der, SampleOptions.pem, SampleOptions.verbose,
        ],
        rules: [.atMostOne(SampleOptions.der, SampleOptions.pem)],
        examples: [Example("Keys for the sandbox alone", "shop keys init --environment sandbox")],
        exitCodes: [.cannotCreate.when("The folder cannot be written.")], seeAlso: ["'shop keys rotate'"],
        action: "init")

    static let rotate = Command<String>(
        "rotate", "Replace the keys.",
        options: [SampleOptions.owner, SampleOptions.days, SampleOptions.passphrase, SampleOptions.lengths],
        rules: [.option(SampleOptions.days, needs: SampleOptions.passphrase)], action: "rotate")

    static let importing = Command<String>(
        "import", "Import products.", options: [SampleOptions.tags],
        arguments: [SampleOptions.file, SampleOptions.count, SampleOptions.more], action: "import")

    static let open = Command<String>(
        "open", "Open the shop.", options: [SampleOptions.der, SampleOptions.pem],
        rules: [.exactlyOne(SampleOptions.der, SampleOptions.pem)], action: "open")
}

/// What parsing one line of words gave, in the words of a test.
struct Outcome {
    let result: ParseResult<String>

    init(_ line: String, environment: [String: String] = [:]) {
        self.init(words: line.split(separator: " ").map(String.init), environment: environment)
    }

    init(words: [String], environment: [String: String] = [:], program: Program<String> = SampleProgram.program) {
        result = program.parse(words, environment: environment)
    }

    var invocation: Invocation<String>? {
        if case .run(let invocation) = result { invocation } else { nil }
    }

    var arguments: ParsedArguments? { invocation?.arguments }

    var text: String? {
        if case .text(let text) = result { text } else { nil }
    }

    var error: UsageError? {
        if case .failure(let error) = result { error } else { nil }
    }
}
