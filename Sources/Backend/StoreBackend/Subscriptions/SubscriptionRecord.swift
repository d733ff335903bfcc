public import StoreModel

/// What is known of one subscription: its periods and what comes after them, each as the store said it last.
///
/// Statements may come in any order, late or more than once: of two about the same thing the one holds that the store
/// made later. So the record is the same in the end, whatever way the statements took.
///
/// | a statement | what it changes |
/// |---|---|
/// | of a period that is not known yet | adds it |
/// | made later than the one that is held | takes its place |
/// | made earlier, or the same once more | nothing |
/// | of a period, made at the same instant | takes its place if it takes the period back, or ends it later |
/// | of what follows, made at the same instant, and different | takes its place, and the store should be asked |
/// | of what follows, made at the same instant as an answer of the store | nothing |
struct SubscriptionRecord: Hashable, Sendable {
    /// Its periods.
    var periods: [VerifiedTransaction] = []
    /// What comes after the period that runs; nil until the store has said it.
    var renewal: RenewalTerms?

    /// The latest instant that is known of: ours, or one at which the store said something. The clock of a sandbox may be
    /// ahead of ours, and then its own counts, as far as it is known.
    func moment(at now: Instant) -> Instant {
        periods.reduce(max(now, renewal?.statedAt ?? now)) { max($0, $1.statedAt) }
    }

    /// The period that decides at a moment what the subscription gives: the newest one that has begun. It decides alone,
    /// also where it was refunded or is over: of earlier ones the store tells nothing any more, so that what it said of
    /// their ends may be old.
    ///
    /// | period | decides |
    /// |---|---|
    /// | begun, with none after it that has | yes |
    /// | charged ahead of its beginning | when it begins, so that its refund leaves the one that runs; or once it is over |
    /// | brought back by a restore, as a row with an instant of its own | never, where the period itself is known |
    /// | brought back by a restore after its end | never |
    func deciding(at moment: Instant) -> VerifiedTransaction? {
        let newestFirst = periods.sorted { one, other in
            (one.purchaseDate, one.transactionID) > (other.purchaseDate, other.transactionID)
        }
        func counts(_ period: VerifiedTransaction) -> Bool {
            let isLapsed = period.end <= period.purchaseDate && period.purchaseDate <= moment
            return !isLapsed && !isRestored(period)
        }
        return newestFirst.first { min($0.purchaseDate, $0.end) <= moment && counts($0) }
            ?? newestFirst.first(where: counts)
    }

    /// Whether a restore has brought back another period as this one, which the store tells nothing of any more.
    func isRestored(_ period: VerifiedTransaction) -> Bool { periods.contains { period.isRestored(from: $0) } }
}

extension VerifiedPayment {
    /// The transactions that give a right at an instant. Of the periods of a subscription the newest decides alone, also where
    /// it was refunded or is over.
    public func inForce(at now: Instant) -> [VerifiedTransaction] {
        let periods = Dictionary(grouping: transactions.filter { $0.expiresDate != nil }, by: \.originalTransactionID)
        let running = Set(
            periods.values.compactMap { periods -> TransactionID? in
                let record = SubscriptionRecord(periods: periods)
                let moment = record.moment(at: now)
                guard let period = record.deciding(at: moment), period.isInForce(at: moment) else { return nil }
                return period.transactionID
            })
        return transactions.filter { one in
            one.expiresDate == nil ? one.isInForce(at: now) : running.contains(one.transactionID)
        }
    }
}

extension VerifiedTransaction {
    /// Whether this takes the place of what the store said before: it was said later. Of two statements of one instant
    /// the one holds that takes back, or else that ends later, so that it is the same whichever comes first.
    func holds(over held: VerifiedTransaction) -> Bool {
        func rank(_ one: VerifiedTransaction) -> (Instant, Int, Int, Instant) {
            (one.statedAt, one.revocationDate == nil ? 0 : 1, one.isUpgraded ? 1 : 0, one.end)
        }
        return rank(held) < rank(self)
    }

    /// Whether a restore has made this of an earlier period, whose end it has.
    ///
    /// A sandbox may end or extend that one afterwards. So there it is told also by what the store said later of the earlier
    /// one: that it had not ended when this began. In production the next period may be charged, and begin, before the end.
    func isRestored(from earlier: VerifiedTransaction) -> Bool {
        guard earlier.productID == productID, earlier.purchaseDate < purchaseDate else { return false }
        return earlier.end == end
            || environment == .sandbox && earlier.statedAt > statedAt
                && purchaseDate < min(earlier.end, earlier.revocationDate ?? .latest)
    }

    /// When its period ends; what has no end never does.
    var end: Instant { expiresDate ?? .latest }
}

/// What comes after the current period of a subscription, as the store said it at an instant.
struct RenewalTerms: Hashable, Sendable {
    /// Whether it renews.
    var renews: Bool
    /// The product that it renews as.
    var nextProductID: ProductID
    /// The end of the period that this is about.
    var renewalDate: Instant?
    /// Until when the customer keeps the service though the next period could not be paid.
    var gracePeriodEnds: Instant?
    /// Whether the store tries to charge again.
    var isInBillingRetry: Bool
    /// Why it ended.
    var expirationIntent: ExpirationIntent?
    /// What the customer says to a higher price.
    var priceIncrease: PriceIncreaseStatus?
    /// When the store said this.
    var statedAt: Instant
    /// Whether the store was asked, so that this holds against all that it told at the same instant.
    var isAnswer = false
    /// Whether the store told something else at the same instant, so that only it can say which holds.
    var isUncertain = false

    /// Makes terms from their fields.
    init(
        renews: Bool, nextProductID: ProductID, renewalDate: Instant? = nil, gracePeriodEnds: Instant? = nil,
        isInBillingRetry: Bool = false, expirationIntent: ExpirationIntent? = nil,
        priceIncrease: PriceIncreaseStatus? = nil, statedAt: Instant
    ) {
        (self.renews, self.nextProductID, self.renewalDate) = (renews, nextProductID, renewalDate)
        (self.gracePeriodEnds, self.isInBillingRetry) = (gracePeriodEnds, isInBillingRetry)
        (self.expirationIntent, self.priceIncrease) = (expirationIntent, priceIncrease)
        self.statedAt = statedAt
    }

    /// Makes them from a payload that was verified.
    init(_ payload: RenewalInfoPayload) {
        self.init(
            renews: payload.autoRenewStatus == .on, nextProductID: payload.autoRenewProductId,
            renewalDate: payload.renewalDate, gracePeriodEnds: payload.gracePeriodExpiresDate,
            isInBillingRetry: payload.isInBillingRetryPeriod ?? false, expirationIntent: payload.expirationIntent,
            priceIncrease: payload.priceIncreaseStatus, statedAt: payload.signedDate)
    }

    /// What holds once the store has said something else of the same subscription.
    func updated(by new: RenewalTerms) -> RenewalTerms {
        guard new.statedAt >= statedAt else { return self }
        guard new.statedAt == statedAt, !new.isAnswer else { return new }
        if isAnswer || new.saysTheSame(as: self) { return self }
        var last = new
        last.isUncertain = true
        return last
    }

    private func saysTheSame(as other: RenewalTerms) -> Bool {
        var same = other
        (same.isAnswer, same.isUncertain) = (isAnswer, isUncertain)
        return same == self
    }
}
