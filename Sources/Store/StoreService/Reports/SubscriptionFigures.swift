import StoreDatabase
package import StoreModel
import StoreRules

/// How the subscriptions of an environment do: how many run and stop, renew, begin to pay after a trial, and what they bring
/// in a month.
package struct SubscriptionFigures: Hashable, Sendable {
    /// Those that count now.
    package private(set) var running = 0
    /// Those that could not be paid and are tried again: in the grace period, and after it.
    package private(set) var inGrace = 0
    package private(set) var retrying = 0
    /// Those that stopped counting within ``days``, for good.
    package private(set) var ended = 0
    /// Renewals within ``days``.
    package private(set) var renewals = 0
    /// Free trials that ended within ``days``, and those of them after which was paid.
    package private(set) var trials = 0
    package private(set) var convertedTrials = 0
    /// What those that run bring in a month, by currency, the largest number of subscriptions first.
    package private(set) var monthly: [Monthly] = []

    package struct Monthly: Hashable, Sendable {
        package let amount: Money
        package let count: Int
    }

    /// The time that is looked at.
    package static let days: Int64 = 30
    /// How many of the newest transactions are looked through.
    package static let window = 20_000

    /// The share of those that ran within ``days`` which stopped, in thousandths; nil if none ran.
    package var churn: Int? { Self.share(ended, of: running + ended) }
    /// The share of the trials after which was paid, in thousandths; nil if none ended.
    package var conversion: Int? { Self.share(convertedTrials, of: trials) }

    private static func share(_ part: Int, of whole: Int) -> Int? { whole == 0 ? nil : part * 1000 / whole }

    init(at now: Instant, in transaction: any ReadTransaction) throws {
        let start = now - .seconds(Self.days * 24 * 60 * 60)
        try count(from: start, to: now, in: transaction)
        guard running + inGrace + retrying + ended > 0 else { return }
        monthly = try Self.monthly(at: now, in: transaction)
        renewals = try transaction.value(
            """
            SELECT count(*) FROM (
                SELECT purchase_date, reason FROM store_transaction ORDER BY id DESC LIMIT $3
            ) AS newest WHERE reason = $2 AND purchase_date >= $1
            """, start, TransactionReason.renewal.rawValue, Self.window, as: Int.self)
        (trials, convertedTrials) = try transaction.one(
            """
            SELECT count(*), sum(CASE WHEN EXISTS (
                    SELECT 1 FROM store_transaction AS paid
                    WHERE paid.original_id = trial.original_id AND paid.id > trial.id AND paid.price > 0
                ) THEN 1 ELSE 0 END)
            FROM (
                SELECT id, original_id, offer_mode, expires_date, restored_id FROM store_transaction
                ORDER BY id DESC LIMIT $4
            ) AS trial
            WHERE offer_mode = $3 AND restored_id IS NULL AND expires_date >= $1 AND expires_date <= $2
            """, start, now, OfferDiscountType.freeTrial.rawValue, Self.window
        ) { row in
            var cells = row.cells
            return (try cells.next(as: Int.self), try cells.next(as: Int?.self) ?? 0)
        }
    }

    private mutating func count(from start: Instant, to now: Instant, in transaction: any ReadTransaction) throws {
        try transaction.forEachRow(
            """
            SELECT state, CASE WHEN counts_until > $2 THEN 1 ELSE 0 END, CASE WHEN counts_until >= $1 THEN 1 ELSE 0 END,
                count(*)
            FROM subscription GROUP BY 1, 2, 3
            """, binding: [start.databaseValue, now.databaseValue]
        ) { row in
            var cells = row.cells
            let (state, counts, isRecent, count) = try (
                Subscription.State(rawValue: cells.next()), cells.next(as: Bool.self), cells.next(as: Bool.self),
                cells.next(as: Int.self)
            )
            if counts { running += count }
            switch state {
            case .grace: inGrace += count
            case .retry: retrying += count
            case .expired, .revoked: if isRecent, !counts { ended += count }
            case .active, nil: break
            }
        }
    }

    // MARK: What they bring in a month

    private static func monthly(at now: Instant, in transaction: any ReadTransaction) throws -> [Monthly] {
        var sums: [Currency: (amount: Int128, count: Int)] = [:]
        try transaction.forEachRow(
            """
            SELECT currency, price, period, offer_mode, offer_price, offer_period, count(*) FROM subscription
            WHERE counts_until > $1
            GROUP BY currency, price, period, offer_mode, offer_price, offer_period
            """, binding: [now.databaseValue]
        ) { row in
            var cells = row.cells
            let currency = try cells.next(as: Currency.self)
            var (price, period) = (try cells.next(as: Int64.self), try cells.next(as: BillingPeriod.self))
            if let mode = try cells.next(as: String?.self) {
                let paid = try cells.next(as: Int64.self)
                let of = try cells.next(as: BillingPeriod.self)
                (price, period) = mode == OfferDiscountType.freeTrial.rawValue ? (0, period) : (paid, of)
            } else {
                cells.skip(2)
            }
            let count = try cells.next(as: Int.self)
            sums[currency, default: (0, 0)].amount += perMonth(price, period) * Int128(count)
            sums[currency, default: (0, 0)].count += count
        }
        return sums.map { currency, sum in
            Monthly(
                amount: Money(minorUnits: Int64(clamping: sum.amount / scale), currency: currency), count: sum.count)
        }.sorted { ($0.count, $0.amount.currency.code) > ($1.count, $1.amount.currency.code) }
    }

    /// In what sums are kept, so that what is below a unit of a single subscription is not lost.
    private static let scale: Int128 = 1_000_000

    /// What a period's price comes to in a month, which is a twelfth of a year of 365 days.
    private static func perMonth(_ price: Int64, _ period: BillingPeriod) -> Int128 {
        let (whole, count) = (Int128(price) * scale, Int128(period.count))
        return switch period.unit {
        case .month: whole / count
        case .year: whole / (12 * count)
        case .week: whole * 365 / (12 * 7 * count)
        case .day: whole * 365 / (12 * count)
        }
    }
}
