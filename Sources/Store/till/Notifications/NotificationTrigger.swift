import StoreModel
import StoreServer

/// Something that can be made to happen so that a developer's server is told: one line of the table notification × how to make
/// it happen, which the documentation shows too.
struct NotificationTrigger: Sendable {
    /// What `till trigger` calls it.
    let name: String
    let type: NotificationType
    let subtype: NotificationSubtype?
    /// What is done, in a sentence.
    let summary: String
    let need: TriggerScene.Need
    let act: @Sendable (TriggerRun) async throws -> Void

    private init(
        _ name: String, _ type: NotificationType, _ subtype: NotificationSubtype?, _ summary: String,
        _ need: TriggerScene.Need = .subscription, _ act: @escaping @Sendable (TriggerRun) async throws -> Void
    ) {
        (self.name, self.type, self.subtype, self.summary, self.need) = (name, type, subtype, summary, need)
        self.act = act
    }

    /// What this store never sends.
    static let unsent: Set<NotificationType> = [.externalPurchaseToken, .metadataUpdate, .migration, .priceChange]

    static func named(_ name: String) -> NotificationTrigger? { all.first { $0.name == name } }

    /// All of them, in the order of a subscription's life.
    static let all = subscribing + renewing + changing + ending + refunding + rest

    private static let subscribing = [
        NotificationTrigger("subscribed", .subscribed, .initialBuy, "A customer buys a subscription.") {
            try await $0.buy()
        },
        NotificationTrigger(
            "resubscribed", .subscribed, .resubscribe, "A subscription ends, and the customer buys it again."
        ) { run in
            try await run.end()
            try await run.buy()
        },
        NotificationTrigger("one-time-charge", .oneTimeCharge, nil, "A customer buys a consumable.", .consumable) {
            try await $0.buy()
        },
        NotificationTrigger(
            "offer-redeemed", .offerRedeemed, nil, "A subscriber takes a promotional offer of the same product.", .offer
        ) { run in
            try await run.buy()
            try await run.buy(offer: run.scene.offer)
        },
        NotificationTrigger(
            "offer-redeemed-upgrade", .offerRedeemed, .upgrade,
            "A subscriber takes a promotional offer of a higher service.", .offerAbove
        ) { run in
            try await run.buy(run.scene.lower)
            try await run.buy(offer: run.scene.offer)
        },
        NotificationTrigger(
            "offer-redeemed-downgrade", .offerRedeemed, .downgrade,
            "A subscriber takes a promotional offer of a lower service.", .offerBelow
        ) { run in
            try await run.buy()
            try await run.buy(run.scene.lower, offer: run.scene.offer)
        },
    ]

    private static let renewing = [
        NotificationTrigger("did-renew", .didRenew, nil, "A period ends, and the next one is paid.") { run in
            try await run.buy()
            try await run.advanceToEnd("The period ended, and the next one was paid.")
        },
        NotificationTrigger(
            "did-fail-to-renew", .didFailToRenew, nil, "A renewal is declined, in an app without a grace period.",
            .grace(false)
        ) { try await $0.failToRenew() },
        NotificationTrigger(
            "grace-period", .didFailToRenew, .gracePeriod, "A renewal is declined, in an app with a grace period.",
            .grace(true)
        ) { try await $0.failToRenew() },
        NotificationTrigger(
            "grace-period-expired", .gracePeriodExpired, nil, "A renewal is declined until the grace period is over.",
            .grace(true)
        ) { run in
            try await run.failToRenew()
            let end = try await run.subscription().subscription
            try await run.advance(to: end.graceEndsAt ?? end.endsAt, "The grace period ended.")
        },
        NotificationTrigger(
            "billing-recovery", .didRenew, .billingRecovery, "A renewal is declined, and paid with another card later.",
            .grace(false)
        ) { run in
            try await run.failToRenew()
            try await run.pay(with: "test_approved")
            try await run.act("resolution", "The renewal was paid at once.")
        },
    ]

