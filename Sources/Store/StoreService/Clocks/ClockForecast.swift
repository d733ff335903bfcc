package import StoreCatalogue
package import StoreModel
package import StoreRules

/// What would happen if a clock were advanced.
package struct ClockForecast: Sendable {
    package let from: Instant
    package let goal: Instant
    /// The tester whose clock it is; nil for that of the environment.
    package let tester: CustomerID?
    /// Periods that begin, and what they cost together, by currency.
    package private(set) var renewals = 0
    package private(set) var charged: [Money] = []
    /// Attempts that are declined, or have nothing to pay with.
    package private(set) var unpaid = 0
    /// Subscriptions that go on unpaid for a while, or stop counting while they are tried to be paid.
    package private(set) var graces = 0
    package private(set) var retries = 0
    /// Subscriptions that end, by the reason.
    package private(set) var endings: [ExpirationIntent: Int] = [:]
    /// Offers of customers after which they pay the price.
    package private(set) var offerEndings = 0
    /// Purchases that a parent has not approved in time.
    package internal(set) var approvalEndings = 0
    /// Notifications that are tried once more. Whether more tries follow is up to the server that takes them.
    package internal(set) var notifications = 0
    /// Prices of the catalogue that begin, and offers that nobody can take any more.
    package internal(set) var prices: [PriceStart] = []
    package internal(set) var closedOffers: [OfferEnd] = []
    /// What happens to subscriptions, the earliest first; at most ``mostSteps`` of ``stepCount``.
    package private(set) var steps: [Step] = []
    package private(set) var stepCount = 0
    /// Whether there is more than is looked at: the numbers are then the least there will be.
    package internal(set) var isCut = false

    package static let mostSteps = 100
    /// Subscriptions and their turns that are looked at.
    static let mostSubscriptions = 20_000
    static let mostTurns = 200_000
    /// Prices and offers of the catalogue that are named.
    static let mostEntries = 100

    package struct Step: Hashable, Sendable {
        package let at: Instant
        package let customer: CustomerID
        package let original: TransactionID
        package let product: ProductID
        package let event: SubscriptionForecast.Event
    }

    package init(from start: Instant, until goal: Instant, of tester: CustomerID?) {
        (from, self.goal, self.tester) = (start, goal, tester)
    }

    /// Counts what happens to a subscription.
    mutating func add(_ forecast: SubscriptionForecast, of stored: StoredSubscription) {
        isCut = isCut || forecast.isCut
        for step in forecast.steps {
            count(step.event)
            stepCount += 1
            steps.append(
                Step(
                    at: step.at, customer: stored.scope.customer, original: stored.original,
                    product: stored.rules.plan.product, event: step.event))
        }
        // Most are not shown: those that come late go, now and then.
        if steps.count > 10 * Self.mostSteps { sortSteps() }
    }

    /// Brings the steps in their order, and keeps the earliest.
    mutating func sortSteps() {
        steps.sort { ($0.at, $0.customer.number) < ($1.at, $1.customer.number) }
        steps.removeLast(max(0, steps.count - Self.mostSteps))
    }

    private mutating func count(_ event: SubscriptionForecast.Event) {
        switch event {
        case .renewed(let price, let endsOffer):
            renewals += 1
            offerEndings += endsOffer ? 1 : 0
            charge(price)
        case .unpaid: unpaid += 1
        case .grace: graces += 1
        case .retry: retries += 1
        case .expired(let intent): endings[intent, default: 0] += 1
        }
    }

    private mutating func charge(_ price: Money) {
        guard !price.isZero else { return }
        guard let index = charged.firstIndex(where: { $0.currency == price.currency }) else {
            charged.append(price)
            return charged.sort { $0.currency.code < $1.currency.code }
        }
        charged[index] = Money(minorUnits: charged[index].minorUnits + price.minorUnits, currency: price.currency)
    }

    package var endingCount: Int { endings.values.reduce(0, +) }

    /// What will happen in one sentence: "12 renewals become due (59.88 USD), 3 offers end, 1 price begins."
    package var sentence: String {
        func count(_ number: Int, _ one: String, _ more: String) -> String? {
            number == 0 ? nil : "\(number) \(number == 1 ? one : more)"
        }
        let money = charged.map { "\($0)" }.joined(separator: ", ")
        let parts = [
            count(renewals, "renewal becomes due", "renewals become due").map {
                $0 + (money.isEmpty ? "" : " (\(money))")
            },
            count(unpaid, "payment is declined", "payments are declined"),
            count(graces, "subscription goes on in its grace period", "subscriptions go on in their grace periods"),
            count(
                retries, "subscription stops while it is tried to be paid",
                "subscriptions stop while they are tried to be paid"),
            count(endingCount, "subscription ends", "subscriptions end"),
            count(offerEndings, "offer of a customer ends", "offers of customers end"),
            count(prices.count, "price begins", "prices begin"),
            count(closedOffers.count, "offer closes", "offers close"),
            count(approvalEndings, "purchase is not approved in time", "purchases are not approved in time"),
            count(notifications, "notification is sent again", "notifications are sent again"),
        ].compactMap(\.self)
        guard !parts.isEmpty else { return "Nothing becomes due." }
        return (isCut ? "At least " : "") + parts.joined(separator: ", ") + "."
    }
}
