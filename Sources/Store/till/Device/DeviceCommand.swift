import CommandOptions
import Foundation
import StoreFoundation
import StoreModel

/// `till device`: the settings of this device for all apps that use StoreKit.
enum DeviceCommand {
    private static let isOn = Argument<Bool>.required(
        ValueFormat(
            "on|off", rule: "on or off", explainsRule: false, parse: { ["on": true, "off": false][$0] }),
        help: "Whether it holds.")
    private static let language = Argument<String>.required(
        .text("LANGUAGE"), help: "A language such as de-DE, or system for that of the system.")
    private static let email = Argument<String>.required(.text("EMAIL"), help: "The account.")
    private static let unreadable = ExitCode.configuration.when("The file of the settings cannot be used.")

    static let command = Command<TillProgram.Action>(
        "device", "Look at and change the settings of this device for apps that sell through StoreKit.",
        discussion: """
            The settings are in device.json in the folder till of $XDG_CONFIG_HOME, usually ~/.config. They are the device's \
            own: no store needs to run. Apps that run heed them at their next request.
            """,
        examples: [
            Example("See the settings", "till device show"),
            Example("Forbid purchases in all apps", "till device restrict on"),
        ],
        subcommands: [
            Command(
                "show", "Show the settings.", options: [StandardOptions.json],
                examples: [Example("For a program", "till device show --json")], exitCodes: [unreadable],
                action: { arguments, context in try show(arguments, context) }),
            Command(
                "restrict", "Forbid or allow in-app purchases.", options: [StandardOptions.json], arguments: [isOn],
                examples: [Example("Allow them again", "till device restrict off")], exitCodes: [unreadable],
                action: { arguments, context in
                    try change(arguments, context) { $0.purchasesAllowed = !arguments[isOn] }
                }),
            Command(
                "sign-out", "Sign out of the store in all apps; the next purchase asks again.",
                options: [StandardOptions.json], examples: [Example("Sign out", "till device sign-out")],
                exitCodes: [unreadable],
                action: { arguments, context in try change(arguments, context) { $0.signOuts += 1 } }),
            Command(
                "sign-in", "Refused: an app asks when it needs an account.", arguments: [email],
                examples: [Example("What not to do", "till device sign-in ada@example.com")],
                exitCodes: [.failure.when("Always.")],
                action: { _, _ in
                    throw CommandFailure(
                        .failure,
                        "sign-in is not possible here, least of all with a sandbox account: buy something in the app, and wait for its prompt"
                    )
                }),
            Command(
                "language", "Set the language of products and of StoreKit's own words.",
                options: [StandardOptions.json], arguments: [language],
                examples: [Example("As the system has it", "till device language system")], exitCodes: [unreadable],
                action: { arguments, context in
                    let text = arguments[language]
                    let chosen = text == "system" ? nil : try checked(text)
                    try change(arguments, context) { $0.language = chosen }
                }),
            Command(
                "simulator", "Let apps behave as in a simulator: prices load, purchases and restores fail.",
                options: [StandardOptions.json], arguments: [isOn],
                examples: [Example("See what an app does then", "till device simulator on")], exitCodes: [unreadable],
                action: { arguments, context in try change(arguments, context) { $0.isSimulator = arguments[isOn] } }),
            PromoteCommand.command, PromoteCommand.openCommand,
        ])

    static func folders(_ context: CommandContext) -> DeviceFolders {
        let home = context.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        return DeviceFolders(environment: context.environment, home: home)
    }

    private static func file(_ context: CommandContext) -> DevicePreferencesFile {
        DevicePreferencesFile(folders(context).preferencesFile)
    }

    private static func checked(_ text: String) throws -> String {
        do {
            return try DevicePreferences.checked(language: text)
        } catch {
            throw CommandFailure(.usage, "the \(error.subject) \(error.rule)")
        }
    }

    private static func change(
        _ arguments: ParsedArguments, _ context: CommandContext, _ body: (inout DevicePreferences) -> Void
    ) throws {
        let file = file(context)
        let preferences = try translating(file) {
            var preferences = try file.read()
            body(&preferences)
            try file.write(preferences)
            return preferences
        }
        try print(preferences, arguments, context)
    }

