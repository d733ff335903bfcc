package import StoreHTTP
package import StoreModel
import StoreService

/// What the accounts of the books come to.
package struct LedgerBalancesAnswer: Codable, Hashable, Sendable {
    package struct Balance: Codable, Hashable, Sendable {
        package let account: String
        package let postings: Int
        package let amount: String
        package let currency: Currency
    }

    package struct Sum: Codable, Hashable, Sendable {
        package let amount: String
        package let currency: Currency
    }

    package let from: Instant?
    package let until: Instant?
    package let items: [Balance]
    /// Of all accounts, by currency: nothing, if the books are in order.
    package let sums: [Sum]
    package let isSettled: Bool
    /// Whether that is as it must be, in a sentence.
    package let summary: String
    package let isCut: Bool

    init(_ found: LedgerBalances, in period: ReportPeriod) {
        (from, until) = (period.start, period.end)
        items = found.balances.map {
            Balance(
                account: $0.account, postings: $0.postings, amount: $0.amount.decimalText, currency: $0.amount.currency)
        }
        sums = found.sums.map { Sum(amount: $0.amount.decimalText, currency: $0.amount.currency) }
        isSettled = found.isSettled
        summary = found.sentence
        isCut = found.isCut
    }
}

extension LedgerBalancesAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "summary": .string("Whether the accounts sum to nothing, in a sentence."),
            "isCut": .boolean("Whether there are more items, which the sums have too."),
        ]
    }
}

extension LedgerBalancesAnswer.Balance: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["amount": .string("What the account has to get; negative for what it has to give.", example: "-6.93")]
    }
}

/// A line of an entry of the books.
package struct LedgerPostingReport: Codable, Hashable, Sendable {
    package let postingId: String
    package let entryId: LedgerEntryID
    package let kind: String
    package let transactionId: TransactionID
    package let productId: ProductID
    package let date: Instant
    package let account: String
    package let amount: String
    package let currency: Currency

    init(_ line: LedgerPostings.Line) {
        postingId = line.place.description
        entryId = line.place.entry
        kind = line.kind.rawValue
        transactionId = line.transaction
        productId = line.product
        date = line.at
        account = line.posting.account.name
        amount = line.posting.amount.decimalText
        currency = line.posting.amount.currency
    }
}

extension LedgerPostingReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "postingId": .string("The number of the entry and its line.", example: "1204-2"),
            "kind": .string("sale, refund or reversal.", example: "sale"),
        ]
    }
}
