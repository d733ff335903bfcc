package import StoreDatabase
package import StoreModel

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
    package let cause: ChangeCause

    package init(_ transaction: any WriteTransaction, at times: StoreTimes, by cause: ChangeCause) {
        self.transaction = transaction
        self.times = times
        self.cause = cause
    }

    /// By the clock of the customer: when things are bought, expire and are refunded.
    package var commerce: Instant { times.commerce }
    /// By the wall clock: tokens, codes, recovery.
    package var wall: Instant { times.wall }
}

/// Who changes something, and by which request: known before the transaction begins.
package struct ChangeCause: Sendable {
    package let actor: Actor
    /// The id of the request; nil for what no request brings about.
    package let request: String?
    private let clocks: StoreClocks

    /// Whose act a change is; more may be added.
    package struct Actor: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer, on a device.
        package static let customer = Actor(rawValue: "customer")
        /// Somebody who looks after the store.
        package static let `operator` = Actor(rawValue: "operator")
        /// The store itself: work that is due, recovery, an answer of the processor.
        package static let store = Actor(rawValue: "store")
    }

    package init(_ actor: Actor, request: String? = nil, clocks: StoreClocks) {
        self.actor = actor
        self.request = request
        self.clocks = clocks
    }

    /// A change by the clock of a customer; by that of the environment where there is none.
    package func change(of customer: CustomerID?, in transaction: any WriteTransaction) throws -> Change {
        change(by: try customer.flatMap { try CustomerClock.of($0, in: transaction) }, transaction)
    }

    /// A change by a clock that was read already.
    func change(by clock: CustomerClock?, _ transaction: any WriteTransaction) -> Change {
        Change(transaction, at: clocks.now(by: clock), by: self)
    }

    /// A change of what a device sees, by the clock of the customer who is signed in there.
    package func change(in scope: DeviceScope, _ transaction: any WriteTransaction) -> Change {
        change(by: scope.clock, transaction)
    }
}

extension EnvironmentStore {
    /// The cause of changes by this actor and request.
    package func cause(_ actor: ChangeCause.Actor, request: String? = nil) -> ChangeCause {
        ChangeCause(actor, request: request, clocks: clocks)
    }
}
