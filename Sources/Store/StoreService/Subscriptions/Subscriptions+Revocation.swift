import StoreDatabase
import StoreModel
import StoreRules

// MARK: What is taken back

extension Subscriptions {
    /// Takes in that the transaction of a period was revoked.
    ///
    /// | what was revoked | what becomes of the subscription |
    /// |---|---|
    /// | the newest period, which runs or is over | it ends at once |
    /// | the period that was charged ahead | it goes back to the one that runs, and ends with it |
    /// | the period that runs, while the next one was charged ahead | it ends at once, and the next one is given back too |
    /// | an earlier period | nothing |
    static func revoke(_ found: StoreTransaction, because reason: RevocationReason, _ change: Change) throws {
        guard found.restoredID == nil,
            let stored = try find(SubscriptionID(beganWith: found.originalID), in: change.transaction),
            stored.state != .revoked, found.upgradedAt == nil
        else { return }
        let now = change.commerce
        let isNewest = found.id == stored.latest
        guard isNewest || found.isRunning(at: now) else { return }
        let current = try isNewest ? running(of: stored.original, at: now, in: change.transaction) : found
        guard stored.rules.isAhead(at: now), let current,
            let entered = try Entered(current, in: change.transaction)
        else {
            try handle(.revoked, of: stored, detail: found.id.description, change)
            return
        }
        var changed = stored
        changed.latest = current.id
        (changed, _) = try handle(
            .revokedAhead(entered.plan, entered.offer, entered.period), of: changed,
            detail: stored.latest.description, change)
        guard !isNewest else { return }
        try handle(.revoked, of: changed, detail: found.id.description, change)
        try Refunds.takeBack(Transactions.require(stored.latest, in: change.transaction), because: reason, change)
    }

    /// Takes in that the revocation of a period was lifted: the subscription counts again to its end, and does not renew. One
    /// that has gone on meanwhile stays as it is.
    static func reinstate(_ found: StoreTransaction, _ change: Change) throws {
        guard let stored = try find(SubscriptionID(beganWith: found.originalID), in: change.transaction) else { return }
        if stored.latest == found.id {
            guard stored.state == .revoked else { return }
            try handle(.reinstated, of: stored, detail: found.id.description, change)
        } else if let entered = try Entered(found, in: change.transaction),
            entered.period.startsAt >= stored.rules.endsAt, entered.period.endsAt > change.commerce
        {
            var changed = stored
            changed.latest = found.id
            try handle(
                .reinstatedAhead(entered.plan, entered.offer, entered.period), of: changed,
                detail: found.id.description, change)
        }
    }

    /// The period that runs; nil if none does that the customer still has.
    private static func running(
        of original: TransactionID, at now: Instant, in transaction: any ReadTransaction
    ) throws -> StoreTransaction? {
        try transactions(of: original, endingAfter: now, in: transaction).last {
            $0.isRunning(at: now) && $0.revocation == nil && $0.upgradedAt == nil
        }
    }

    /// What was ordered with the transaction of a period.
    private struct Entered {
        let plan: SubscriptionPlan
        let offer: OfferTerms?
        let period: SubscriptionPeriod

        /// Nil for what no order is known of.
        init?(_ sold: StoreTransaction, in transaction: any ReadTransaction) throws {
            guard let order = try sold.orderID.flatMap({ try SaleOrder.find($0, in: transaction) }),
                let plan = order.item.plan, let end = sold.expiresDate
            else { return nil }
            (self.plan, offer) = (plan, order.item.offer)
            period = SubscriptionPeriod(startsAt: sold.purchaseDate, endsAt: end)
        }
    }
}

extension StoreTransaction {
    /// Whether an instant is in its period.
    fileprivate func isRunning(at now: Instant) -> Bool {
        purchaseDate <= now && expiresDate.map { $0 > now } ?? false
    }
}
