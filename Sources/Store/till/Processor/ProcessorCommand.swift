import CommandOptions
import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreRules
import StoreService
import TestProcessor

/// `till processor`
enum ProcessorCommand {
    static let command = Command<TillProgram.Action>(
        "processor", "The test processor: payments that move no money.",
        discussion: """
            The sandbox starts one of its own. What it did is in a log of its own, beside the store's books and not in \
            them, so that each can be held against the other.
            """,
        options: [DataOptions.data, ProcessorOptions.environment, SettingsOptions.file],
        examples: [
            Example("What the sandbox's processor did so far", "till processor log"),
            Example(
                "Let the next two captures be carried out and their answers be lost",
                "curl --unix-socket till_data/processor/sandbox/processor.sock http://processor/v1/scripts "
                    + "--json '{\"step\":\"capture\",\"count\":2,\"fault\":\"lost\"}'"),
        ],
        subcommands: [ProcessorServe.command, ProcessorLog.command, ProcessorAct.command])
}

/// The options of `till processor`.
enum ProcessorOptions {
    static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox,
        help: "Whose processor it is.")

    static let socket = Option<String?>.optional(
        "socket", .file("PATH"), help: "Where it listens, if not at processor.sock beside its log.")

    static let actionURL = Option<String>.defaulted(
        "action-url", .text("URL"), to: "https://processor.invalid/actions/",
        help: "Where customers are sent to do something; the reference comes behind it.")

    static let newsURL = Option<String?>.optional(
        "news-url", .text("URL"), help: "Where the store receives notifications of what customers did.")

    static let newsSocket = Option<String?>.optional(
        "news-socket", .file("PATH"), help: "The Unix socket at which that address is, if it is at one.")

    static let newsSecret = Option<String?>.optional(
        "news-secret", .secret("SECRET"), environment: "TILL_PROCESSOR_NEWS_SECRET",
        help: "What news are signed with; better given by the variable, which others do not see.")

    static let lateSeconds = Option<Int>.defaulted(
        "late-seconds", .integer("SECONDS", in: 0...55), to: 20, help: "How late an answer is that comes too late.")

    static let waitSeconds = Option<Int>.defaulted(
        "wait-seconds", .integer("SECONDS", in: 0...600), to: 10,
        help: "How long to wait for another process that has the log to end.")

    static let untilInputEnds = Option<Bool>.flag(
        "until-input-ends", help: "End when standard input does, so that it never outlives who started it.")

    /// Notifications need an address and a secret.
    static let rules: [OptionRule] = [.option(newsURL, needs: newsSecret), .option(newsSocket, needs: newsURL)]
}

/// `till processor act`
enum ProcessorAct {
    private static let reference = Argument<String>.required(
        .text("REFERENCE"), help: "What the authorisation was answered: authorise-12.")

    private static let result = Argument<String>.defaulted(
        .choice("RESULT", ["completed", "failed"]), to: "completed", help: "How it went.")

    static let command = Command<TillProgram.Action>(
        "act", "Do what the processor asked of a customer, or fail at it.",
        options: [ProcessorOptions.socket], arguments: [reference, result],
        examples: [Example("The customer proves who they are", "till processor act authorise-12")],
        exitCodes: [.unavailable.when("The processor does not run.")],
        seeAlso: ["till processor log"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let folder = ProcessorFolder(
            try DataDirectory.ofStore(arguments), arguments[ProcessorOptions.environment])
        let sockets = try SocketFolder(folder.directory)
        let path = arguments[ProcessorOptions.socket] ?? sockets.path(of: ProcessorFolder.socketName)
        let client = try TestProcessorClient(socketPath: path, patience: .zero, secret: "")
        do throws(ProcessorError) {
            try await client.act(on: arguments[reference], completed: arguments[result] == "completed")
            await client.shutDown()
            context.print(outcome(arguments[reference], completed: arguments[result] == "completed"))
        } catch {
            await client.shutDown()
            throw CommandFailure(error.code == .notSent ? .unavailable : .failure, "\(error)")
        }
        withExtendedLifetime(sockets) {}
    }

    static func outcome(_ reference: String, completed: Bool) -> String {
        let name = PrintableText(reference, limit: 100)
        return completed
            ? "\(name) is authorised: the customer did what was asked. The store is told, and goes on with the purchase."
            : "\(name) is declined: the customer failed at what was asked. The store is told, and the purchase ends."
    }
}

/// `till processor log`
enum ProcessorLog {
    private static let after = Option<Int>.defaulted(
        "after", .integer("N", in: 0...Int.max), to: 0, help: "Only what came after this number.")

    static let command = Command<TillProgram.Action>(
        "log", "Show what the test processor did.",
        discussion: """
            Every line is checked before anything is shown. It works whether the processor runs or not, and shows what is \
            on the disk. With --json each record is a line of JSON.
            """,
        options: [after, StandardOptions.json],
        examples: [
            Example("Everything, for a program", "till processor log --json"),
            Example("What is new since record 100", "till processor log --after 100"),
        ],
        exitCodes: [
            .inputMissing.when("There is no log."), .configuration.when("The log is damaged."),
        ],
        seeAlso: ["till processor serve"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let folder = ProcessorFolder(
            try DataDirectory.ofStore(arguments), arguments[ProcessorOptions.environment])
        guard FileManager.default.fileExists(atPath: folder.logPath) else {
            throw CommandFailure(
                .inputMissing,
                "there is no log of a processor at \(folder.logPath); name the store's folder with --data")
        }
        var totals = TestProcessorTotals()
        try TestProcessorLogFile.read(folder.logPath) { totals.add($0) }
        try TestProcessorLogFile.read(folder.logPath) { record in
            guard record.number > arguments[after] else { return }
            if arguments[StandardOptions.json] {
                context.write(record.json.bytes + [UInt8(ascii: "\n")])
            } else {
                context.print(line(of: record))
            }
        }
        if !arguments[StandardOptions.json] {
            for (currency, sums) in totals.sums.sorted(by: { $0.key.code < $1.key.code }) {
                context.print("\(currency): captured \(sums.captured), refunded \(sums.refunded) minor units")
            }
        }
    }

    private static func line(of record: TestProcessorRecord) -> String {
        let parts: [String?] = [
            record.reference, record.result.rawValue, record.refusal?.rawValue, record.amount?.description,
            record.of.map { "of \($0)" }, record.method, record.key,
        ]
        return PrintableText(parts.compactMap(\.self).joined(separator: "  "), limit: 1000).description
    }
}
