import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Who pays what for a subscription already, and what a higher price would mean for them.
package struct PriceAudience: Hashable, Sendable {
    /// Subscriptions of one storefront that pay one price and are alike in what a higher one means for them.
    package struct Group: Hashable, Sendable {
        package let storefront: StorefrontCode
        /// What they pay from their next full period on.
        package let price: Money
        package let period: BillingPeriod
        /// Whether they have not paid anything yet.
        package let isInTrial: Bool
        /// The higher price that was brought to them already.
        package let raisedPrice: Money?
        /// Whether that one waits for their yes.
        package let isAsked: Bool
        /// When one of them was last brought a higher price.
        let raisedAt: Instant?
        package let count: Int
    }

    package let groups: [Group]

    /// The groups that are read at most; a product has few prices, and a storefront one currency.
    private static let most = 5_000

    /// The subscriptions of a product that run.
    init(of item: ItemID, in transaction: any ReadTransaction) throws {
        groups = try transaction.query(
            """
            SELECT storefront, currency, price, period, trial, raised_price, asked, max(raised_at), count(*)
            FROM (
                SELECT storefront, currency, price, period, raised_price, raised_at,
                    CASE WHEN offer_price = 0 THEN 1 ELSE 0 END AS trial,
                    CASE WHEN raise_needs_consent = 1 AND raise_agreed = 0 THEN 1 ELSE 0 END AS asked
                FROM subscription WHERE item_id = $1 AND \(Subscription.State.live)
            ) AS alike
            GROUP BY storefront, currency, price, period, trial, raised_price, asked
            ORDER BY storefront, price LIMIT $2
            """, item, Self.most
        ) { row in
            var cells = row.cells
            let storefront = StorefrontCode(rawValue: try cells.next())
            let currency = try cells.next(as: Currency.self)
            let price = Money(minorUnits: try cells.next(), currency: currency)
            let (period, isInTrial) = (try cells.next(as: BillingPeriod.self), try cells.next(as: Bool.self))
            let raised = try cells.next(as: Int64?.self).map { Money(minorUnits: $0, currency: currency) }
            return try Group(
                storefront: storefront, price: price, period: period, isInTrial: isInTrial, raisedPrice: raised,
                isAsked: cells.next(), raisedAt: cells.next(), count: cells.next())
        }
    }

    /// How many of each kind there are, and what a price that is brought to them would mean.
    package struct Sums: Hashable, Sendable {
        /// Those who pay: they keep their price until another is brought to them.
        package var paying = 0
        package var inTrial = 0
        /// Those to whom a higher price was brought, and how many of them have not answered.
        package var raised = 0
        package var asked = 0
        /// Of the paying ones, those who would have to agree, those who would only be told, and those who pay as much already.
        package var wouldBeAsked = 0
        package var wouldBeTold = 0
        package var wouldKeep = 0

        package var all: Int { paying + inTrial + raised }
    }

    /// - Parameter price: what the product costs in a storefront at the moment that is asked about.
    package func sums(at moment: Instant, _ price: (StorefrontCode) -> Money?) -> Sums {
        var sums = Sums()
        for group in groups {
            if group.isInTrial { sums.inTrial += group.count }
            if group.raisedPrice != nil, !group.isInTrial { sums.raised += group.count }
            if group.isAsked { sums.asked += group.count }
            guard !group.isInTrial, group.raisedPrice == nil else { continue }
            sums.paying += group.count
            guard let new = price(group.storefront), new.currency == group.price.currency,
                new.minorUnits > group.price.minorUnits
            else {
                sums.wouldKeep += group.count
                continue
            }
            // As a raise decides it.
            let isAsked = PriceIncrease.needsConsent(
                from: group.price, to: new, of: group.period, lastAt: group.raisedAt, at: moment)
            if isAsked { sums.wouldBeAsked += group.count } else { sums.wouldBeTold += group.count }
        }
        return sums
    }
}

extension SubscriptionChanges {
    /// Who subscribes to a product already, and for what.
    package func audience(of item: ItemID) async throws -> PriceAudience {
        try await store.database.read { try PriceAudience(of: item, in: $0) }
    }
}
