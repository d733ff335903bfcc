import CommandOptions
import Foundation
import StoreFoundation
import StoreHTTP
import StoreLog
import StoreModel
import StoreScenario
import StoreSigning

/// `till scenario`
enum ScenarioCommand {
    static let command = Command<TillProgram.Action>(
        "scenario", "Run scenarios: files of commands, and of what is expected of their answers.",
        discussion: """
            A line is a command of till as one types it, or begins with expect or let and is about the JSON that the command \
            above it prints with --json. What stands behind a # is a comment.

              till testers add ada@example.com
              till buy com.example.weather.themes --customer ada@example.com
              expect .state == "purchased"
              let bought = .transactionId
              till transactions refund $bought
              till transactions refund $bought
              expect error refund_exhausted

            Paths go through the answer: .items[0].state, .items[-1], .items[.productId == "gold"] for those of which that holds. \
            Behind them stands ==, !=, <, <=, >, >= or contains with a value, count with a number, exists, or missing. expect \
            within 5s asks the command again until it holds. expect error is followed by the code of a refusal, and the command \
            has to fail.

            Time goes by with till clock advance alone.
            """,
        examples: [
            Example("One, in a store of its own", "till scenario run Scenarios/refund-takes-back.till"),
            Example(
                "The same at a store that runs", "till scenario run Scenarios/refund-takes-back.till --data ./till_data"
            ),
        ],
        seeAlso: ["till clock", "till testers", "till dev"], subcommands: [running, checking])

    private static let files = Argument<[String]>.rest(
        .file(), atLeastOne: true, help: "The files, which are run one after the other.")
    // Without variables: what is set for other commands must not turn a fresh world into a store that runs.
    private static let data = Option<String?>.optional(
        "data", .directory(), help: "The sandbox of the store that runs in this data directory, instead of a fresh one."
    )
    private static let address = Option<String?>.optional(
        "store", .text("URL"),
        help: "The sandbox at this address, such as https://sandbox.example.com, instead of a fresh one.")
    private static let seed = Option<Int>.defaulted(
        "seed", .integer(in: 0...Int.max), to: 1, help: "What is drawn at random in a fresh world follows from it.")

    private static let noScenario = ExitCode.badData.when(
        "A file is no scenario, or a command in it does not exist; nothing was run.")
    private static let noFile = ExitCode.inputMissing.when("A file cannot be read; nothing was run.")

    private static let running = Command<TillProgram.Action>(
        "run", "Run scenarios and say for each line what came of it.",
        discussion: """
            Each file gets a fresh world: a sandbox in memory that sells nothing yet, whose clock stands still at \
            2030-01-01T00:00:00Z, whose subscriptions go by the calendar, and which is gone at the end. Names of files in a \
            scenario are looked for beside it.

            With --data or --store it is the sandbox of a store that runs, by a token of the sandbox: what production sells, its \
            customers and its money are out of reach.

            A scenario ends at the first line that does not go as it is written. The message says file, line and column. With \
            --json it is in fault of the scenario, and in faults if nothing was run because a file is no scenario.
            """,
        options: [seed, data, address, ContentStore.tokenFile, ContentStore.authorities, StandardOptions.json],
        arguments: [files], rules: [.atMostOne(data, address, seed)],
        examples: [
            Example("All of a folder", "till scenario run Scenarios/*.till"),
            Example("For a program", "till scenario run Scenarios/refund-takes-back.till --json"),
        ],
        exitCodes: [
            .failure.when("A scenario did not go as it is written; the messages say where."), noScenario, noFile,
            .unavailable.when("The store does not run, or does not answer."),
            .noPermission.when("The token is missing, or may not do this."),
        ],
        action: { arguments, context in try await run(arguments, context) })

    private static let checking = Command<TillProgram.Action>(
        "check", "Say what is wrong with scenarios as they are written; nothing is run.",
        options: [StandardOptions.json], arguments: [files],
        examples: [Example("All of a folder", "till scenario check Scenarios/*.till")],
        exitCodes: [noScenario, noFile],
        action: { arguments, context in
            let faults = check(try read(arguments[files]))
            if arguments[StandardOptions.json] { try context.printJSON(["faults": faults]) }
            try refuse(faults, context)
        })

    // MARK: Files

    private struct File {
        /// The folder that names in it are looked for in.
        let folder: String
        let scenario: Result<Scenario, ScenarioFault>
    }

    private static func read(_ paths: [String]) throws -> [File] {
        try paths.map { path in
            let bytes = try InputFile.read(path, limit: ScenarioLimits.fileBytes)
            let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
            return File(
                folder: folder,
                scenario: Result { () throws(ScenarioFault) in try Scenario(bytes, named: path) })
        }
    }

    /// What is wrong with files as they are written; the first of each.
    private static func check(_ files: [File]) -> [ScenarioFault] {
        files.compactMap { file in
            do throws(ScenarioFault) {
                try ScenarioRun(try file.scenario.get(), ScenarioTable(.nowhere)).check()
                return nil
            } catch {
                return error
            }
        }
    }

