package import StoreModel

/// What a customer had and has in a group of subscriptions, as far as offers depend on it. What a family shares does not count.
package struct SubscriberHistory: Hashable, Sendable {
    /// Whether there was ever a subscription of the group, whatever became of it.
    package let hasSubscribed: Bool
    /// Whether one counts now.
    package let isActive: Bool
    /// Whether another purchase of the group is being paid.
    package let isBeingPaid: Bool
    /// When the last one stopped counting; nil while it counts, or without any.
    package let endedAt: Instant?
    /// How many months of the group were paid, cut to whole ones.
    package let paidMonths: Int
    /// When a win-back offer was last used.
    package let wonBackAt: Instant?

    package init(
        hasSubscribed: Bool, isActive: Bool = false, isBeingPaid: Bool = false, endedAt: Instant? = nil,
        paidMonths: Int = 0, wonBackAt: Instant? = nil
    ) {
        self.hasSubscribed = hasSubscribed
        self.isActive = isActive
        self.isBeingPaid = isBeingPaid
        self.endedAt = endedAt
        self.paidMonths = paidMonths
        self.wonBackAt = wonBackAt
    }

    /// Somebody who is new to the group.
    package static let new = SubscriberHistory(hasSubscribed: false)
}

/// Whether a customer may have an offer, and why.
package struct OfferVerdict: Hashable, Sendable {
    package let isEligible: Bool
    /// A sentence without its full stop, about "the customer".
    package let reason: String

    package static func yes(_ reason: String) -> OfferVerdict { OfferVerdict(isEligible: true, reason: reason) }
    package static func no(_ reason: String) -> OfferVerdict { OfferVerdict(isEligible: false, reason: reason) }
}

/// For whom an offer is.
///
/// | kind | who may have it |
/// |---|---|
/// | introductory | who is new to the group: never had a subscription of it, at whatever price |
/// | promotional | who has or had a subscription of the group |
/// | code | those of `eligibility`; everybody if it is empty |
/// | win-back | who had one for so many paid months, has had none for so many, and no win-back offer for so many |
package struct OfferCondition: Hashable, Sendable {
    package let kind: OfferKind
    /// Of codes.
    package let eligibility: Set<OfferEligibility>
    /// Of codes: whether an introductory offer goes before it.
    package let isStackable: Bool
    /// Of win-back offers.
    package let paidMonths: Int?
    package let lapsedMonths: Int?
    package let waitMonths: Int?

    package init(
        _ kind: OfferKind, eligibility: Set<OfferEligibility> = [], isStackable: Bool = false, paidMonths: Int? = nil,
        lapsedMonths: Int? = nil, waitMonths: Int? = nil
    ) {
        self.kind = kind
        self.eligibility = eligibility
        self.isStackable = isStackable
        self.paidMonths = paidMonths
        self.lapsedMonths = lapsedMonths
        self.waitMonths = waitMonths
    }

    /// The introductory offer of any product of a group.
    package static let introductory = OfferCondition(.introductory)

    /// Whether a customer may have the offer at an instant.
    ///
    /// - Parameter scale: how long the customer's months are.
    package func verdict(for history: SubscriberHistory, scale: PeriodScale, at now: Instant) -> OfferVerdict {
        if history.isBeingPaid { return .no("the customer is paying for a subscription of the group at this moment") }
        switch kind {
        case .introductory: return newness(history)
        case .promotional:
            guard history.hasSubscribed else {
                return .no(
                    "the customer never had a subscription of the group, and promotional offers are for those who did")
            }
            return .yes(history.isActive ? "the customer has a subscription of the group" : "the customer had one")
        case .code: return code(history)
        case .winBack: return winBack(history, scale, at: now)
        }
    }

    private func newness(_ history: SubscriberHistory) -> OfferVerdict {
        history.hasSubscribed
            ? .no("the customer has had a subscription of the group, and is not new to it")
            : .yes("the customer is new to the group")
    }

    private func code(_ history: SubscriberHistory) -> OfferVerdict {
        let (who, text): (OfferEligibility, String) =
            history.isActive
            ? (.existing, "has a subscription of the group")
            : history.hasSubscribed ? (.expired, "had a subscription of the group") : (.new, "is new to the group")
        guard eligibility.isEmpty || eligibility.contains(who) else {
            let words = eligibility.map(\.rawValue).sorted().joined(separator: ", ")
            return .no("the customer \(text), and the code is for: \(words)")
        }
        return .yes("the customer \(text)")
    }

    private func winBack(_ history: SubscriberHistory, _ scale: PeriodScale, at now: Instant) -> OfferVerdict {
        guard history.hasSubscribed, let endedAt = history.endedAt, !history.isActive else {
            return .no(
                history.isActive
                    ? "the customer has a subscription of the group, and need not be won back"
                    : "the customer never had a subscription of the group")
        }
        if let paidMonths, history.paidMonths < paidMonths {
            return .no(
                "the customer paid for \(history.paidMonths) months of the group, and the offer wants \(paidMonths)")
        }
        if let lapsedMonths, now < Self.after(lapsedMonths, endedAt, scale) {
            return .no("the subscription ended at \(endedAt.rfc3339), less than \(lapsedMonths) months ago")
        }
        if let waitMonths, let last = history.wonBackAt, now < Self.after(waitMonths, last, scale) {
            return .no("the customer used a win-back offer at \(last.rfc3339), less than \(waitMonths) months ago")
        }
        return .yes("the subscription of the customer ended at \(endedAt.rfc3339)")
    }

    private static func after(_ months: Int, _ start: Instant, _ scale: PeriodScale) -> Instant {
        months == 0 ? start : scale.end(of: .oneMonth, times: months, from: start)
    }
}
