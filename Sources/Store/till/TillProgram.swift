import CommandOptions
import Foundation
import StoreFoundation
import StoreModel
import StoreServer

/// The command line of `till`.
enum TillProgram {
    /// The version of this program.
    static let version = "0.1.0"

    /// The action of a command: it writes through the context and throws to fail.
    typealias Action = @Sendable (_ arguments: ParsedArguments, _ context: CommandContext) async throws -> Void

    static let program = Program<Action>(
        Command(
            "till", "The in-app purchase system one can run oneself.",
            discussion: """
                till runs a store for apps that sell through StoreKit: on a laptop and in CI for tests, and on a server \
                for real.
                """,
            examples: [
                Example("A store to try, with something to sell and a tester", "till dev"),
                Example("Buy something there, in another terminal", "till buy com.example.monkeycredits.credits5"),
                Example("See what came of it", "till transactions show last"),
            ],
            subcommands: ListOptions.ruled(commands)),
        version: "till \(version)")

    /// All commands, in the order and under the headings of the help: what the first minute needs comes first.
    private static let commands: [Command<Action>] =
        Command.topic(
            "The first minute",
            [
                DevCommand.command, BuyCommand.buy, TransactionsCommand.command, ConsoleCommand.command,
                ProvisionCommand.command, ReportCommands.steps, WhyCommand.command,
            ])
        + Command.topic(
            "What servers of apps are told",
            [ListenCommand.command, TriggerCommand.command, NotificationsCommand.command])
        + Command.topic(
            "What is sold",
            [
                AppsCommand.command, ProductsCommand.command, ItemsCommand.command, PricesCommand.command,
                GroupsCommand.command,
                OffersCommand.command, OfferKeysCommand.command, CodesCommand.command, ContentCommand.command,
                VersionsCommand.command, ReviewCommand.command, CatalogueCommand.command,
            ])
        + Command.topic(
            "Customers, and what they buy",
            [
                PeopleCommand.testers, PeopleCommand.customers, FamilyCommand.command, DevicesCommand.command,
                BuyCommand.approve, ApprovalsCommand.command, PurchasesCommand.command, SubscriptionsCommand.command,
                RefundsCommand.command, LedgerCommand.command, FinanceCommand.command, ClockCommand.command,
                FaultsCommand.command, ScenarioCommand.command, SnapshotCommand.command,
                RatingsCommand.command,
            ])
        + Command.topic("Partners", [PartnersCommand.command, FeedCommand.command])
        + Command.topic(
            "A store that runs",
            [
                ServeCommand.command, ReportCommands.overview, FindCommand.command, ReportCommands.requests,
                DoctorCommand.command, SystemCommand.command, SelfTestCommand.command, SettingsCommand.command,
                BackupsCommand.command,
                ControlTokenCommand.command, APIKeyCommand.command, DatabaseCommand.command, KeysCommand.command,
                ProcessorCommand.command,
            ])
        + Command.topic("Your own server", [BackendCommand.command])
        + Command.topic(
            "Teams",
            [
                TeamsCommand.command, MembersCommand.command, StorePeopleCommand.command, SecondFactorCommand.command,
                AgreementsCommand.command, AuditCommand.command,
            ])
        + Command.topic(
            "Receipts, this device and this program",
            [
                ReportCommands.inspect, ReceiptCommand.command, DeviceCommand.command, CompletionCommand.command,
                VersionCommand.command,
            ])

    /// Runs the command in the arguments and returns the exit status.
    static func main(_ context: CommandContext) async -> Int32 {
        switch program.parse(
            context.arguments, environment: context.environment, settings: SettingsOptions.lookup,
            width: context.outputWidth)
        {
        case .text(let text):
            context.print(text)
            return ExitCode.success.rawValue
        case .failure(let error):
            context.printError(error.description)
            return error.exitCode.rawValue
        case .run(let invocation):
            if let unfilled = invocation.arguments.unfilled {
                context.printError(unfilled.description)
                return unfilled.exitCode.rawValue
            }
            do {
                try await invocation.action(invocation.arguments, context)
                return ExitCode.success.rawValue
            } catch {
                let failure = CommandFailure(error)
                context.printError("till: \(failure.message)")
                return failure.exitCode.rawValue
            }
        }
    }
}

