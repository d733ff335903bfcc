import Foundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// The lists of what an environment has: accounts, devices and what was sold.
enum SaleTables {
    static var customers: ListTable<CustomerReport> {
        ListTable(
            .id("NUMBER") { "\($0.customerId)" }, .value("E-MAIL") { $0.email },
            .text("NAME") { [$0.firstName, $0.lastName].filter { !$0.isEmpty }.joined(separator: " ") },
            .value("STOREFRONT") { $0.storefront.description }, .id("MADE") { $0.createdAt.rfc3339 },
            .text("NOTES") { SaleText.notes($0).joined(separator: ", ") })
    }

    static func devices(_ names: ListNames) -> ListTable<DeviceReport> {
        ListTable(
            .number("DEVICE") { "\($0.deviceId)" }, .value("APP") { $0.bundleId.text },
            .value("CUSTOMER") { names.account($0.customerId) },
            .value("STOREFRONT") { $0.storefront.description }, .text("LANGUAGE") { $0.language },
            .text("VERSION") { $0.appVersion }, .value("SEEN") { $0.seenAt.rfc3339 },
            .id("CUSTOMER NUMBER") { $0.customerId?.description },
            .value("NOTES") { SaleText.notes($0).joined(separator: ", ") })
    }

    static var families: ListTable<(family: FamilyReport, member: FamilyReport.Member)> {
        ListTable(
            .number("FAMILY") { "\($0.family.familyId)" }, .value("MEMBER") { $0.member.email },
            .value("ROLE") { $0.member.role }, .id("NUMBER") { "\($0.member.customerId)" },
            .value("NOTES") { $0.member.asksToBuy ? "asks before it buys" : nil })
    }

    static func approvals(_ names: ListNames) -> ListTable<ApprovalReport> {
        ListTable(
            .number("PURCHASE") { "\($0.purchaseId)" }, .value("CUSTOMER") { $0.customer },
            .text("PRODUCT") { names.product($0.productId, of: $0.bundleId, quantity: $0.quantity) },
            .number("TOTAL") { money($0.total) }, .value("ASKS") { $0.approver ?? "nobody in particular" },
            .value("UNTIL") { $0.expiresAt.rfc3339 }, .value("PAGE") { $0.page }, .id("APP") { $0.bundleId.text },
            .id("PRODUCT ID") { $0.productId.text })
    }

    /// - Parameter environment: of the purchases, which the commands to go on with them have to name.
    static func purchases(_ names: ListNames, in environment: StoreEnvironment) -> ListTable<PurchaseReport> {
        ListTable(
            .number("PURCHASE") { "\($0.purchaseId)" }, .value("DATE") { $0.openedAt.rfc3339 },
            .value("CUSTOMER") { names.account($0.customerId) },
            .text("PRODUCT") { names.product($0.productId, of: $0.bundleId, quantity: $0.quantity) },
            .number("TOTAL") { money($0.total) }, .state("STATE") { state(of: $0) },
            .value("GO ON WITH") { SaleText.command(toGoOnWith: $0, in: environment) }, .id("APP") { $0.bundleId.text },
            .id("PRODUCT ID") { $0.productId.text }, .id("CUSTOMER NUMBER") { $0.customerId?.description },
            .id("TRANSACTION") { $0.transactionId?.description })
    }

    private static func state(of purchase: PurchaseReport) -> ListWord {
        guard let state = purchase.state.value else { return ListWord(purchase.state.rawValue) }
        // In a column the verb says nothing.
        let words = SaleSummary.words(state)
        let text = words.hasPrefix("is ") || words.hasPrefix("has ") ? words.drop { $0 != " " }.dropFirst() : words[...]
        let tone: ListWord.Tone =
            switch state {
            case .purchased: .good
            case .declined, .failed: .bad
            case .cancelled: .plain
            default: .waiting
            }
        return ListWord(String(text), tone)
    }

    static func transactions(_ names: ListNames) -> ListTable<TransactionReport> {
        ListTable(
            .value("TRANSACTION") { "\($0.transactionId)" }, .value("DATE") { $0.purchaseDate.rfc3339 },
            .value("CUSTOMER") { names.account($0.customerId) },
            .text("PRODUCT") { names.product($0.productId, of: $0.bundleId, quantity: $0.quantity) },
            .number("PRICE") { money($0.price) }, .state("STATE") { state(of: $0) },
            .value("CAME") { origin(of: $0) }, .id("APP") { $0.bundleId.text },
            .id("PRODUCT ID") { $0.productId.text }, .id("CUSTOMER NUMBER") { "\($0.customerId)" },
            .id("PURCHASE") { $0.purchaseId?.description })
    }

    private static func state(of transaction: TransactionReport) -> ListWord {
        if transaction.revocationDate != nil {
            return ListWord(transaction.isRefunded == true ? "refunded" : "revoked", .bad)
        }
        return transaction.finishedDate == nil ? ListWord("not finished", .waiting) : ListWord("finished", .good)
    }

    /// Of a transaction that was not bought: where it came from.
    private static func origin(of transaction: TransactionReport) -> String? {
        transaction.restoredTransactionId.map { "restores \($0)" }
            ?? transaction.sharedFromTransactionId.map { "shared from \($0)" }
    }