    private static func refuse(_ faults: [ScenarioFault], _ context: CommandContext) throws {
        guard !faults.isEmpty else { return }
        for fault in faults { context.printError(text(fault)) }
        throw CommandFailure(
            .badData, faults.count == 1 ? "this is no scenario" : "\(faults.count) files are no scenarios")
    }

    // MARK: Running

    private struct Answer: Encodable {
        let passed: Bool
        let scenarios: [ScenarioReport]
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let files = try read(arguments[files])
        let faults = check(files)
        if !faults.isEmpty, arguments[StandardOptions.json] { try context.printJSON(["faults": faults]) }
        try refuse(faults, context)
        let isFresh = arguments[data] == nil && arguments[address] == nil
        let reports =
            isFresh ? try await runFresh(files, arguments, context) : try await runAt(files, arguments, context)
        if arguments[StandardOptions.json] {
            try context.printJSON(Answer(passed: reports.allSatisfy(\.passed), scenarios: reports))
        }
        let failed = reports.count { !$0.passed }
        guard failed == 0 else {
            throw CommandFailure(.failure, "\(failed) of \(reports.count) scenarios did not go as they are written")
        }
        if !arguments[StandardOptions.json] {
            context.print("\(reports.count) \(reports.count == 1 ? "scenario" : "scenarios") went as written.")
        }
    }

    /// Runs each file in a world of its own.
    private static func runFresh(
        _ files: [File], _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> [ScenarioReport] {
        let passing = PassingFolder(prefix: "till-scenario-")
        try passing.make()
        defer { passing.remove() }
        let log = LogWriter(format: .text, write: context.warn).log(least: .error)
        let keys = try ScenarioWorld.keys(in: passing.path + "/keys")
        var reports: [ScenarioReport] = []
        for (number, file) in files.enumerated() {
            let folder = "\(passing.path)/\(number)"
            try DataDirectory.makeFolder(folder)
            let world = try await ScenarioWorld(
                in: folder, keys: keys, seed: UInt64(arguments[seed]), log: log)
            reports.append(try await run(file, at: world.connection, arguments, context))
            await world.close()
            try? FileManager.default.removeItem(atPath: folder)
        }
        return reports
    }

    /// Runs the files one after the other at a store that runs.
    private static func runAt(
        _ files: [File], _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> [ScenarioReport] {
        let elsewhere = try await ScenarioSandbox.elsewhere(arguments, context)
        let sandbox: ScenarioSandbox
        if let elsewhere {
            sandbox = elsewhere
        } else {
            sandbox = try await .running(in: DataDirectory(arguments[data] ?? DataOptions.usual), at: context.now)
        }
        do {
            var reports: [ScenarioReport] = []
            for file in files { reports.append(try await run(file, at: sandbox.connection, arguments, context)) }
            await sandbox.close()
            return reports
        } catch {
            await sandbox.close()
            throw error
        }
    }

    private static func run(
        _ file: File, at store: AdminConnection, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> ScenarioReport {
        let before = FileManager.default.currentDirectoryPath
        guard FileManager.default.changeCurrentDirectoryPath(file.folder) else {
            throw CommandFailure(.inputMissing, "the folder \(file.folder) cannot be opened")
        }
        defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
        let scenario = try file.scenario.get()
        var run = ScenarioRun(scenario, ScenarioTable(store.lent))
        let isTold = !arguments[StandardOptions.json]
        if isTold { context.print(PrintableText(scenario.name, limit: 400).description) }
        let report = await run.run { news in
            if isTold, case .done(let step, let outcome) = news { context.print(text(step, outcome)) }
        }
        if let fault = report.fault { context.printError(text(fault)) }
        return report
    }

    // MARK: Texts

    private static func text(_ fault: ScenarioFault) -> String { PrintableText("\(fault)", limit: 1000).description }

    private static func text(_ step: ScenarioStep, _ outcome: ScenarioOutcome) -> String {
        let number = String(step.line)
        let padding = String(repeating: " ", count: max(0, 4 - number.count))
        let line = "\(padding)\(number)  \(PrintableText(step.text, limit: ScenarioLimits.lineCharacters))"
        switch outcome {
        case .ran, .held: return line
        case .failedAsExpected(let code, let message):
            return line + "\n      refused, \(code): \(PrintableText(message, limit: 300))"
        case .captured(_, let value): return line + "\n      \(PrintableText(value.brief(), limit: 300))"
        }
    }
}

extension AdminConnection {
    /// A connection for what asks nothing.
    fileprivate static let nowhere = AdminConnection(isRunning: false, transport: NoTransport(), end: {})
}

/// Answers nothing.
private struct NoTransport: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw CommandFailure(.unavailable, "there is no store")
    }
}
