import StoreModel
import StoreRules
import Testing

@Suite("Deliveries of notifications") struct NotificationDeliveryTests {
    private static let start = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    private func fresh() -> NotificationDelivery {
        NotificationDelivery(state: .waiting, attempts: 0, attemptedAt: nil, nextAt: nil)
    }

    /// Which pauses an address has, and the hours after the attempt before.
    struct Schedule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let retries: NotificationRetries
        let hours: [Int]
    }

    static let schedules = [
        Schedule(
            testDescription: "version 2 in production",
            retries: NotificationRetries(version: 2, in: .production, asInProduction: false),
            hours: [1, 12, 24, 48, 72]),
        Schedule(
            testDescription: "version 1 in production",
            retries: NotificationRetries(version: 1, in: .production, asInProduction: false), hours: [6, 24, 48]),
        Schedule(
            testDescription: "the sandbox",
            retries: NotificationRetries(version: 2, in: .sandbox, asInProduction: false),
            hours: []),
        Schedule(
            testDescription: "a sandbox that tries again",
            retries: NotificationRetries(version: 2, in: .sandbox, asInProduction: true), hours: [1, 12, 24, 48, 72]),
    ]

    @Test(
        "X7: Each retry comes so long after the attempt before it, and after the last one it has failed",
        arguments: schedules)
    func retries(_ schedule: Schedule) {
        var (delivery, now) = (fresh(), Self.start)
        for hours in schedule.hours {
            // However late an attempt is, the next is counted from it.
            now = now + .seconds(90)
            let next = now + .seconds(hours * 60 * 60)
            #expect(delivery.handle(.failed(schedule.retries), at: now) == [.retry(at: next)])
            #expect(delivery.state == .resting && delivery.nextAt == next && delivery.attemptedAt == now)
            #expect(delivery.handle(.retryDue, at: next) == [.send])
            #expect(delivery.state == .due)
            now = next
        }
        #expect(delivery.handle(.failed(schedule.retries), at: now).isEmpty)
        #expect(delivery.state == .failed && delivery.nextAt == nil)
        #expect(delivery.attempts == schedule.hours.count + 1 && delivery.attempts == schedule.retries.attempts)
    }

    @Test("A notification that arrived is done with") func delivered() {
        var delivery = fresh()
        #expect(delivery.handle(.delivered, at: Self.start).isEmpty)
        #expect(delivery.state == .delivered && delivery.attempts == 1 && delivery.attemptedAt == Self.start)
        // A retry that was due all the same changes nothing.
        #expect(delivery.handle(.retryDue, at: Self.start).isEmpty && delivery.state == .delivered)
        #expect(delivery.handle(.withdrawn, at: Self.start).isEmpty && delivery.state == .delivered)
    }

    @Test("One that is asked for again is sent now, in the place of the retry that was to come")
    func resent() {
        var delivery = fresh()
        #expect(delivery.handle(.resent, at: Self.start).isEmpty && delivery.state == .waiting)
        let retries = NotificationRetries(version: 2, in: .production, asInProduction: false)
        _ = delivery.handle(.failed(retries), at: Self.start)
        #expect(delivery.handle(.resent, at: Self.start) == [.forgetRetry, .send])
        #expect(delivery.state == .due && delivery.nextAt == nil)
        _ = delivery.handle(.delivered, at: Self.start)
        #expect(delivery.handle(.resent, at: Self.start) == [.send])
        // The attempt counts as one of them.
        let next = Self.start + .seconds(24 * 60 * 60)
        #expect(delivery.handle(.failed(retries), at: Self.start) == [.retry(at: next)])
    }

    @Test("One whose address is gone has failed, and nothing is to come") func withdrawn() {
        var delivery = fresh()
        _ = delivery.handle(
            .failed(NotificationRetries(version: 2, in: .production, asInProduction: false)), at: Self.start)
        #expect(delivery.handle(.withdrawn, at: Self.start) == [.forgetRetry])
        #expect(delivery.state == .failed && delivery.nextAt == nil)
        #expect(delivery.handle(.retryDue, at: Self.start).isEmpty && delivery.state == .failed)
    }

    @Test("X7: An attempt outlives whatever else happens, and what is withdrawn during one is not tried again")
    func underWay() {
        let retries = NotificationRetries(version: 2, in: .production, asInProduction: false)
        let events: [NotificationDelivery.Event] = [.delivered, .failed(retries), .retryDue, .resent, .withdrawn]
        #expect(events.map(\.endsAttempt) == [true, true, false, false, false])
        var (taken, refused) = (fresh(), fresh())
        #expect(taken.handle(.withdrawn, at: Self.start).isEmpty && refused.handle(.withdrawn, at: Self.start).isEmpty)
        #expect(taken.handle(.delivered, at: Self.start).isEmpty && taken.state == .delivered)
        #expect(refused.handle(.failed(retries), at: Self.start).isEmpty)
        #expect(refused.state == .failed && refused.attempts == 1 && refused.nextAt == nil)
    }

    @Test("X7: Version 1 has a form of what it knew, and none of what is newer")
    func version1() {
        typealias Row = (NotificationType, NotificationSubtype?, Bool, NotificationTypeV1?)
        let table: [Row] = [
            (.subscribed, .initialBuy, true, .initialBuy), (.subscribed, .resubscribe, true, .interactiveRenewal),
            (.didChangeRenewalPreference, .upgrade, true, .interactiveRenewal),
            (.didChangeRenewalPreference, .downgrade, true, .didChangeRenewalPreference),
            (.didChangeRenewalPreference, nil, true, .didChangeRenewalPreference),
            (.didChangeRenewalStatus, .autoRenewDisabled, true, .didChangeRenewalStatus),
            (.didRenew, nil, true, .didRenew), (.didRenew, .billingRecovery, true, .didRecover),
            (.didFailToRenew, .gracePeriod, true, .didFailToRenew),
            (.priceIncrease, .pending, true, .priceIncreaseConsent), (.priceIncrease, .accepted, true, nil),
            (.refund, nil, true, .cancel), (.refund, nil, false, .refund), (.revoke, nil, true, .revoke),
            (.consumptionRequest, nil, false, .consumptionRequest), (.expired, .voluntary, true, nil),
            (.gracePeriodExpired, nil, true, nil), (.oneTimeCharge, nil, false, nil), (.test, nil, false, nil),
            (.renewalExtended, nil, true, nil), (.refundReversed, nil, true, nil), (.refundDeclined, nil, true, nil),
            (.rescindConsent, nil, false, nil), (.renewalExtension, .summary, false, nil),
        ]
        for (type, subtype, renews, expected) in table {
            #expect(NotificationTypeV1(type, subtype, renews: renews) == expected, "\(type) \(subtype?.rawValue ?? "")")
        }
        #expect(Set(table.compactMap(\.3)) == NotificationTypeV1.known)
    }
}