    private static let changing = [
        NotificationTrigger(
            "upgrade", .didChangeRenewalPreference, .upgrade, "A subscriber buys a higher service of the group.",
            .levels
        ) { run in
            try await run.buy(run.scene.lower)
            try await run.buy()
        },
        NotificationTrigger(
            "downgrade", .didChangeRenewalPreference, .downgrade, "A subscriber buys a lower service of the group.",
            .levels
        ) { run in
            try await run.buy()
            try await run.buy(run.scene.lower)
        },
        NotificationTrigger(
            "downgrade-cancelled", .didChangeRenewalPreference, nil,
            "A subscriber buys a lower service, and then the one that runs again.", .levels
        ) { run in
            try await run.buy()
            try await run.buy(run.scene.lower)
            try await run.buy()
        },
        NotificationTrigger(
            "auto-renew-disabled", .didChangeRenewalStatus, .autoRenewDisabled, "A subscriber turns renewal off."
        ) { run in
            try await run.buy()
            try await run.act("cancellation", "Renewal was turned off.")
        },
        NotificationTrigger(
            "auto-renew-enabled", .didChangeRenewalStatus, .autoRenewEnabled,
            "A subscriber turns renewal off, and on again."
        ) { run in
            try await run.buy()
            try await run.act("cancellation", "Renewal was turned off.")
            try await run.act("resumption", "Renewal was turned on again.")
        },
        NotificationTrigger(
            "price-increase", .priceIncrease, .pending, "A subscriber is asked to agree to a price."
        ) { run in
            try await run.buy()
            try await run.act("price-request", "The customer was asked to agree to the price.")
        },
        NotificationTrigger(
            "price-increase-accepted", .priceIncrease, .accepted,
            "A subscriber is asked to agree to a price, and agrees."
        ) { run in
            try await run.buy()
            try await run.act("price-request", "The customer was asked to agree to the price.")
            try await run.agreeToPrice()
        },
    ]

    private static let ending = [
        NotificationTrigger(
            "expired", .expired, .voluntary, "A subscriber turns renewal off, and the period ends."
        ) { try await $0.end() },
        NotificationTrigger(
            "expired-billing-retry", .expired, .billingRetry, "A renewal is declined until the store gives up.",
            .grace(false)
        ) { run in
            try await run.failToRenew()
            let end = try await run.subscription().subscription
            try await run.advance(to: end.retryEndsAt ?? end.endsAt, "The store gave up.")
        },
        NotificationTrigger(
            "expired-price-increase", .expired, .priceIncrease,
            "A subscriber does not agree to a price until the period ends."
        ) { run in
            try await run.buy()
            try await run.act("price-request", "The customer was asked to agree to the price, and does not answer.")
            try await run.advanceToEnd()
        },
        NotificationTrigger(
            "expired-product-not-for-sale", .expired, .productNotForSale,
            "A product is taken off the shelves before it renews.", .changeable
        ) { run in
            try await run.buy()
            try await run.withoutSale { try await run.advanceToEnd() }
        },
        NotificationTrigger(
            "revoke", .revoke, nil, "Somebody leaves the family of a subscriber, who shares the subscription.", .shared
        ) { run in
            let member = try await run.newMember()
            try await run.buy()
            try await run.untilShared(with: member)
            try await run.remove(member)
        },
    ]

    private static let refunding = [
        NotificationTrigger(
            "consumption-request", .consumptionRequest, nil, "A customer asks for the money of a consumable.",
            .consumable
        ) { run in _ = try await run.ask(for: run.buyOnce()) },
        NotificationTrigger("refund", .refund, nil, "A customer is given the money of a consumable back.", .consumable)
        {
            run in try await run.refund(run.buyOnce())
        },
        NotificationTrigger(
            "refund-declined", .refundDeclined, nil,
            "A customer asks for the money of a consumable, and does not get it.",
            .consumable
        ) { run in
            let request = try await run.ask(for: run.buyOnce())
            try await run.decide(request, "refusal", "The request was declined.")
        },
        NotificationTrigger(
            "refund-reversed", .refundReversed, nil,
            "A customer is given the money of a consumable back, and the bank decides for the store.", .consumable
        ) { run in
            let request = try await run.ask(for: run.buyOnce())
            try await run.decide(request, "approval", "The request was approved.")
            try await run.decide(request, "reversal", "The bank decided for the store.")
        },
    ]

    private static let rest = [
        NotificationTrigger(
            "renewal-extended", .renewalExtended, nil, "The period of one subscriber is extended by a week."
        ) { run in
            try await run.buy()
            try await run.extend()
        },
        NotificationTrigger(
            "renewal-extension", .renewalExtension, .summary,
            "The periods of all subscribers of a product are extended by a day.", .changeable
        ) { run in
            try await run.buy()
            try await run.extendAll()
        },
        NotificationTrigger(
            "renewal-extension-failure", .renewalExtension, .failure,
            "The same, of a subscription that was extended as often as it may be.", .changeable
        ) { run in
            try await run.buy()
            for _ in 0..<2 { try await run.extend() }
            try await run.extendAll()
        },
        NotificationTrigger(
            "rescind-consent", .rescindConsent, nil,
            "A parent takes back the consent to a child's use of an app.", .nothing
        ) { try await $0.rescindConsent() },
        NotificationTrigger("test", .test, nil, "A test notification is asked for.", .nothing) { run in
            try await run.requestTest()
        },
    ]
}

extension TriggerRun {
    /// Buys a subscription and lets it end.
    func end() async throws {
        try await buy()
        try await act("cancellation", "Renewal was turned off.")
        try await advanceToEnd()
    }

    /// Buys a subscription whose next period cannot be paid, and goes to its end.
    func failToRenew() async throws {
        try await buy()
        try await pay(with: "test_declined")
        try await advanceToEnd("The period ended, and the next one was declined.")
    }
}
