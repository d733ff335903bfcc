import CommandOptions
import StoreBackend
import StoreModel

/// `till backend content`
enum BackendContent {
    static let command = Command<TillProgram.Action>(
        "content", "The files that your own server sends to those who paid for them.",
        examples: [
            Example(
                "What the product with \"content\": \"may\" is", "till backend content add may may.pdf --version 1.0"),
            Example("All content", "till backend content list"),
        ],
        subcommands: [add, list, remove])

    private static let name = Argument<String>.required(
        .text("NAME"), help: "The content, by the name that lists of products have.")

    private static let file = Argument<String>.required(.file(), help: "The file; it is copied.")

    private static let version = Option<String>.required(
        "version", .text("VERSION"), help: "The version of the content: numbers with periods between them.")

    private static let minimum = Option<String?>.optional(
        "minimum-app-version", .text("VERSION"), help: "The first version of the app that may have it.")

    private static let maximum = Option<String?>.optional(
        "maximum-app-version", .text("VERSION"), help: "The last version of the app that may have it.")

    private static let add = Command<TillProgram.Action>(
        "add", "Add a version of a content; who asks from now on gets it.",
        options: BackendOptions.place + [version, minimum, maximum, StandardOptions.json], arguments: [name, file],
        examples: [
            Example("A first version", "till backend content add may may.pdf --version 1.0"),
            Example(
                "For newer apps alone",
                "till backend content add may may-large.pdf --version 2.0 --minimum-app-version 3.0"),
        ],
        exitCodes: [
            .badData.when("There is such a version already, or a value breaks a rule."), .inputMissing, .inputOutput,
        ],
        seeAlso: ["till backend products publish"],
        action: { arguments, context in
            let added = try await BackendFolder.open(arguments, context, beginning: true) { backend in
                try await backend.addContent(
                    arguments[file], as: arguments[name], version: arguments[version],
                    minimumAppVersion: arguments[minimum], maximumAppVersion: arguments[maximum], at: context.now)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(ContentReport(added)) }
            context.print("\(added.name) \(added.version) has \(added.bytes) bytes, SHA-256 \(added.digest).")
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List all versions of all content.", options: BackendOptions.place + [StandardOptions.json],
        examples: [Example("For a script", "till backend content list --json")],
        exitCodes: [BackendFolder.missing, .inputOutput], seeAlso: ["till backend content add"],
        action: { arguments, context in
            let files = try await BackendFolder.open(arguments, context) { try await $0.contents() }
            if arguments[StandardOptions.json] { return try context.printJSON(files.map(ContentReport.init)) }
            let table = ListTable<ContentFile>(
                .value("CONTENT") { $0.name }, .value("VERSION") { $0.version }, .number("BYTES") { "\($0.bytes)" },
                .value("FILE") { $0.fileName }, .value("APPS FROM") { $0.minimumAppVersion },
                .value("TO") { $0.maximumAppVersion })
            context.printList(files, as: table, arguments, nothing: "There is no content.")
        })

    private static let remove = Command<TillProgram.Action>(
        "remove", "Remove a version of a content.",
        discussion: "Who paid for it gets the newest version that is left. Downloads that go on end in an error.",
        options: BackendOptions.place + [version], arguments: [name],
        examples: [Example("A version", "till backend content remove may --version 1.0")],
        exitCodes: [BackendFolder.missing(or: "no such version"), .inputOutput],
        seeAlso: ["till backend content list"],
        action: { arguments, context in
            try await BackendFolder.open(arguments, context) { backend in
                try await backend.removeContent(arguments[name], version: arguments[version], at: context.now)
                _ = try await backend.removeUnusedFiles()
            }
            context.print("Removed.")
        })

    /// A version of a content, for programs.
    private struct ContentReport: Encodable {
        let name: String
        let version: String
        let bytes: Int64
        let sha256: String
        let fileName: String
        let minimumAppVersion: String?
        let maximumAppVersion: String?

        init(_ file: ContentFile) {
            name = file.name
            version = file.version
            bytes = file.bytes
            sha256 = file.digest
            fileName = file.fileName
            minimumAppVersion = file.minimumAppVersion
            maximumAppVersion = file.maximumAppVersion
        }
    }
}
