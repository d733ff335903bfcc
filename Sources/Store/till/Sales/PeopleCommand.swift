import CommandOptions
import Foundation
import StoreModel
import StoreRules
import StoreServer
import StoreService
import StoreSigning
import TestProcessor

/// `till customers` of production and `till testers` of the sandbox: the same commands for two kinds of account.
enum PeopleCommand {
    static let customers = command("customers", "customer", .production)
    static let testers = command("testers", "tester", .sandbox)

    private static let account = Argument<String>.required(
        .text("EMAIL|NUMBER", asking: "people"), help: "The account, by its e-mail address or number.")
    private static let email = Argument<String>.required(.text("EMAIL"), help: "The address it signs in with.")
    private static let password = Option<String?>.optional(
        "password", .secret("PASSWORD"), environment: "TILL_PASSWORD",
        help: "The password, of 8 bytes at least; one is made and printed if it is left out.")
    // Never without being told to: what is pasted behind the command would become the password.
    private static let asksPassword = Option<Bool>.flag("ask-password", help: "Ask for the password at the terminal.")
    // Without a variable: one that is set for other commands must not change a password.
    private static let newPassword = Option<String?>.optional(
        "password", .secret("PASSWORD"), help: "Another password, of 8 bytes at least; else it stays as it is.")
    private static let firstName = Option<String?>.optional("first-name", .text("NAME"), help: "The first name.")
    private static let lastName = Option<String?>.optional("last-name", .text("NAME"), help: "The last name.")
    private static let birthDate = Option<String?>.optional(
        "birth-date", .text("DATE"), help: "The day of birth, such as 1990-12-31.")
    private static let question = Option<String?>.optional(
        "secret-question", .text("TEXT"), help: "A question that only the person can answer.")
    private static let answer = Option<String?>.optional(
        "secret-answer", .secret("TEXT"), help: "The answer to it; only its hash is kept.")
    private static let storefront = Option<StorefrontRecord?>.optional(
        "storefront",
        ValueFormat(
            "STOREFRONT", rule: "the code of a storefront, three capital letters, such as USA or JPN",
            describe: { $0.alpha3 }, parse: { StorefrontRecord.storefront(alpha3: $0) }),
        help: "The country of the account, which sets currency and language.")
    private static let method = Option<String?>.optional(
        "payment-method", .text("TOKEN"),
        help: "What it pays with, by the processor's token; the help of pay-with lists those of the test processor.")
    private static let purchases = Option<String?>.optional(
        "purchases", .choice("WORD", ["allowed", "forbidden"]), help: "Whether the account may buy.")
    private static let asking = Option<String?>.optional(
        "ask-to-buy", .choice("WORD", ["on", "off"]), help: "Whether somebody else has to say yes to each purchase.")
    private static let interruptions = Option<String?>.optional(
        "interruptions", .choice("WORD", ["on", "off"]), help: "Whether each purchase is interrupted once.")

    private static let rate = Option<RenewalRate?>.optional(
        "renewal-rate",
        ValueFormat(
            "RATE", rule: "one of \(rates.joined(separator: ", "))", completion: .words(rates), describe: { $0.word },
            parse: { text in RenewalRate.known.first { $0.word == text || $0.rawValue == text } }),
        help: "How long a month of subscriptions lasts.")
    private static let rates = RenewalRate.known.sorted { $0.length < $1.length }.map(\.word)

    private static func command(
        _ name: String, _ word: String, _ environment: StoreEnvironment
    ) -> Command<TillProgram.Action> {
        let path = SaleOptions.path(environment) + "/customers"
        return Command(
            name, "Make, list and change the \(word)s of \(environment == .sandbox ? "the sandbox" : "production").",
            options: AdminConnection.options + [KeysOptions.passphraseFile, PolicyOptions.commission],
            examples: [Example("A \(word)", "till \(name) add ada@example.com --storefront USA")],
            seeAlso: ["till buy", "till devices"],
            subcommands: [
                add(word, path, environment), list(word, path), show(word, path), change(word, path, environment),
                delete(word, path), pay(word, path), recover(word, path),
            ])
    }

