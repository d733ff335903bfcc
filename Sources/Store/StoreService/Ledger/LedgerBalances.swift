package import StoreDatabase
package import StoreModel

/// What the accounts of the books come to, and whether that is as it must be: all of them together sum to nothing in every
/// currency.
package struct LedgerBalances: Hashable, Sendable {
    package struct Balance: Hashable, Sendable {
        package let account: String
        package let postings: Int
        /// What the account has to get counts up, what it has to give counts down.
        package let amount: Money
    }

    /// What all accounts come to in a currency, which is nothing.
    package struct Sum: Hashable, Sendable {
        package let amount: Money
        package var isSettled: Bool { amount.isZero }
    }

    /// In the order of their accounts and currencies.
    package let balances: [Balance]
    /// By currency.
    package let sums: [Sum]
    /// Whether there are more balances, which the sums have too.
    package let isCut: Bool

    package var isSettled: Bool { sums.allSatisfy(\.isSettled) }

    /// The most balances that are told one by one.
    package static let most = 5_000

    /// - Parameter period: of the postings that count; all by default.
    package init(
        in period: ReportPeriod = .always, limit: Int = most, _ transaction: any ReadTransaction
    ) throws {
        let (first, end) = period.bounds
        let postings: SQL =
            period == .always
            // Nothing has to be read but an index.
            ? "FROM ledger_posting posting WHERE $1 <= $2"
            : """
            FROM ledger_entry entry JOIN ledger_posting posting ON posting.entry_id = entry.id
            WHERE entry.at >= $1 AND entry.at < $2
            """
        let room = min(limit, Self.most)
        let found = try transaction.query(
            """
            SELECT posting.account, posting.currency, count(*), CAST(sum(posting.amount) AS \(.integer)) \(postings)
            GROUP BY posting.account, posting.currency ORDER BY posting.account, posting.currency LIMIT $3
            """, first, end, room + 1
        ) { row in
            var cells = row.cells
            let (account, currency) = (try cells.next(as: String.self), try cells.next(as: Currency.self))
            return Balance(
                account: account, postings: try cells.next(),
                amount: Money(minorUnits: try cells.next(), currency: currency))
        }
        isCut = found.count > room
        balances = Array(found.prefix(room))
        sums = try transaction.query(
            """
            SELECT posting.currency, CAST(sum(posting.amount) AS \(.integer)) \(postings)
            GROUP BY posting.currency ORDER BY posting.currency LIMIT $3
            """, first, end, Self.most
        ) { row in
            var cells = row.cells
            let currency = try cells.next(as: Currency.self)
            return Sum(amount: Money(minorUnits: try cells.next(), currency: currency))
        }
    }

    /// The balances of an environment.
    package init(in period: ReportPeriod = .always, of store: EnvironmentStore) async throws {
        self = try await store.database.read { try LedgerBalances(in: period, $0) }
    }

    /// In one sentence whether they are as they must be.
    package var sentence: String {
        let open = sums.filter { !$0.isSettled }
        guard open.isEmpty else {
            return
                "The accounts do not sum to nothing: \(open.map { "\($0.amount)" }.joined(separator: ", ")) too much."
        }
        return switch sums.count {
        case 0: "Nothing was booked."
        case 1: "The accounts sum to nothing, as they must."
        default: "The accounts sum to nothing in each of \(sums.count) currencies, as they must."
        }
    }
}
