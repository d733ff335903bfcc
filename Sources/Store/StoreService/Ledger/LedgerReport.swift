package import StoreModel

/// What came of examining the books.
package struct LedgerReport: Hashable, Sendable {
    /// The most problems that are told one by one.
    package static let problemLimit = 200

    /// What the postings to an account come to in a currency.
    package struct Sum: Hashable, Sendable {
        package let account: String
        package let amount: Money
    }

    /// Something that is not as it must be.
    package struct Problem: Hashable, Sendable {
        /// The exact kind; more may be added.
        package struct Code: Hashable, Sendable {
            package let name: String

            package static let entryUnbalanced = Code(name: "entry_unbalanced")
            package static let entryWithoutSubject = Code(name: "entry_without_subject")
            package static let entryAmountWrong = Code(name: "entry_amount_wrong")
            package static let entryTransactionWrong = Code(name: "entry_transaction_wrong")
            package static let postingWithoutEntry = Code(name: "posting_without_entry")
            package static let saleMissing = Code(name: "sale_missing")
            package static let refundMissing = Code(name: "refund_missing")
            package static let reversalMissing = Code(name: "reversal_missing")
            package static let purchaseWrong = Code(name: "purchase_wrong")
            package static let refundedWrong = Code(name: "refunded_wrong")
            package static let transactionMissing = Code(name: "transaction_missing")
            package static let commissionMissing = Code(name: "commission_missing")
            package static let sumTooLarge = Code(name: "sum_too_large")
            package static let processorMissing = Code(name: "processor_missing")
            package static let processorAmountWrong = Code(name: "processor_amount_wrong")
            package static let processorUnknown = Code(name: "processor_unknown")
        }

        package let code: Code
        /// One sentence that names what it is about, and is safe to log.
        package let message: String
    }

    /// How many entries there are.
    package internal(set) var entries = 0
    /// Of each account and currency, in the order of their names.
    package internal(set) var sums: [Sum] = []
    /// How many movements of the processor were held against the books; nil if there was no processor to ask.
    package internal(set) var movements: Int?
    /// Money that the processor has moved, for what still waits for its answer.
    package internal(set) var underWay = 0
    /// The first problems that were found.
    package internal(set) var problems: [Problem] = []
    /// How many there are in all.
    package internal(set) var problemCount = 0

    package var isInOrder: Bool { problemCount == 0 }

    mutating func note(_ code: Problem.Code, _ message: String) {
        problemCount += 1
        if problems.count < Self.problemLimit { problems.append(Problem(code: code, message: message)) }
    }
}

/// What postings come to, of each account and currency.
struct AccountTotals {
    private struct Key: Hashable {
        let account: String
        let currency: Currency
    }

    private var totals: [Key: Int128] = [:]

    mutating func add(_ postings: [Ledger.Posting]) {
        for posting in postings {
            totals[Key(account: posting.account.name, currency: posting.amount.currency), default: 0] += Int128(
                posting.amount.minorUnits)
        }
    }

    /// Puts the sums into a report.
    func conclude(_ report: inout LedgerReport) {
        let sorted = totals.sorted {
            ($0.key.account, $0.key.currency.code) < ($1.key.account, $1.key.currency.code)
        }
        for (key, total) in sorted {
            guard let units = Int64(exactly: total) else {
                report.note(.sumTooLarge, "The account \(key.account) has a sum that is too large.")
                continue
            }
            report.sums.append(
                LedgerReport.Sum(account: key.account, amount: Money(minorUnits: units, currency: key.currency)))
        }
    }
}