/// `till version`
enum VersionCommand {
    static let command = Command<TillProgram.Action>(
        "version", "Print the version of till.", options: [StandardOptions.json],
        examples: [Example("For a program", "till version --json")],
        action: { arguments, context in
            if arguments[StandardOptions.json] { return try context.printJSON(["version": TillProgram.version]) }
            context.print("till \(TillProgram.version)")
        })
}

/// `till completion`
enum CompletionCommand {
    static let command = Command<TillProgram.Action>(
        "completion", "Teach a shell to complete the words of till.",
        examples: [Example("Complete in this bash", load(.bash))],
        subcommands: CompletionShell.allCases.map(command) + [answer, check])

    private static func command(_ shell: CompletionShell) -> Command<TillProgram.Action> {
        Command(
            shell.rawValue, "Print what \(shell.rawValue) has to read.",
            examples: [Example("Complete in this shell", load(shell)), Example("In every shell", install(shell))],
            action: { _, context in context.print(shell.script(for: "till", asking: "completion answer --")) })
    }

    private static func load(_ shell: CompletionShell) -> String {
        switch shell {
        case .bash, .zsh: "source <(till completion \(shell.rawValue))"
        case .fish: "till completion fish | source"
        }
    }

    private static func install(_ shell: CompletionShell) -> String {
        switch shell {
        case .bash: "till completion bash > ~/.local/share/bash-completion/completions/till"
        case .zsh: "till completion zsh > \"${fpath[1]}/_till\""
        case .fish: "till completion fish > ~/.config/fish/completions/till.fish"
        }
    }

    private static let words = Argument<[String]>.rest(
        ValueFormat("WORD", rule: "any text", explainsRule: false) { $0 },
        help: "The words after till, the last of them under the cursor.")

    private static let answer = Command<TillProgram.Action>(
        "answer", "Say what may stand at the end of a line; the scripts ask this.",
        discussion: """
            Prints a line for each candidate, the word and after a tab what it stands for, and last a colon with none, \
            files or directories: the names the shell has to find itself.
            """,
        arguments: [words], examples: [Example("What may follow 'till keys'", "till completion answer -- keys \"\"")],
        action: answer)

    private static let script = Argument<String>.defaulted(
        .file(), to: "-", help: "A script for a shell; - reads standard input.")
    /// The longest script that is read.
    private static let scriptBytes = 1 << 20

    private static let check = Command<TillProgram.Action>(
        "check", "Say which commands of a script this version of till does not understand; nothing is run.",
        discussion: """
            Prints a line for each mistake: the line of the script, the command, and what is wrong. Until version 1.0 commands \
            and options may change, so this is for scripts that were written for another version. A value that the shell \
            puts together is taken for a good one.
            """,
        arguments: [script],
        examples: [
            Example("A script", "till completion check deploy.sh"),
            Example("Lines of a table of jobs", "crontab -l | sed 's/^\\([^ ]* \\)\\{5\\}//' | till completion check"),
        ],
        exitCodes: [
            .badData.when("A command would not be understood; the lines say which."),
            .inputMissing.when("The script cannot be read."),
        ],
        action: check)

    private static func check(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let bytes = try InputFile.read(arguments[script], limit: scriptBytes)
        guard bytes.count <= scriptBytes else { throw CommandFailure(.badData, "the script is longer than 1 MiB") }
        let mistakes = TillProgram.program.mistakes(in: ShellScript(String(decoding: bytes, as: UTF8.self)))
        for (line, error) in mistakes {
            let sentence = [error.message, error.advice].compactMap { $0 }.joined(separator: " ")
            context.print("\(line): \(error.path.joined(separator: " ")): \(sentence)")
        }
        guard mistakes.isEmpty else {
            throw CommandFailure(.badData, "\(mistakes.count) commands would not be understood")
        }
    }

    private static func answer(_ arguments: ParsedArguments, _ context: CommandContext) async {
        var completion = TillProgram.program.completion(of: arguments[words])
        if let question = completion.question {
            completion.answer(await KnownValues(arguments[words], context).values(of: question.what))
        }
        for candidate in completion.candidates { context.print("\(candidate.word)\t\(candidate.explanation)") }
        context.print(":\(completion.names.rawValue)")
    }
}

/// What a store that runs has of something, for the completion of a line: quietly, and not for long.
private struct KnownValues {
    private let directory: DataDirectory
    private let environment: String

