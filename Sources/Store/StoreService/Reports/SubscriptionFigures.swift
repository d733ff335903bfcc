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
    /// How many of the trials that ended last are looked at.
    package static let window = 20_000

    /// The share of those that ran within ``days`` which stopped, in thousandths; nil if none ran.
    package var churn: Int? { Self.share(ended, of: running + ended) }
    /// The share of the trials after which was paid, in thousandths; nil if none ended.
    package var conversion: Int? { Self.share(convertedTrials, of: trials) }

    private static func share(_ part: Int, of whole: Int) -> Int? { whole == 0 ? nil : part * 1000 / whole }

    /// Reads indexes that have just these rows: as many entries as there are subscriptions that run, and as renewals and trials
    /// of ``days``. A subscription counts as its own customer's clock has it.
    init(at now: Instant, in transaction: any ReadTransaction) throws {
        let start = now - .seconds(Self.days * 24 * 60 * 60)
        (monthly, running) = try Self.income(in: transaction)
        inGrace = try transaction.value(Self.inState, Subscription.State.grace.rawValue, as: Int.self)
        retrying = try transaction.value(Self.inState, Subscription.State.retry.rawValue, as: Int.self)
        ended = try transaction.value(Self.ended, start, as: Int.self)
        guard running + retrying + ended > 0 else { return }
        renewals = try transaction.value(Self.renewals, start, as: Int.self)
        (trials, convertedTrials) = try transaction.one(Self.trials, start, now, Self.window) { row in
            var cells = row.cells
            return (try cells.next(as: Int.self), try cells.next(as: Int?.self) ?? 0)
        }
    }

    // MARK: Queries

    static let inState: SQL = "SELECT count(*) FROM subscription WHERE state = $1"
    static let ended: SQL = """
        SELECT count(*) FROM subscription WHERE \(Subscription.State.over) AND counts_until >= $1
        """
    static let renewals: SQL = """
        SELECT count(*) FROM store_transaction WHERE \(SubscriptionTables.renewal) AND purchase_date >= $1
        """
    static let trials: SQL = """
        SELECT count(*), sum(CASE WHEN EXISTS (
                SELECT 1 FROM store_transaction AS paid
                WHERE paid.original_id = trial.original_id AND paid.id > trial.id AND paid.price > 0
            ) THEN 1 ELSE 0 END)
        FROM (
            SELECT id, original_id FROM store_transaction
            WHERE \(SubscriptionTables.trial) AND expires_date >= $1 AND expires_date <= $2
            ORDER BY expires_date DESC LIMIT $3
        ) AS trial
        """
    static let income: SQL = """
        SELECT currency, price, period, offer_mode, offer_price, offer_period, count(*) FROM subscription
        WHERE state = $1
        GROUP BY currency, price, period, offer_mode, offer_price, offer_period
        """

    // MARK: What they bring in a month

    private static func income(in transaction: any ReadTransaction) throws -> ([Monthly], count: Int) {
        var sums: [Currency: (amount: Int128, count: Int)] = [:]
        func add(_ row: Row) throws {
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
        for state in [Subscription.State.active, .grace] {
            try transaction.forEachRow(income, binding: [state.rawValue.databaseValue]) { try add($0) }
        }
        let monthly = sums.map { currency, sum in
            Monthly(
                amount: Money(minorUnits: Int64(clamping: sum.amount / scale), currency: currency), count: sum.count)
        }
        return (
            monthly.sorted { ($0.count, $0.amount.currency.code) > ($1.count, $1.amount.currency.code) },
            monthly.reduce(0) { $0 + $1.count }
        )
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