    private static func add(
        _ word: String, _ path: String, _ environment: StoreEnvironment
    ) -> Command<TillProgram.Action> {
        Command(
            "add", "Make a \(word).",
            discussion: environment == .sandbox
                ? "An address is enough: what is not said is drawn, printed this once, and fixed from then on. A tester pays with a card "
                    + "that is approved unless --payment-method says otherwise."
                : "A customer who has no payment method yet cannot buy; give one with --payment-method, or later.",
            options: [
                password, asksPassword, firstName, lastName, storefront, birthDate, question, answer, method,
                StandardOptions.json,
            ],
            arguments: [email], rules: [.atMostOne(password, asksPassword)],
            examples: [
                Example(
                    "One whose card is declined", "till \(word)s add eve@example.com --payment-method test_declined")
            ],
            exitCodes: [
                .failure.when("The address is or was used."), .badData.when("A value is refused."),
            ] + SaleOptions.access,
            action: { arguments, context in
                let given = try secret(arguments, context)
                // The store draws what is missing of a tester.
                let isTester = environment == .sandbox
                let password = try given ?? (isTester ? nil : Self.madePassword())
                let order = CustomerRequest(
                    email: arguments[email], password: password, firstName: arguments[firstName],
                    lastName: arguments[lastName], storefront: arguments[storefront].map { StorefrontCode($0) },
                    birthDate: arguments[birthDate], secretQuestion: arguments[question],
                    secretAnswer: arguments[answer], paymentMethod: arguments[method],
                    drawsRest: isTester ? true : nil)
                let made = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("POST", path, order, as: CustomerReport.self)
                }
                try print(made, arguments, context, password: given == nil ? password : nil)
            })
    }

    /// The password from the options, or from the terminal.
    private static func secret(_ arguments: ParsedArguments, _ context: CommandContext) throws -> String? {
        if let given = arguments[password] { return given }
        guard arguments[asksPassword] else { return nil }
        guard let ask = context.ask else {
            throw CommandFailure(.usage, "--ask-password needs a terminal; elsewhere give it by TILL_PASSWORD")
        }
        return try ask("Password: ")
    }

    /// Eighty random bits, without letters that look like others.
    private static func madePassword() throws -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
        let words = try RandomBytes()(16).map { letters[Int($0) % letters.count] }
        return String(decoding: words, as: UTF8.self)
    }

    private static func list(_ word: String, _ path: String) -> Command<TillProgram.Action> {
        Command(
            "list", "List the \(word)s.", options: ListOptions.all,
            examples: [Example("All of them", "till \(word)s list")], exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.all(path, of: CustomerReport.self)
                }
                if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
                context.printList(
                    found, as: SaleTables.customers, arguments,
                    nothing: "There are no \(word)s. To make one: till \(word)s add EMAIL")
            })
    }

    private static func show(_ word: String, _ path: String) -> Command<TillProgram.Action> {
        Command(
            "show", "Show a \(word).", options: [StandardOptions.json], arguments: [account],
            examples: [Example("One", "till \(word)s show ada@example.com")],
            exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("GET", one(path, arguments), as: CustomerReport.self)
                }
                try print(found, arguments, context)
            })
    }

    private static func one(_ path: String, _ arguments: ParsedArguments) -> String {
        "\(path)/\(SaleOptions.escaped(arguments[account]))"
    }

    private static func change(
        _ word: String, _ path: String, _ environment: StoreEnvironment
    ) -> Command<TillProgram.Action> {
        let isTester = environment == .sandbox
        // What a tester was made with stays, but for the storefront.
        let password: [any OptionDeclaration] = isTester ? [rate] : [newPassword]
        return Command(
            "change", "Change the rights or the storefront\(isTester ? "" : ", or the password,") of a \(word).",
            discussion: isTester ? "Everything else of a tester stays as it was made: make another." : "",
            options: [purchases, interruptions, asking, storefront] + password + [StandardOptions.json],
            arguments: [account],
            examples: [Example("Forbid purchases", "till \(word)s change ada@example.com --purchases forbidden")],
            exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let change = CustomerChange(
                    purchasesAllowed: arguments[purchases].map { $0 == "allowed" },
                    interruptsPurchases: arguments[interruptions].map { $0 == "on" },
                    asksToBuy: arguments[asking].map { $0 == "on" },
                    storefront: arguments[storefront].map { StorefrontCode($0) },
                    password: isTester ? nil : arguments[newPassword],
                    renewalRate: isTester ? arguments[rate] : nil)
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("PATCH", one(path, arguments), change, as: CustomerReport.self)
                }
                try print(found, arguments, context)
            })
    }

    private static func delete(_ word: String, _ path: String) -> Command<TillProgram.Action> {
        Command(
            "delete", "Take a \(word) out of use; what was bought stays in the books.",
            discussion: "The address cannot be used again.", options: [StandardOptions.json], arguments: [account],
            examples: [Example("One", "till \(word)s delete ada@example.com")],
            exitCodes: SaleOptions.exits,
            action: { arguments, context in
                try await AdminConnection.withSales(arguments, context) {
                    try await $0.send("DELETE", one(path, arguments))
                }
                if arguments[StandardOptions.json] { return try context.printJSON(["deleted": arguments[account]]) }
                context.print("\(PrintableText(arguments[account], limit: 254)) is deleted.")
            })
    }

    private static func pay(_ word: String, _ path: String) -> Command<TillProgram.Action> {
        let token = Argument<String>.required(.text("TOKEN"), help: "The processor's token of the payment method.")
        return Command(
            "pay-with", "Let a \(word) pay with something else from now on.", discussion: methods,
            options: [StandardOptions.json],
            arguments: [account, token],
            examples: [
                Example("A card without money", "till \(word)s pay-with ada@example.com test_insufficient_funds")
            ],
            exitCodes: SaleOptions.exits + [.badData.when("The test processor has no such token.")],
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask(
                        "POST", one(path, arguments) + "/payment-methods",
                        PaymentMethodRequest(token: arguments[token]),
                        as: CustomerReport.self)
                }
                if !arguments[StandardOptions.json], let used = found.paymentMethods.last {
                    context.print("Pays with \(text(used)) from now on.")
                }
                try print(found, arguments, context)
            })
    }

    /// The payment methods of the test processor.
    private static let methods: String = {
        let width = TestPaymentMethod.all.map(\.token.count).max() ?? 0
        let rows = TestPaymentMethod.all.map { method in
            "  \(method.token.padding(toLength: width, withPad: " ", startingAt: 0))  \(method.title)"
        }
        return "The test processor, which pretends to move money, has these tokens:\n\n" + rows.joined(separator: "\n")
    }()

    private static func recover(_ word: String, _ path: String) -> Command<TillProgram.Action> {
        Command(
            "recover", "Open the way to another password, and print the token for it.",
            discussion: """
                Whoever has the token may set another password within an hour, with \
                POST /control/v1/password-recoveries. Hand it over only to the owner of the account.
                """,
            options: [StandardOptions.json], arguments: [account],
            examples: [Example("One", "till \(word)s recover ada@example.com")], exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let made = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("POST", one(path, arguments) + "/recovery", as: RecoveryReport.self)
                }
                if arguments[StandardOptions.json] { return try context.printJSON(made) }
                context.print(made.token)
            })
    }

    /// An account with the password that was made for it.
    private struct Made: Encodable {
        let report: CustomerReport
        let password: String

        private enum Keys: CodingKey {
            case password
        }

        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(password, forKey: .password)
        }
    }

    private static func print(
        _ report: CustomerReport, _ arguments: ParsedArguments, _ context: CommandContext, password: String? = nil
    ) throws {
        if arguments[StandardOptions.json] {
            guard let password else { return try context.printJSON(report) }
            return try context.printJSON(Made(report: report, password: password))
        }
        context.print(SaleText.line(report))
        if let password = password ?? report.password { context.print("  password: \(password)") }
        if let answer = report.secretAnswer, let question = report.secretQuestion {
            context.print("  secret answer: \(answer) (\(question))")
        }
        // The newest is the one that is used.
        for method in report.paymentMethods.dropLast() { context.print("  had \(text(method)) before") }
        if let used = report.paymentMethods.last { context.print("  pays with \(text(used))") }
    }

    private static func text(_ method: PaymentMethodReport) -> String {
        "\(PrintableText(method.label, limit: 100)) (\(method.processor))"
    }
}
