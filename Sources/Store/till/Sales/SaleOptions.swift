import CommandOptions
import Foundation
import StoreModel
import StoreServer

/// The options and arguments of commands that look after customers and what they buy.
enum SaleOptions {
    static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox, environment: "TILL_ENVIRONMENT",
        help: "Which environment.")

    static let customer = Option<String?>.optional(
        "customer", .text("EMAIL|NUMBER"), help: "The account, by its e-mail address or number.")
    static let requiredCustomer = Option<String>.required(
        "customer", .text("EMAIL|NUMBER"), help: "The account, by its e-mail address or number.")

    static let transaction = Argument<String>.required(
        ValueFormat(
            "TRANSACTION", rule: "the number of a transaction, or the word last",
            parse: { $0 == "last" || TransactionID($0) != nil ? $0 : nil }),
        help: "The number of the transaction; last is the newest.")

    /// Where a transaction is, which may be named as the last one.
    static func path(
        ofTransactionIn arguments: ParsedArguments, _ store: AdminConnection
    ) async throws -> String {
        let transactions = path(arguments) + "/transactions"
        guard arguments[transaction] == "last" else { return "\(transactions)/\(arguments[transaction])" }
        let last = try await store.ask("GET", transactions + "/last", as: TransactionDetails.self)
        return "\(transactions)/\(last.transaction.transactionId)"
    }

    static let reason = Option<RevocationReason>.defaulted(
        "reason",
        ValueFormat(
            "REASON", rule: "one of issue, other", completion: .words(["issue", "other"]),
            describe: { $0 == .appIssue ? "issue" : "other" },
            parse: { ["issue": RevocationReason.appIssue, "other": .other][$0] }),
        to: .other, help: "Why: an issue with the app, or another reason.")

    /// The options of every one of these commands.
    static let all: [any OptionDeclaration] =
        AdminConnection.options + [environment, KeysOptions.passphraseFile, ServeOptions.commission]

    static let missing = ExitCode.inputMissing.when("There is nothing of this name, or no store.")
    static let refused = ExitCode.failure.when("The store refuses; the message says why.")
    static let unavailable = CatalogueOptions.unavailable
    static let locked = ExitCode.noPermission.when("The passphrase of the keys is wrong or missing.")
    /// What keeps a command from the store.
    static let access = [missing, unavailable, locked]
    static let exits = access + [refused]

    /// Where the control interface of the environment is.
    static func path(_ arguments: ParsedArguments) -> String { path(arguments[environment]) }

    static func path(_ environment: StoreEnvironment) -> String { "/\(environment.rawValue)/control/v1" }

    /// The query for what concerns one account, if one is named.
    static func customerQuery(_ arguments: ParsedArguments) -> [String] {
        arguments[customer].map { ["customer=\(escaped($0))"] } ?? []
    }

    /// A part of a path, or a value of a query.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? ""
    }
}
