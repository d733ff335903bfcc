import StoreModel
import Testing

@testable import StoreRules

/// A subscription that tests push through time.
struct Life {
    var it: Subscription
    var now: Instant
    let plan: SubscriptionPlan
    let terms: SubscriptionTerms
    /// What a developer's server is told.
    private(set) var told: [String]

    init(
        _ start: String, period: BillingPeriod = .oneMonth, offer: OfferTerms? = nil,
        terms: SubscriptionTerms = SubscriptionTerms(scale: .calendar)
    ) throws {
        now = Self.day(start)
        plan = SubscriptionPlan(
            item: try ItemID(number: 1001), product: try ProductID(parsing: "com.example.monthly"), period: period,
            level: 2, price: Money(minorUnits: 499, currency: .usd))
        self.terms = terms
        it = Subscription(plan, offer, terms, at: now)
        told = Subscription.Event.bought(plan, offer).notices(from: nil, to: it, at: now).map(\.description)
    }

    /// Another plan of the group.
    func plan(level: Int?, period: BillingPeriod = .oneMonth) -> SubscriptionPlan {
        // Safe: the numbers are constants in the range of both ids.
        try! SubscriptionPlan(
            item: ItemID(number: 2000 + Int64(level ?? 0)),
            product: ProductID(parsing: "com.example.other\(level ?? 0)"),
            period: period, level: level, price: Money(minorUnits: 999, currency: .usd))
    }

    var due: String? { it.nextDue.map(Self.text) }
    var period: String { "\(Self.text(it.startsAt)) – \(Self.text(it.endsAt))" }

    @discardableResult
    mutating func handle(_ event: Subscription.Event) throws -> [Subscription.Action] {
        let before = it
        let actions = try it.handle(event, by: terms, at: now)
        told += event.notices(from: before, to: it, at: now).map(\.description)
        return actions
    }

    /// What was told since this was asked last.
    mutating func news() -> [String] {
        defer { told = [] }
        return told
    }

    /// Lets time go by until something is due.
    mutating func due(isSold: Bool = true, cents: Int64? = nil) throws -> [Subscription.Action] {
        now = try #require(it.nextDue)
        let price = cents.map { Money(minorUnits: $0, currency: .usd) }
        return try handle(.due(isSold: isSold, price: price))
    }

    /// Renews it once.
    mutating func renew() throws {
        guard case .renew(let plan, let offer) = try due().first else {
            Issue.record("it does not renew: \(it.state)")
            return
        }
        try handle(.paid(plan, offer))
    }

    /// Lets the first attempt of a period be declined.
    mutating func decline() throws {
        _ = try due()
        try handle(.declined)
    }

    static func day(_ text: String) -> Instant {
        // Safe: tests write days that exist.
        try! Instant(rfc3339: text + "T00:00:00Z")
    }

    static func text(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }
}
