import CommandOptions
import StoreModel
import StoreServer

/// `till provision`
enum ProvisionCommand {
    private static let bundle = Argument<BundlePattern>.required(
        ValueFormat(
            "BUNDLE", rule: "a bundle id, or one that ends with .* for several", explainsRule: false,
            parse: { BundlePattern($0) }),
        help: "The bundle id of the app; com.example.* is valid, but cannot sell.")
    private static let sandbox = Option<Bool>.flag("sandbox", help: "The app gets to the sandbox.")
    private static let production = Option<Bool>.flag("production", help: "The app gets to production.")
    private static let storeURL = Option<PublicURL?>.optional(
        "store-url", PublicURL.format,
        help: "Where the app reaches the store; else where the running store says that it is.")

    static let command = Command<TillProgram.Action>(
        "provision", "Make the provisioning profile by which an app finds its store.",
        discussion: """
            The profile says which app it is for, where its store is and which roots its signatures verify under; it is \
            signed by the store. It is no secret. The app finds it by the variable STOREKIT_PROFILE, or beside its \
            executable.
            """,
        options: AdminConnection.options + [
            sandbox, production, storeURL, KeysOptions.passphraseFile, StandardOptions.json,
        ],
        arguments: [bundle], rules: [.exactlyOne(sandbox, production)],
        examples: [
            Example(
                "For an app in development", "till provision com.example.app --sandbox > Example.tillprofile"),
            Example(
                "For customers, from a store that does not run",
                "till provision com.example.app --production --store-url https://store.example.com"),
        ],
        exitCodes: [
            .inputMissing.when("There is no such app, no store, or no keys."),
            .badData.when(
                "The address is missing, or will not do: production is reached by https or on the machine itself."),
            CatalogueOptions.unavailable,
            .noPermission.when("The passphrase of the keys is wrong or missing."),
        ],
        seeAlso: ["till products import", "till keys root"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let environment: StoreEnvironment = arguments[sandbox] ? .sandbox : .production
        let order = ProfileRequest(bundleId: arguments[bundle], storeUrl: arguments[storeURL]?.address)
        let answer = try await AdminConnection.withStore(
            arguments, context, passphrase: Passphrase.fromFile(arguments)
        ) { store in
            do {
                return try await store.ask(
                    "POST", "/\(environment.rawValue)/control/v1/profiles", order, as: ProfileAnswer.self)
            } catch let failure as CommandFailure {
                // The interface calls the address by another name than the command line.
                throw CommandFailure(
                    failure.exitCode, failure.message.replacing("storeUrl", with: "--\(storeURL.name)"))
            }
        }
        if arguments[StandardOptions.json] { return try context.printJSON(answer) }
        context.print(answer.profile)
    }
}
