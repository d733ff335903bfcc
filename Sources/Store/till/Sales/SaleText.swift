import CommandOptions
import Foundation
import StoreFoundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// Texts about customers and their purchases.
enum SaleText {
    static func line(_ customer: CustomerReport) -> String {
        let name = [customer.firstName, customer.lastName].filter { !$0.isEmpty }.joined(separator: " ")
        let words = ["\(customer.customerId)", text(customer.email), text(name), customer.storefront.description]
        return (words + notes(customer)).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// What is special about an account.
    static func notes(_ customer: CustomerReport) -> [String] {
        var notes: [String] = []
        if !customer.purchasesAllowed { notes.append("may not buy") }
        if customer.interruptsPurchases { notes.append("purchases are interrupted") }
        if customer.asksToBuy { notes.append("asks before it buys") }
        if let rate = customer.renewalRate { notes.append("a month lasts \(rate.word)") }
        if customer.deletedAt != nil { notes.append("deleted") }
        if customer.spentAt != nil { notes.append("spent: a customer of production now") }
        if let tester = customer.testerId { notes.append("was tester \(tester)") }
        return notes
    }

    static func line(_ device: DeviceReport) -> String {
        let words = [
            "\(device.deviceId)", "\(device.bundleId)", device.storefront.description, text(device.language),
            "version \(text(device.appVersion))",
            device.customerId.map { "signed in: customer \($0)" } ?? "no customer signed in",
        ]
        return (words + notes(device)).joined(separator: "  ")
    }

    /// What is special about a device.
    static func notes(_ device: DeviceReport) -> [String] {
        (device.purchasesAllowed ? [] : ["may not buy"]) + (device.isSimulator ? ["simulator"] : [])
    }

    static func line(_ transaction: TransactionReport) -> String {
        var words = [
            "\(transaction.transactionId)", transaction.purchaseDate.rfc3339, "customer \(transaction.customerId)",
            "\(transaction.bundleId)", "\(transaction.quantity) x \(transaction.productId)",
            "\(transaction.price.amount) \(transaction.price.currency)",
        ]
        if let restored = transaction.restoredTransactionId { words.append("restores \(restored)") }
        if let source = transaction.sharedFromTransactionId { words.append("shared from \(source)") }
        if transaction.revocationDate != nil {
            words.append(transaction.isRefunded == true ? "refunded" : "revoked")
        } else {
            words.append(transaction.finishedDate == nil ? "not finished" : "finished")
        }
        return words.joined(separator: "  ")
    }

    /// The command that goes on with a purchase, or ends it; nil where there is nothing to do.
    ///
    /// - Parameter environment: the environment of the purchase, which the command has to name.
    static func command(toGoOnWith purchase: PurchaseReport, in environment: StoreEnvironment) -> String? {
        let number = purchase.purchaseId
        let command: String? =
            switch purchase.state.value {
            case .interrupted: "purchases settle \(number)"
            case .approval: "approvals approve \(number)"
            case .action: purchase.authorisation.map { "processor act \(PrintableText($0, limit: 100))" }
            case .authorising where purchase.nextInquiry != nil: "purchases cancel \(number)"
            case .capturing where purchase.nextInquiry != nil, .voiding:
                "purchases settle \(number) --as voided --because TEXT"
            default: purchase.code.map { "approve \($0)" }
            }
        let place = environment == .sandbox ? "" : " --environment \(environment.rawValue)"
        return command.map { "till \($0)\(place)" }
    }

    /// - Parameter environment: the environment of the purchase, which the suggested commands have to name.
    static func lines(_ purchase: PurchaseReport, in environment: StoreEnvironment) -> [String] {
        let command = command(toGoOnWith: purchase, in: environment) ?? ""
        var lines = [
            "Purchase \(purchase.purchaseId) \(state(purchase.state))"
                + (purchase.failure.map { ": \(PrintableText($0.message, limit: 200))" } ?? ""),
            "  \(purchase.quantity) x \(purchase.productId) of \(purchase.bundleId), \(purchase.total.amount) "
                + "\(purchase.total.currency) in \(purchase.storefront)"
                + (purchase.isOwned == true ? "; free, because the customer owned it already" : ""),
        ]
        if let customer = purchase.customerId { lines.append("  for customer \(customer)") }
        if let order = purchase.orderId { lines.append("  order \(order)") }
        let state = purchase.state.value
        if state == .interrupted {
            lines.append(
                "  the customer has to settle something with the store first; once that is done: \(command)")
        } else if state == .approval {
            lines.append("  waits for an approval: \(command)")
        } else if purchase.code != nil {
            lines.append("  waits for a yes: \(command)")
        }
        if let url = purchase.actionUrl, state == .action {
            lines.append("  waits for the customer at \(PrintableText(url, limit: 500))")
            if !command.isEmpty { lines.append("  to play the bank of the test processor: \(command)") }
        }
        if let next = purchase.nextInquiry {
            let wayOut =
                switch state {
                case .authorising: "; it is given up at \(purchase.expiresAt.rfc3339), or at once by: \(command)"
                case .capturing:
                    "; the money is held and may be taken already; once you know that it was not, end it by: \(command)"
                default: ""
                }
            lines.append("  waits for an answer of the processor, which is asked again at \(next.rfc3339)\(wayOut)")
        }
        if state == .voiding {
            lines.append(
                "  the processor does not let go of the money since \(purchase.changedAt.rfc3339); once you have seen to it: "
                    + command)
        }
        if let transaction = purchase.transactionId { lines.append("  gave transaction \(transaction)") }
        return lines
            + (purchase.history ?? []).map { entry in
                let detail = entry.detail.map { " (\(PrintableText($0, limit: 200)))" } ?? ""
                let request = entry.requestId.map { ", request \(PrintableText($0, limit: 64))" } ?? ""
                return "  \(entry.date.rfc3339Milliseconds)  \(text(entry.text))\(detail)\(request)"
            }
    }

    private static func state(_ state: WireWord<SaleState>) -> String {
        state.value.map(SaleSummary.words) ?? "is \(text(state.rawValue))"
    }

    static func lines(_ entry: LedgerEntryReport) -> [String] {
        ["\(entry.entryId)  \(entry.date.rfc3339)  \(entry.kind) \(entry.subject), transaction \(entry.transactionId)"]
            + entry.lines.map { "  \($0.amount.amount) \($0.amount.currency)  \($0.account)" }
    }

    static func lines(_ check: LedgerCheckReport) -> [String] {
        let compared =
            check.movements.map { ", held against \($0) \($0 == 1 ? "movement" : "movements") of the processor" } ?? ""
        let waiting = check.underWay > 0 ? " (\(check.underWay) still under way)" : ""
        let missing = check.problems.contains { $0.code == "processor_missing" }
        return ["\(check.entries) \(check.entries == 1 ? "entry" : "entries")\(compared)\(waiting)"]
            + check.sums.map { "  \($0.amount.amount) \($0.amount.currency)  \($0.account)" }
            + check.problems.map { "\($0.code): \(PrintableText($0.message, limit: 400))" }
            + (missing
                ? [
                    "The test processor keeps its log in the folder processor of the data directory, or where "
                        + "--processor-data says; a store that was copied or restored without that folder lacks what it says."
                ] : [])
            + [
                check.isInOrder
                    ? "In order." : Texts.best(for: ["en"])("till.problems", ["count": .number(check.problemCount)])
            ]
    }

    private static func text(_ text: String) -> String { PrintableText(text, limit: 254).description }
}

/// The options and arguments of commands for customers and purchases.
enum SaleOptions {
    static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox, environment: "TILL_ENVIRONMENT",
        help: "Which environment.")

