import StoreModel

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