    private static func show(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let file = file(context)
        try print(translating(file) { try file.read() }, arguments, context)
    }

    /// Adds the path of the file to an error.
    private static func translating<Result>(
        _ file: DevicePreferencesFile, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as DevicePreferencesError {
            throw CommandFailure(.configuration, "\(error): \(file.path)")
        }
    }

    private static func print(
        _ preferences: DevicePreferences, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(preferences) }
        context.print("In-app purchases  \(preferences.purchasesAllowed ? "allowed" : "not allowed")")
        context.print("Language          \(preferences.language ?? "that of the system")")
        context.print("Simulator         \(preferences.isSimulator ? "on" : "off")")
        // The rest of the command is English, whatever the language.
        let count = Texts.best(for: ["en"])("till.signed_out", ["count": .number(preferences.signOuts)])
        context.print("Signed out        \(count)")
    }
}

/// `till device promote`: starts a purchase outside the app, as a page of the store does.
enum PromoteCommand {
    private static let app = Option<BundleID>.required(
        "app", CatalogueOptions.bundleFormat, help: "The bundle id of the app.")

    static let command = Command<TillProgram.Action>(
        "promote", "Begin a purchase outside the app, as a page of a store does.",
        discussion: """
            The app is asked whether it goes on with the purchase: at once if it runs on this device, else at its next start. \
            It waits until an observer of the app has paymentQueue(_:shouldAddStorePayment:for:). Whether the store sells the \
            product is found out then; if not, the app's standard error says why.
            """,
        options: [app, StandardOptions.json], arguments: [CatalogueOptions.product],
        examples: [
            Example(
                "Five credits for the monkey",
                "till device promote com.example.monkeycredits.credits5 --app com.example.monkeycredits")
        ],
        exitCodes: exitCodes,
        action: { arguments, context in
            try promote(arguments[CatalogueOptions.product], of: arguments[app], arguments, context)
        })

    private static let link = Argument<PurchaseIntentLink>.required(
        ValueFormat(
            "LINK", rule: "itms-services://?action=purchaseIntent&bundleId=…&productIdentifier=…", explainsRule: false,
            parse: { try? PurchaseIntentLink(parsing: $0) }), help: "The link, as it stands on the page of an app.")

    static let openCommand = Command<TillProgram.Action>(
        "open", "Open a link of a page of a store that begins a purchase, as promote does.",
        discussion: """
            Such links have the form that Apple documents. A desktop opens them by this command once a file such as \
            ~/.local/share/applications/till.desktop says so: Exec=till device open %u, and \
            MimeType=x-scheme-handler/\(PurchaseIntentLink.scheme); below it.
            """,
        options: [StandardOptions.json], arguments: [link],
        examples: [
            Example(
                "What the page of an app hands to it",
                "till device open 'itms-services://?action=purchaseIntent&bundleId=com.example.monkeycredits"
                    + "&productIdentifier=com.example.monkeycredits.credits5'")
        ],
        exitCodes: exitCodes,
        action: { arguments, context in
            let link = arguments[link]
            try promote(link.productID, of: link.bundleID, arguments, context)
        })

    private static let exitCodes = [
        ExitCode.failure.when("\(PromotionFolder.longest) purchases wait for the app already."),
        ExitCode.configuration.when("The folder of the app cannot be written."),
    ]

    private static func promote(
        _ product: ProductID, of bundle: BundleID, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        let folder = PromotionFolder(of: bundle, in: DeviceCommand.folders(context))
        do throws(PromotionError) {
            try folder.add(PromotedPurchase(product), at: context.now)
        } catch {
            throw CommandFailure(error.code == .full ? .failure : .configuration, error.description)
        }
        let answer = Answer(bundleId: bundle, productId: product, waiting: folder.files.count)
        if arguments[StandardOptions.json] { return try context.printJSON(answer) }
        context.print("\(bundle) is asked whether to sell \(product).")
    }

    /// For programs.
    private struct Answer: Encodable {
        let bundleId: BundleID
        let productId: ProductID
        /// The number of purchases that wait for the app.
        let waiting: Int
    }
}
