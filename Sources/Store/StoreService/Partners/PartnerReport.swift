package import StoreCatalogue
import StoreDatabase
package import StoreModel

/// What came of a partner's links, as the books have it: sales, and what went back of them.
package struct PartnerReport: Hashable, Sendable {
    /// One booking that the partner has a part in. It names no customer.
    package struct Line: Hashable, Sendable {
        package let entry: LedgerEntryID
        package let at: Instant
        package let kind: Ledger.Kind
        package let campaign: String?
        /// What was sold.
        package let product: ProductID
        package let storefront: StorefrontCode
        /// What the customer paid; of a refund, less than nothing.
        package let paid: Money
        /// What the partner gets for it; of a refund, less than nothing.
        package let commission: Money

        /// The number of the item in links to its page.
        package var storeID: String {
            let text = product.text
            return text.hasPrefix(ItemShelf.productPrefix)
                ? String(text.dropFirst(ItemShelf.productPrefix.count)) : text
        }
    }

    /// What the bookings of a campaign come to in one currency.
    package struct Sum: Hashable, Sendable {
        package let campaign: String?
        package internal(set) var sales = 0
        /// How often money went back, without what came back of that.
        package internal(set) var refunds = 0
        package internal(set) var paid: Money
        package internal(set) var commission: Money
    }

    package let partner: Partner
    /// Of each campaign and currency, in the order of their names.
    package let sums: [Sum]

    /// What the partner is owed in each currency, of all campaigns together.
    package var totals: [Money] {
        let totals = sums.reduce(into: [Currency: Int64]()) {
            $0[$1.commission.currency, default: 0] += $1.commission.minorUnits
        }
        return totals.map { Money(minorUnits: $0.value, currency: $0.key) }.sorted {
            $0.currency.code < $1.currency.code
        }
    }

    /// The most lines of one page.
    package static let linesPerPage = 1000
}

extension Partners {
    /// What came of a partner's links between two moments of the store's clock, for those who look after the store.
    package func report(
        on token: String, from start: Instant?, until end: Instant?, for actor: Actor
    ) async throws -> PartnerReport {
        try await report(on: find(token, for: actor), from: start, until: end)
    }

    /// The same for the partner, who has shown the key.
    package func report(
        on partner: Partner, from start: Instant?, until end: Instant?
    ) async throws -> PartnerReport {
        let rows = try await store.database.read { transaction in
            try transaction.query(
                """
                SELECT referral.campaign, earned.currency, entry.kind, count(*), CAST(sum(paid.amount) AS \(.integer)),
                    CAST(sum(earned.amount) AS \(.integer))
                FROM \(Self.bookings)
                GROUP BY referral.campaign, earned.currency, entry.kind
                ORDER BY coalesce(referral.campaign, ''), earned.currency, entry.kind
                """, partner.id, partner.account.name, Ledger.Account.processor.name,
                start?.millisecondsSinceEpoch ?? .min, end?.millisecondsSinceEpoch ?? .max, row: Row.init)
        }
        return PartnerReport(partner: partner, sums: try Self.sums(of: rows))
    }

    /// The single bookings after one, in their order.
    package func lines(
        of partner: Partner, from start: Instant?, until end: Instant?, after entry: LedgerEntryID? = nil, limit: Int
    ) async throws -> [PartnerReport.Line] {
        try await store.database.read { transaction in
            try transaction.query(
                """
                SELECT entry.id, entry.at, entry.kind, referral.campaign, sale_order.product_id, sale_order.storefront,
                    paid.amount, paid.currency, earned.amount, earned.currency
                FROM \(Self.bookings) AND entry.id > $6 ORDER BY entry.id LIMIT $7
                """, partner.id, partner.account.name, Ledger.Account.processor.name,
                start?.millisecondsSinceEpoch ?? .min, end?.millisecondsSinceEpoch ?? .max, entry?.number ?? 0,
                min(limit, PartnerReport.linesPerPage)
            ) { row in
                var cells = row.cells
                return try PartnerReport.Line(
                    entry: cells.next(), at: cells.next(), kind: Ledger.Kind(rawValue: cells.next()),
                    campaign: cells.next(), product: cells.next(), storefront: cells.next(), paid: cells.nextMoney(),
                    // What an account has to give counts down in the books.
                    commission: -cells.nextMoney())
            }
        }
    }

    /// The entries of a partner's sales, found by the sale, and from there by its transaction.
    private static let bookings: SQL = """
        referral JOIN sale_order ON sale_order.id = referral.sale_id
            JOIN ledger_entry sale ON sale.kind = 'sale' AND sale.subject = referral.sale_id
            JOIN ledger_entry entry ON entry.transaction_id = sale.transaction_id
            JOIN ledger_posting earned ON earned.entry_id = entry.id AND earned.account = $2
            JOIN ledger_posting paid ON paid.entry_id = entry.id AND paid.account = $3
        WHERE referral.partner_id = $1 AND entry.at >= $4 AND entry.at < $5
        """

    private struct Row {
        let campaign: String?
        let currency: Currency
        let kind: Ledger.Kind
        let count: Int
        let paid: Money
        let earned: Money

        init(_ row: StoreDatabase.Row) throws {
            var cells = row.cells
            (campaign, currency) = (try cells.next(), try cells.next())
            (kind, count) = (Ledger.Kind(rawValue: try cells.next()), try cells.next())
            paid = Money(minorUnits: try cells.next(), currency: currency)
            earned = Money(minorUnits: try cells.next(), currency: currency)
        }
    }

    private static func sums(of rows: [Row]) throws -> [PartnerReport.Sum] {
        var sums: [PartnerReport.Sum] = []
        for row in rows {
            let isNew = sums.last.map { $0.campaign != row.campaign || $0.paid.currency != row.currency } ?? true
            if isNew {
                let none = Money.zero(row.currency)
                sums.append(PartnerReport.Sum(campaign: row.campaign, paid: none, commission: none))
            }
            var sum = sums.removeLast()
            switch row.kind {
            case .refund: sum.refunds += row.count
            case .reversal: sum.refunds -= row.count
            default: sum.sales += row.count
            }
            sum.paid = try sum.paid + row.paid
            sum.commission = try sum.commission - row.earned
            sums.append(sum)
        }
        return sums
    }
}
