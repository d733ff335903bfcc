import CommandOptions
import StoreModel
import StoreServer

/// `till apps`
enum AppsCommand {
    private static let secretBundle = Argument<BundleID?>.optional(
        CatalogueOptions.bundleFormat, help: "The app; without it the secret that counts for all apps is meant.")
    private static let new = Option<Bool>.flag("new", help: "Make a new one; the old one is void at once.")
    private static let remove = Option<Bool>.flag("remove", help: "Remove it.")

    static let command = Command<TillProgram.Action>(
        "apps", "Enter and list apps, their capabilities, versions and shared secrets.",
        discussion: "An app is also made by importing its products: till products import FILE",
        options: AdminConnection.options,
        examples: [Example("A shared secret for verifyReceipt", "till apps secret com.example.app --new")],
        subcommands: [
            Command(
                "list", "List the apps.", options: ListOptions.all,
                examples: [Example("All apps, for a program", "till apps list --json")],
                exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable], action: list),
            Command(
                "show", "Show an app.", options: [SaleOptions.environment, StandardOptions.json],
                arguments: [CatalogueOptions.bundle],
                examples: [Example("Its number, and whether it has a shared secret", "till apps show com.example.app")],
                exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable], action: show),
            Command(
                "secret", "Show, make or remove a shared secret of an environment.",
                discussion: """
                    Servers of developers send it along when they have receipts of subscriptions verified. Each environment has \
                    its own.
                    """,
                options: [SaleOptions.environment, new, remove, StandardOptions.json], arguments: [secretBundle],
                rules: [.atMostOne(new, remove)],
                examples: [
                    Example("Make one for an app in the sandbox", "till apps secret com.example.app --new"),
                    Example("Make one for all apps in production", "till apps secret --environment production --new"),
                ],
                exitCodes: [
                    CatalogueOptions.missing, CatalogueOptions.unavailable,
                    .failure.when("There is none; shown with --json that is null, and no failure."),
                ],
                action: secret),
        ] + developing)

    private static func list(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let apps = try await AdminConnection.withStore(arguments, context) { try await $0.apps() }
        if arguments[StandardOptions.json] { return try context.printJSON(Page(apps)) }
        context.printList(
            apps, as: CatalogueTables.apps, arguments,
            nothing: "There are no apps. To enter one: till apps create BUNDLE NAME")
    }

    private static func show(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let app = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask(
                "GET", path(of: arguments[CatalogueOptions.bundle], arguments), as: CatalogueAppAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(app) }
        for line in lines(app, in: arguments[SaleOptions.environment]) { context.print(line) }
    }

    /// The interface of the environment that is asked about, for an app or for all.
    private static func path(of bundle: BundleID?, _ arguments: ParsedArguments) -> String {
        "/\(arguments[SaleOptions.environment])/control/v1" + (bundle.map { "/apps/\($0)" } ?? "")
    }

    /// - Parameter environment: of whose shared secret is told.
    static func lines(_ app: CatalogueAppAnswer, in environment: StoreEnvironment? = nil) -> [String] {
        let secret = environment.map { "  shared secret of \($0): \(app.hasSharedSecret ? "yes" : "none")" }
        return [
            line(app), "  made \(app.createdAt), texts in \(app.primaryLanguage) where no other fits",
            "  team \(app.teamId), may use: \(app.capabilities.isEmpty ? "nothing" : app.capabilities.joined(separator: ", "))",
        ] + [secret, "  \(app.link)"].compactMap(\.self)
    }

    private static func line(_ app: CatalogueAppAnswer) -> String {
        "\(app.bundleId): \(PrintableText(app.name, limit: 100)), app \(app.appId)"
    }

    private static func secret(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let path = path(of: arguments[secretBundle], arguments) + "/secret"
        let answer = try await AdminConnection.withStore(arguments, context) { store -> SecretAnswer? in
            if arguments[remove] {
                guard try await store.ask("GET", path, as: SecretAnswer.self).secret != nil else {
                    throw CommandFailure(.failure, "there is no shared secret to remove")
                }
                try await store.send("DELETE", path)
                return nil
            }
            return try await store.ask(arguments[new] ? "POST" : "GET", path, as: SecretAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(["secret": answer?.secret]) }
        if arguments[remove] { return context.print("removed") }
        guard let secret = answer?.secret else {
            throw CommandFailure(.failure, "there is no shared secret; make one with --new")
        }
        context.print(secret)
    }
}

/// The options and arguments that commands on the catalogue share.
enum CatalogueOptions {
    static let bundleFormat = ValueFormat<BundleID>(
        "BUNDLE", rule: "a bundle id, such as com.example.app", explainsRule: false, completion: .asked("bundles"),
        parse: { BundleID($0) })
    static let bundle = Argument<BundleID>.required(bundleFormat, help: "The bundle id of the app.")

    static let teamFormat = ValueFormat<TeamID>(
        "TEAM", rule: "the id of a team: lowercase letters, digits and hyphens", explainsRule: false,
        completion: .asked("teams"), parse: { try? TeamID(parsing: $0) })

    static let productFormat = ValueFormat<ProductID>(
        "PRODUCT", rule: "a product id: letters, digits, periods, underscores and hyphens", explainsRule: false,
        completion: .asked("products"), parse: { ProductID($0) })
    static let product = Argument<ProductID>.required(productFormat, help: "The id of the product.")
    static let products = Argument<[ProductID]>.rest(
        productFormat, atLeastOne: true, help: "The ids of the products.")

    static let storefront = Argument<StorefrontRecord>.required(
        ValueFormat(
            "STOREFRONT", rule: "the code of a storefront, three capital letters, such as USA or JPN",
            describe: { $0.alpha3 }, parse: { StorefrontRecord.storefront(alpha3: $0) }),
        help: "Where the price holds.")

    /// The control interface of either environment: they share one catalogue.
    static let path = "/production/control/v1"

    static func path(_ bundle: BundleID) -> String { "\(path)/apps/\(bundle)" }

    /// For changes of products, which are drafts of what production sells.
    static let publish = Option<Bool>.flag(
        "publish", help: "Let production sell by it at once too; else that waits for till catalogue publish.")

    /// What a path ends with, by ``publish``.
    ///
    /// - Parameter sign: what stands before it.
    static func publication(_ arguments: ParsedArguments, after sign: String = "?") -> String {
        arguments[publish] ? "\(sign)publish=true" : ""
    }

    static let missing = ExitCode.inputMissing.when("There is no such app or product, or no store.")
    static let noStore = ExitCode.inputMissing.when("There is no store.")
    static let unavailable = ExitCode.unavailable.when("The process that has the store open does not answer.")
}

extension AdminConnection {
    func apps() async throws -> [CatalogueAppAnswer] { try await all("\(CatalogueOptions.path)/apps") }

    func products(of bundle: BundleID) async throws -> [CatalogueProductAnswer] {
        try await all("\(CatalogueOptions.path(bundle))/products")
    }
}