    static func subscriptions(_ names: ListNames) -> ListTable<SubscriptionReport> {
        ListTable(
            .value("SUBSCRIPTION") { "\($0.subscriptionId)" }, .value("CUSTOMER") { names.account($0.customerId) },
            .text("PRODUCT") { names.product($0.productId, of: $0.bundleId) }, .number("PRICE") { money($0.price) },
            .value("PERIOD") { "\($0.period)" }, .state("STATE") { state(of: $0) },
            .value("NEXT") { one in
                one.renewal.map { "renews \($0.date.rfc3339) for \(money($0.price))" }
                    ?? "ends \(one.countsUntil.rfc3339)"
            }, .id("APP") { $0.bundleId.text }, .id("PRODUCT ID") { $0.productId.text },
            .id("CUSTOMER NUMBER") { "\($0.customerId)" })
    }

    private static func state(of subscription: SubscriptionReport) -> ListWord {
        guard let state = subscription.state.value else { return ListWord(subscription.state.rawValue) }
        let tone: ListWord.Tone =
            switch state {
            case .active: .good
            case .grace, .retry: .waiting
            case .expired: .plain
            case .revoked: .bad
            }
        return ListWord(SubscriptionSummary.word(state), tone)
    }

    static func refundRequests(_ names: ListNames) -> ListTable<RefundRequestReport> {
        ListTable(
            .number("REQUEST") { "\($0.refundRequestId)" }, .value("ASKED") { $0.askedAt.rfc3339 },
            .value("CUSTOMER") { $0.customerEmail ?? "\($0.transaction.customerId), deleted" },
            .text("PRODUCT") { request in
                let sold = request.transaction
                return names.product(sold.productId, of: sold.bundleId, quantity: sold.quantity)
            },
            .number("PAID") { money($0.transaction.price) }, .state("STATE") { state(of: $0) },
            .text("WHY") { RefundSummary.reason($0.reason) }, .id("TRANSACTION") { "\($0.transaction.transactionId)" },
            .id("APP") { $0.transaction.bundleId.text }, .id("PRODUCT ID") { $0.transaction.productId.text },
            .id("CUSTOMER NUMBER") { "\($0.transaction.customerId)" })
    }

    private static func state(of request: RefundRequestReport) -> ListWord {
        let tone: ListWord.Tone =
            switch request.state.value {
            case .asked, .approved: .waiting
            case .refunded: .good
            case .failed: .bad
            default: .plain
            }
        return ListWord(request.state.rawValue, tone)
    }

    /// A line of an entry of the books; only the first of an entry names the entry.
    struct LedgerLine {
        let entry: LedgerEntryReport?
        let line: LedgerEntryReport.Line

        static func all(of entries: [LedgerEntryReport]) -> [LedgerLine] {
            entries.flatMap { entry in
                entry.lines.enumerated().map { LedgerLine(entry: $0.offset == 0 ? entry : nil, line: $0.element) }
            }
        }
    }

    static var ledger: ListTable<LedgerLine> {
        ListTable(
            .number("ENTRY") { $0.entry.map { "\($0.entryId)" } }, .value("DATE") { $0.entry?.date.rfc3339 },
            .value("OF") { $0.entry.map { "\($0.kind) \($0.subject)" } },
            .value("TRANSACTION") { $0.entry.map { "\($0.transactionId)" } },
            .number("AMOUNT") { money($0.line.amount) }, .value("ACCOUNT") { $0.line.account })
    }

    static var requests: ListTable<RequestReport> {
        ListTable(
            .value("DATE") { $0.date.rfc3339Milliseconds },
            .state("STATUS") { ListWord("\($0.status)", $0.status < 400 ? .good : .bad) },
            .value("ID") { $0.requestId }, .value("REQUEST") { "\($0.method) \($0.path)" },
            .number("TIMES") { $0.repeats > 1 ? "\($0.repeats)" : nil },
            .text("ANSWER") { [$0.code, $0.message].compactMap(\.self).joined(separator: ": ") },
            .id("FROM") { $0.peer })
    }

    static var steps: ListTable<AppStepReport> {
        ListTable(
            .value("STEP") { $0.step.replacing("_", with: " ") },
            .state("WHEN") { step in
                if let date = step.date { return ListWord(date.rfc3339, .good) }
                return step.detail == nil ? ListWord("not yet") : ListWord("wrong", .bad)
            }, .text("DETAIL") { $0.detail })
    }

    static var proceeds: ListTable<ProceedsAnswer.Sum> {
        ListTable(
            .value("APP") { "\($0.bundleId)" }, .number("SOLD") { "\($0.sales)" },
            .number("REFUNDED") { "\($0.refunds)" }, .number("PAID") { "\($0.paid) \($0.currency)" },
            .number("THE STORE KEEPS") { "\($0.commission) \($0.currency)" },
            .number("EARNED") { "\($0.proceeds) \($0.currency)" })
    }

    private static func money(_ money: MoneyReport) -> String { "\(money.amount) \(money.currency)" }
}
