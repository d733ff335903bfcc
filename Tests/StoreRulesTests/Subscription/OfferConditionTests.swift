import StoreModel
import StoreRules
import TestSupport
import Testing

@Suite("Who may have which offer", .bounded)
struct OfferConditionTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private static let day = Duration.seconds(24 * 60 * 60)

    private static let new = SubscriberHistory.new
    private static let paying = SubscriberHistory(hasSubscribed: false, isBeingPaid: true)
    private static let active = SubscriberHistory(hasSubscribed: true, isActive: true, paidMonths: 3)
    private static func lapsed(days: Int64, paid: Int = 3, wonBack: Int64? = nil) -> SubscriberHistory {
        SubscriberHistory(
            hasSubscribed: true, endedAt: now - day * Int(days), paidMonths: paid,
            wonBackAt: wonBack.map { now - day * Int($0) })
    }

    private static let back = OfferCondition(.winBack, paidMonths: 3, lapsedMonths: 2, waitMonths: 6)
    private static func code(_ who: Set<OfferEligibility>) -> OfferCondition {
        OfferCondition(.code, eligibility: who)
    }

    private static let table: [(OfferCondition, SubscriberHistory, Bool, String)] = [
        (.introductory, new, true, "new to the group"),
        (.introductory, active, false, "not new"),
        (.introductory, lapsed(days: 1000, paid: 0), false, "not new"),
        (.introductory, paying, false, "paying"),
        (OfferCondition(.promotional), new, false, "never had"),
        (OfferCondition(.promotional), active, true, "has a subscription"),
        (OfferCondition(.promotional), lapsed(days: 1), true, "had one"),
        (OfferCondition(.promotional), paying, false, "paying"),
        (code([]), new, true, "new"), (code([]), active, true, "has"), (code([]), lapsed(days: 1), true, "had"),
        (code([.new]), new, true, "new"), (code([.new]), active, false, "the code is for: new"),
        (code([.new]), lapsed(days: 1), false, "the code is for: new"),
        (code([.existing]), active, true, "has"), (code([.existing]), new, false, "the code is for: existing"),
        (code([.existing]), lapsed(days: 1), false, "the code is for: existing"),
        (code([.expired]), lapsed(days: 1), true, "had"), (code([.expired]), active, false, "the code is for: expired"),
        (code([.new, .expired]), active, false, "the code is for: expired, new"),
        (back, new, false, "never had"), (back, active, false, "need not be won back"),
        (back, lapsed(days: 100), true, "ended"), (back, lapsed(days: 30), false, "less than 2 months"),
        (back, lapsed(days: 100, paid: 2), false, "paid for 2 months"),
        (back, lapsed(days: 100, wonBack: 120), false, "less than 6 months"),
        (back, lapsed(days: 100, wonBack: 300), true, "ended"),
        (OfferCondition(.winBack), lapsed(days: 0, paid: 0), true, "ended"),
    ]

    @Test("X7: Each kind of offer is for those of its row, and the verdict says why", arguments: table.indices)
    func verdicts(_ index: Int) {
        let (condition, history, isEligible, reason) = Self.table[index]
        let verdict = condition.verdict(for: history, scale: .calendar, at: Self.now)
        #expect(verdict.isEligible == isEligible)
        #expect(verdict.reason.contains(reason), "\(verdict.reason)")
    }

    @Test("P42: The months of a win-back offer are as short as the tester's periods")
    func shortened() {
        let history = SubscriberHistory(
            hasSubscribed: true, endedAt: Self.now - .seconds(11 * 60), paidMonths: 3, wonBackAt: nil)
        #expect(Self.back.verdict(for: history, scale: .month(lasts: 300_000), at: Self.now).isEligible)
        #expect(!Self.back.verdict(for: history, scale: .calendar, at: Self.now).isEligible)
    }
}