    /// - Parameter words: the words of the line, among which --data and --environment are looked for.
    init(_ words: [String], _ context: CommandContext) {
        let value = { (name: String) -> String? in
            if let joined = words.last(where: { $0.hasPrefix("--\(name)=") }) {
                return String(joined.dropFirst(name.count + 3))
            }
            guard let place = words.lastIndex(of: "--\(name)"), place + 1 < words.count - 1 else { return nil }
            return words[place + 1]
        }
        directory = DataDirectory(value("data") ?? context.environment["TILL_DATA"] ?? "./till_data")
        let isCustomers = words.first == "customers"
        environment =
            value("environment") ?? context.environment["TILL_ENVIRONMENT"] ?? (isCustomers ? "production" : "sandbox")
    }

    /// How many are offered; nobody reads more.
    private static let most = 200

    func values(of what: String) async -> [String] {
        guard let store = try? await AdminConnection.ofRunning(directory) else { return [] }
        let found = (try? await ask(what, store)) ?? []
        await store.close()
        return found
    }

    private func ask(_ what: String, _ store: AdminConnection) async throws -> [String] {
        let path = "/\(environment)/control/v1"
        switch what {
        case "bundles": return try await store.apps().map(\.bundleId.text)
        case "products":
            var found: [String] = []
            for app in try await store.apps() where found.count < Self.most {
                found += try await store.products(of: app.bundleId).map(\.productId.text)
            }
            return Array(found.prefix(Self.most))
        case "people":
            let page = try await store.ask("GET", path + "/customers?limit=\(Self.most)", as: Page<CustomerReport>.self)
            return page.items.map(\.email)
        case "subscriptions":
            let page = try await store.ask(
                "GET", path + "/subscriptions?limit=\(Self.most)", as: Page<SubscriptionReport>.self)
            return page.items.map(\.subscriptionId.description)
        case "tokens":
            let page = try await store.ask("GET", "/admin/v1/operator-tokens", as: Page<OperatorTokenReport>.self)
            return page.items.filter { $0.revokedAt == nil }.map(\.name)
        case "teams":
            let page = try await store.ask("GET", path + "/teams?limit=\(Self.most)", as: Page<TeamAnswer>.self)
            return page.items.map(\.teamId.text)
        default: return []
        }
    }
}

/// The settings file, for options that neither the command line nor a variable sets.
enum SettingsOptions {
    static let file = Option<String?>.optional(
        "settings", .file(), environment: "TILL_SETTINGS",
        help: "A file of settings, a line 'name = value' each, named like the options; else till.conf in the data "
            + "directory, if it is there.")

    /// Finds the settings file of a command that takes one.
    static func lookup(_ arguments: ParsedArguments) throws -> SettingsFile? {
        guard arguments.declares(file) else { return nil }
        if let path = arguments[file] {
            guard let bytes = try contents(of: path) else {
                throw SettingsProblem(path: path, message: "there is no such file.")
            }
            return try SettingsFile(path: path, contents: bytes, reserved: [file.name])
        }
        let path = DataDirectory(arguments[DataOptions.data]).settingsPath
        guard let bytes = try contents(of: path) else { return nil }
        return try SettingsFile(path: path, contents: bytes, reserved: [file.name, DataOptions.data.name])
    }

    /// The bytes of a file, at most one more than the limit; nil if there is none.
    private static func contents(of path: String) throws -> [UInt8]? {
        // A pipe is refused below; opening it must not block.
        let bytes: [UInt8]?
        do throws(FileFailure) {
            let file = try SystemFile(path, O_RDONLY | O_NONBLOCK, for: "reading")
            let isFile = try file.status().st_mode & S_IFMT == S_IFREG
            bytes = isFile ? try file.read(count: SettingsLimits.fileBytes + 1) : nil
        } catch {
            if error.number == ENOENT || error.number == ENOTDIR { return nil }
            let folder = (path as NSString).deletingLastPathComponent
            if error.number == EACCES, access(folder, X_OK) != 0 {
                throw SettingsProblem(path: folder, message: "the folder cannot be opened: \(error.reason).")
            }
            throw SettingsProblem(path: path, message: "the file cannot be read: \(error.reason).")
        }
        guard let bytes else { throw SettingsProblem(path: path, message: "this is not a file.") }
        return bytes
    }
}