    static let customer = Option<String?>.optional(
        "customer", .text("EMAIL|NUMBER", asking: "people"), help: "The account, by its e-mail address or number.")
    static let onlyCustomer = Option<String?>.optional(
        "customer", .text("EMAIL|NUMBER", asking: "people"),
        help: "The account, by its e-mail address or number; the only one there is, if it is left out.")

    static let transaction = Argument<String>.required(
        ValueFormat(
            "TRANSACTION", rule: "the number of a transaction, or the word last",
            parse: { $0 == "last" || TransactionID($0) != nil ? $0 : nil }),
        help: "The number of the transaction; last is the newest.")

    /// The path of a transaction, which may be named as `last`.
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
        AdminConnection.options + [environment, KeysOptions.passphraseFile, PolicyOptions.commission]

    static let missing = ExitCode.inputMissing.when("There is no such name, or no store.")
    static let refused = ExitCode.failure.when("The store refuses; the message says why.")
    static let unavailable = CatalogueOptions.unavailable
    static let locked = ExitCode.noPermission.when("The passphrase of the keys is wrong or missing.")
    /// The exit codes of errors in reaching the store.
    static let access = [missing, unavailable, locked]
    static let exits = access + [refused]

    /// The path of the environment's control interface.
    static func path(_ arguments: ParsedArguments) -> String { path(arguments[environment]) }

    static func path(_ environment: StoreEnvironment) -> String { "/\(environment.rawValue)/control/v1" }

    /// The query for one account, if one is named.
    static func customerQuery(_ arguments: ParsedArguments) -> [String] {
        arguments[customer].map { ["customer=\(escaped($0))"] } ?? []
    }

    /// A part of a path, or a value of a query.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? ""
    }
}
