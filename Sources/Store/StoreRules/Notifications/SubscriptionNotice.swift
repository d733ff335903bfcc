package import StoreModel

/// What a developer's server is told of a change of a subscription: the type of a notification, and its subtype.
///
/// | what happened | what is told |
/// |---|---|
/// | the next period was paid, up to a day ahead of its beginning | `DID_RENEW` at the charge, as the App Store does; nothing when it begins |
/// | a charge ahead of the end was declined | nothing: it may be paid until the end |
/// | the period ended unpaid | `DID_FAIL_TO_RENEW`, with `GRACE_PERIOD` where the service is kept |
/// | it was paid after that, by the store's attempt or by the customer's purchase in the grace period | `DID_RENEW` with `BILLING_RECOVERY` |
/// | it was bought after its end, also while its payment is retried | `SUBSCRIBED` with `RESUBSCRIBE` |
/// | another plan took its place at once | `DID_CHANGE_RENEWAL_PREF` with `UPGRADE`, and no `DID_RENEW`; with an offer `OFFER_REDEEMED` with `UPGRADE` |
/// | another plan is to renew | `DID_CHANGE_RENEWAL_PREF` with `DOWNGRADE`; with an offer `OFFER_REDEEMED` with `DOWNGRADE` |
/// | a choice of the customer turned renewal on as well | `DID_CHANGE_RENEWAL_STATUS` first |
/// | a period was taken back, or given again | nothing here: `REFUND` and its kin tell it of the transaction |
package struct SubscriptionNotice: Hashable, Sendable, CustomStringConvertible {
    package let type: NotificationType
    package let subtype: NotificationSubtype?

    package init(_ type: NotificationType, _ subtype: NotificationSubtype? = nil) {
        (self.type, self.subtype) = (type, subtype)
    }

    package var description: String { subtype.map { "\(type)/\($0)" } ?? "\(type)" }

    /// Whether members of a family to whom the period is shared are told too, each of their own: it says whether they have the
    /// service. What the buyer wants, pays and is offered is the buyer's alone.
    package var concernsFamily: Bool {
        [.didFailToRenew, .gracePeriodExpired, .expired, .renewalExtended].contains(type)
    }
}

extension Subscription.Event {
    /// Whether it comes with a transaction, which is told with it.
    package var hasTransaction: Bool {
        switch self {
        case .paid, .bought, .settled: true
        default: false
        }
    }

    /// What is told of the event, in this order.
    ///
    /// - Parameters:
    ///   - before: the subscription before the event; nil for one that begins.
    ///   - after: the subscription after it.
    package func notices(
        from before: Subscription?, to after: Subscription, at now: Instant
    ) -> [SubscriptionNotice] {
        guard let before else { return [SubscriptionNotice(.subscribed, .initialBuy)] }
        switch self {
        case .paid: return [SubscriptionNotice(.didRenew, before.state == .active ? nil : .billingRecovery)]
        case .settled: return [SubscriptionNotice(.didRenew, .billingRecovery)]
        case .bought(let plan, let offer): return [Self.purchase(of: plan, offer, from: before, at: now)]
        case .planned:
            return Self.status(from: before, to: after) + Self.preference(from: before, to: after)
        case .offered:
            let isLower = after.next != nil && after.next?.item != before.next?.item
            return Self.status(from: before, to: after)
                + [SubscriptionNotice(.offerRedeemed, isLower ? .downgrade : nil)]
        case .turnedOff, .turnedOn, .refusedPrice:
            return Self.status(from: before, to: after) + Self.end(from: before, to: after)
        case .resolved: return Self.status(from: before, to: after)
        case .raised(let increase):
            // Who does not go on with the plan is not asked.
            guard after.renews, after.next == nil else { return [] }
            return [SubscriptionNotice(.priceIncrease, increase.holds ? .accepted : .pending)]
        case .agreedToPrice:
            return before.increase?.holds == false ? [SubscriptionNotice(.priceIncrease, .accepted)] : []
        case .due, .declined, .released, .ended: return Self.end(from: before, to: after)
        case .extended: return [SubscriptionNotice(.renewalExtended)]
        case .revoked, .reinstated, .revokedAhead, .reinstatedAhead, .shortened: return []
        }
    }

    /// What is told of a purchase while there is a subscription of the group, which runs or has ended.
    private static func purchase(
        of plan: SubscriptionPlan, _ offer: OfferTerms?, from before: Subscription, at now: Instant
    ) -> SubscriptionNotice {
        guard before.state == .active || before.state == .grace, before.countsUntil > now else {
            return SubscriptionNotice(.subscribed, .resubscribe)
        }
        let subtype: NotificationSubtype?
        switch before.change(to: plan, at: now) {
        case .none: subtype = nil
        case .atOnce: subtype = .upgrade
        case .atRenewal: subtype = .downgrade
        }
        if offer != nil { return SubscriptionNotice(.offerRedeemed, subtype) }
        // The same plan, paid twice because two purchases crossed: another period of it.
        return subtype == nil ? SubscriptionNotice(.didRenew) : SubscriptionNotice(.didChangeRenewalPreference, subtype)
    }

    /// What is told of whether it renews.
    private static func status(from before: Subscription, to after: Subscription) -> [SubscriptionNotice] {
        guard before.renews != after.renews else { return [] }
        return [SubscriptionNotice(.didChangeRenewalStatus, after.renews ? .autoRenewEnabled : .autoRenewDisabled)]
    }

    /// What is told of the plan that is to renew.
    private static func preference(from before: Subscription, to after: Subscription) -> [SubscriptionNotice] {
        guard before.next?.item != after.next?.item else { return [] }
        return [SubscriptionNotice(.didChangeRenewalPreference, after.next == nil ? nil : .downgrade)]
    }

    /// What is told of a period that is over, of a grace period that is, and of the end.
    private static func end(from before: Subscription, to after: Subscription) -> [SubscriptionNotice] {
        switch (before.state, after.state) {
        case (.active, .grace): [SubscriptionNotice(.didFailToRenew, .gracePeriod)]
        case (.active, .retry): [SubscriptionNotice(.didFailToRenew)]
        case (.grace, .retry): [SubscriptionNotice(.gracePeriodExpired)]
        case (let former, .expired) where former.isLive: [SubscriptionNotice(.expired, reason(after.intent))]
        default: []
        }
    }

    /// The subtype of an end.
    private static func reason(_ intent: ExpirationIntent?) -> NotificationSubtype? {
        switch intent {
        case .cancelled: .voluntary
        case .billingError: .billingRetry
        case .priceIncreaseNotConsented: .priceIncrease
        case .productUnavailable: .productNotForSale
        default: nil
        }
    }
}
