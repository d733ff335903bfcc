import StoreDatabase
import StoreModel
import StoreRules

extension SubscriberHistory {
    /// What a customer had and has in the group of a product.
    ///
    /// It is read from the customer's own subscription and its orders, so what a family shares is not in it. What was refunded
    /// was had all the same, but does not count as paid.
    init(
        of item: SoldItem, for scope: CustomerScope, at now: Instant, in transaction: any ReadTransaction
    ) throws {
        guard let found = try Subscriptions.find(item, of: scope, in: transaction) else {
            self.init(
                hasSubscribed: false, isBeingPaid: try Subscriptions.isBeingBought(item, by: scope, in: transaction))
            return
        }
        let countsUntil = found.rules.countsUntil
        // One that is tried to be paid is not over, though it does not count.
        let isActive = countsUntil > now || found.state == .retry
        let wonBackAt = try transaction.value(
            "SELECT max(purchase_date) FROM store_transaction WHERE original_id = $1 AND offer_type = $2",
            found.original, OfferType.winBack.rawValue, as: Instant?.self)
        self.init(
            hasSubscribed: true, isActive: isActive,
            isBeingPaid: try Subscriptions.isBeingBought(item, by: scope, in: transaction),
            endedAt: isActive ? nil : countsUntil, paidMonths: try Self.paidMonths(of: found.original, transaction),
            wonBackAt: wonBackAt)
    }

    private static func paidMonths(of original: TransactionID, _ transaction: any ReadTransaction) throws -> Int {
        let paid = try transaction.query(
            """
            SELECT sale_order.period, store_transaction.offer_mode, store_transaction.offer_period, count(*)
            FROM store_transaction JOIN sale_order ON sale_order.id = store_transaction.order_id
                LEFT JOIN transaction_revocation
                    ON transaction_revocation.transaction_id = store_transaction.id
            WHERE store_transaction.original_id = $1 AND store_transaction.restored_id IS NULL
                AND store_transaction.price > 0 AND transaction_revocation.transaction_id IS NULL
            GROUP BY sale_order.period, store_transaction.offer_mode, store_transaction.offer_period
            """, original
        ) { row -> Int in
            var cells = row.cells
            let (period, mode) = (try cells.next(as: BillingPeriod?.self), try cells.next(as: String?.self))
            let offered = try cells.next(as: BillingPeriod?.self)
            let one = mode == OfferDiscountType.payUpFront.rawValue ? offered : period
            return (one?.days ?? 0) * (try cells.next(as: Int.self))
        }
        return paid.reduce(0, +) / 30
    }
}

extension BillingPeriod {
    /// How many days it is counted as where months are counted; a year is twelve of them.
    fileprivate var days: Int {
        switch unit {
        case .day: count
        case .week: 7 * count
        case .month: 30 * count
        case .year: 360 * count
        }
    }
}
