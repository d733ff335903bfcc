package import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// What every function needs that changes something: the transaction, the time of the customer it concerns, and who does it.
///
/// It is made inside the closure of a write, after it is known whom the change concerns:
///
/// ```swift
/// try await store.database.write { transaction in
///     let purchase = try Purchases.require(id, in: transaction)
///     let change = try cause.change(of: purchase.customer, in: transaction)
///     try Purchases.handle(.cancelled, of: purchase, change)
/// }
/// ```
package struct Change {
    package let transaction: any WriteTransaction
    /// This moment, by the clock of the customer and by the wall clock.
    package let times: StoreTimes
    /// The clock that the customer lives by: what becomes due for the customer is due by it.
    package let clock: ClockID
    package let cause: ChangeCause
    /// Who does it; the customer by number.
    package let actor: Actor

    fileprivate init(
        _ transaction: any WriteTransaction, at times: StoreTimes, on clock: ClockID, by cause: ChangeCause,
        _ actor: Actor
    ) {
        self.transaction = transaction
        self.times = times
        self.clock = clock
        self.cause = cause
        self.actor = actor
    }

    /// By the clock of the customer: when things are bought, expire and are refunded.
    package var commerce: Instant { times.commerce }
    /// By the wall clock: tokens, codes, recovery.
    package var wall: Instant { times.wall }

    /// By which rules the subscriptions of a customer live.
    func terms(of customer: CustomerID, grace: GracePeriod? = nil) throws -> SubscriptionTerms {
        try cause.terms(of: customer, grace: grace, in: transaction)
    }
}

/// Who changes something, and by which request: known before the transaction begins.
///
/// Every ``Change`` is made by one, and is refused where its actor may not do the work in this environment.
package struct ChangeCause: Sendable {
    package let actor: Actor
    let environment: StoreEnvironment
    /// The work that it is of those who look after the store.
    private var work = OperatorWork.customers
    /// The id of the request; nil for what no request brings about.
    package let request: String?
    private let clocks: StoreClocks
    /// How subscriptions live whose customer has no rate of renewals.
    private let subscriptions: SubscriptionTerms
    /// What every clock shows at these changes; nil for what it does show.
    private var moment: Instant?

    fileprivate init(
        _ actor: Actor, in environment: StoreEnvironment, request: String?, clocks: StoreClocks,
        subscriptions: SubscriptionTerms
    ) {
        self.actor = actor
        self.environment = environment
        self.request = request
        self.clocks = clocks
        self.subscriptions = subscriptions
    }

    /// By which rules the subscriptions of a customer live.
    ///
    /// - Parameter grace: the grace period of the app, where it matters.
    func terms(
        of customer: CustomerID, grace: GracePeriod?, in transaction: any ReadTransaction
    ) throws -> SubscriptionTerms {
        subscriptions.with(
            try PeriodScale.own(of: customer, in: transaction) ?? subscriptions.scale, grace: grace)
    }

    /// How long the periods of a customer's subscriptions last; those of the environment where nobody is known.
    func scale(of customer: CustomerID?, in transaction: any ReadTransaction) throws -> PeriodScale {
        try customer.map { try terms(of: $0, grace: nil, in: transaction).scale } ?? subscriptions.scale
    }

    /// A change by the clock of a customer; by that of the environment where there is none.
    package func change(of customer: CustomerID?, in transaction: any WriteTransaction) throws -> Change {
        let clock =
            try customer.map { try CustomerClock.of($0, in: transaction) }
            ?? CustomerClock.find(.environment, in: transaction)
        return try change(of: customer, by: clock, transaction)
    }

    /// A change by a clock that was read already.
    func change(
        of customer: CustomerID?, by clock: CustomerClock?, _ transaction: any WriteTransaction
    ) throws(CatalogueError) -> Change {
        try require(work)
        let now = clocks.now(by: clock)
        let times = StoreTimes(commerce: moment ?? now.commerce, wall: now.wall)
        return Change(transaction, at: times, on: clock?.id ?? .environment, by: self, actor.concerning(customer))
    }

    /// Refuses what the actor may not do in this environment. What customers do is limited by what is theirs.
    package func require(_ work: OperatorWork) throws(CatalogueError) {
        guard ![.customer, .approver].contains(actor.kind) else { return }
        try actor.require(work, in: .environment(environment))
    }

    /// The same for work that is of another kind.
    package func working(on work: OperatorWork) -> ChangeCause {
        var cause = self
        cause.work = work
        return cause
    }

    /// The cause of changes that happen at a fixed moment, whatever the clocks of their customers show: a turn of work happens
    /// when it was due, also while a clock is advanced past it.
    package func at(_ commerce: Instant) -> ChangeCause {
        var cause = self
        cause.moment = commerce
        return cause
    }

    /// A change of what a device sees, by the clock of the customer who is signed in there.
    package func change(
        in scope: DeviceScope, _ transaction: any WriteTransaction
    ) throws(CatalogueError) -> Change {
        try change(of: scope.customer, by: scope.clock, transaction)
    }
}

extension PeriodScale {
    /// How long the periods of a customer last who has a rate of renewals.
    static func own(of customer: CustomerID, in transaction: any ReadTransaction) throws -> PeriodScale? {
        try transaction.optional("SELECT renewal_rate FROM customer WHERE id = $1", customer) {
            try $0.value(0, as: String?.self)
        }.flatMap { $0 }.flatMap(PeriodScale.init)
    }

    /// The same of several customers; those that have none are left out.
    static func own(
        ofAll customers: some Sequence<CustomerID>, in transaction: any ReadTransaction
    ) throws -> [CustomerID: PeriodScale] {
        let found = try transaction.query(
            "SELECT id, renewal_rate FROM customer WHERE id IN \(.numbers)", of: customers
        ) {
            (try $0.value(0, as: CustomerID.self), try $0.value(1, as: String?.self).flatMap(PeriodScale.init))
        }
        return Dictionary(uniqueKeysWithValues: found).compactMapValues(\.self)
    }
}

extension EnvironmentStore {
    /// The cause of changes by this actor and request.
    package func cause(_ actor: Actor, request: String? = nil) -> ChangeCause {
        ChangeCause(actor, in: environment, request: request, clocks: clocks, subscriptions: subscriptions)
    }
}

/// Where an environment reads the time.
package struct StoreClocks: Sendable {
    package let commerce: @Sendable () -> Instant
    package let wall: @Sendable () -> Instant
    /// The clock that somebody has set for the environment, as this process knows it.
    let own = KnownClock()

    /// - Parameters:
    ///   - commerce: what the environment shows as long as nobody has set its clock.
    ///   - wall: the time on the wall.
    package init(commerce: @escaping @Sendable () -> Instant, wall: @escaping @Sendable () -> Instant) {
        let own = own
        self.commerce = { own.clock?.time(at: wall()) ?? commerce() }
        self.wall = wall
    }

    /// This moment, by both.
    package var now: StoreTimes { StoreTimes(commerce: commerce(), wall: wall()) }

    /// This moment by the clock of a customer; by that of the environment where the customer has none.
    package func now(by clock: CustomerClock?) -> StoreTimes {
        let wall = wall()
        return StoreTimes(commerce: clock?.time(at: wall) ?? commerce(), wall: wall)
    }
}

/// The two times of one moment.
package struct StoreTimes: Hashable, Sendable {
    /// When things are bought, expire and are refunded.
    package let commerce: Instant
    /// For tokens, codes and recovery.
    package let wall: Instant

    package init(commerce: Instant, wall: Instant) {
        self.commerce = commerce
        self.wall = wall
    }
}
