import CommandOptions

/// The command line of `till`.
enum TillProgram {
    /// The version of this program.
    static let version = "0.1.0"

    /// What a command does: it writes through the context and throws to fail.
    typealias Action = @Sendable (_ arguments: ParsedArguments, _ context: CommandContext) async throws -> Void

    static let program = Program<Action>(
        Command(
            "till", "The in-app purchase system one can run oneself.",
            discussion: """
                till runs a store for apps that sell through StoreKit: on a laptop and in CI for tests, and on a server \
                for real.
                """,
            examples: [
                Example("Make the keys of a new store in ./till_data", "till keys init"),
                Example(
                    "Hand out the certificate that sandbox purchases verify under",
                    "till keys root --environment sandbox"),
            ],
            subcommands: [
                ServeCommand.command, DoctorCommand.command, AppsCommand.command, ProductsCommand.command,
                ProvisionCommand.command, PeopleCommand.testers, PeopleCommand.customers, DevicesCommand.command,
                BuyCommand.buy, BuyCommand.approve, PurchasesCommand.command, TransactionsCommand.command,
                LedgerCommand.command, ReceiptCommand.command, DeviceCommand.command, ControlTokenCommand.command,
                DatabaseCommand.command,
                ProcessorCommand.command, KeysCommand.command, CompletionCommand.command,
            ]),
        version: "till \(version)")

    /// Runs what the arguments ask for and answers the exit status.
    static func main(_ context: CommandContext) async -> Int32 {
        switch program.parse(
            context.arguments, environment: context.environment, settings: SettingsOptions.lookup)
        {
        case .text(let text):
            context.print(text)
            return ExitCode.success.rawValue
        case .failure(let error):
            context.printError(error.description)
            return error.exitCode.rawValue
        case .run(let invocation):
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
