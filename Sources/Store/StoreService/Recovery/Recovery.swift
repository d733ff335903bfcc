import StoreCatalogue
package import StoreDatabase
import StoreLog
import StoreModel
import StoreRules

/// Looks after what was under way when somebody stopped: at the start of a store everything at once, later what is due.
package struct Recovery: Sendable {
    private let store: EnvironmentStore
    private let checkout: Checkout
    private let charges: ChargeDriver
    private let refunds: RefundDriver
    private let renewals: Renewals
    private let removal: Removal

    private static let page = 200
    /// How many are looked after at a time: a processor that does not answer must not hold up all the others.
    private static let width = 8
    /// How often and when it is asked again what has no answer. It never gives up: money may be held.
    private static let retries = RetrySchedule.doubling(from: 20_000, upTo: 600_000, attempts: 100_000)

    package init(_ store: EnvironmentStore) {
        self.store = store
        checkout = Checkout(store)
        charges = ChargeDriver(store)
        refunds = RefundDriver(store)
        renewals = Renewals(store)
        removal = Removal(store.policy.retention(in: store.environment), of: store.database)
    }

    /// Lets what processes have in hand that were killed go on at once, and not only when their leases end.
    ///
    /// Only for a process that has the database for itself.
    package func takeOver() async throws {
        try await store.database.write { transaction in
            try WorkTable.reclaimAll(in: transaction)
            try NotificationDeliveries.reclaimAll(in: transaction)
            try transaction.execute("UPDATE clock SET leased_until = 0 WHERE leased_until IS NOT NULL")
        }
    }

    /// Asks the processor about all that had no answer. What still has none has its turn later.
    package func run() async throws {
        var count = 0
        var last: ChargeID?
        while true {
            let after = last
            let page = try await store.database.read {
                try Charges.underWay(after: after, limit: Self.page, in: $0)
            }
            try await Self.each(page) { _ = try await charges.look(after: $0) }
            count += page.count
            guard page.count == Self.page else { break }
            last = page.last
        }
        var refund: RefundID?
        while true {
            let after = refund
            let page = try await store.database.read { try Refunds.underWay(after: after, limit: Self.page, in: $0) }
            try await Self.each(page) { _ = try await refunds.look(after: $0) }
            count += page.count
            guard page.count == Self.page, let end = page.last else { break }
            refund = end
        }
        if count > 0 {
            store.log.info(
                "recovery.done", "Looked after what was under way.",
                ["environment": .text(store.environment.rawValue), "count": .number(Int64(count))])
        }
    }

    private static func each<Subject: Sendable>(
        _ subjects: [Subject], _ body: @escaping @Sendable (Subject) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, subject) in subjects.enumerated() {
                if index >= width { try await group.next() }
                group.addTask { try await body(subject) }
            }
            try await group.waitForAll()
        }
    }

    /// The handlers of the work that purchases, charges and refunds leave behind.
    package var handlers: [WorkHandler] {
        [
            WorkHandler(Purchases.work, retries: Self.retries) { [checkout] turn in
                guard let id = PurchaseID(turn.work.subject),
                    let next = try await checkout.expire(id, at: turn.at, by: turn.work.clock)
                else { return .done }
                return .again(at: next)
            },
            WorkHandler(Charges.work, retries: Self.retries) { [charges] turn in
                guard let id = ChargeID(turn.work.subject), let charge = try await charges.look(after: id) else {
                    return .done
                }
                if charge.state.awaitsProcessor { throw Unanswered() }
                guard charge.state.isUnderWay else { return .done }
                // What took it further has scheduled its next turn, which made this one void.
                return .again(at: min(turn.at + ChargeLimits.actionInquiry, max(charge.expiresAt, turn.at)))
            },
            WorkHandler(Charges.lateWork, retries: Self.retries) { [charges] turn in
                guard let id = ChargeID(turn.work.subject),
                    let next = try await charges.releaseLateAuthorisation(of: id)
                else { return .done }
                return .again(at: next)
            },
            WorkHandler(Refunds.work, retries: Self.retries) { [refunds] turn in
                guard let id = RefundID(turn.work.subject), let refund = try await refunds.look(after: id) else {
                    return .done
                }
                if refund.rules.isPending { throw Unanswered() }
                return .done
            },
            WorkHandler(DeviceHold.work, retries: Self.retries) { [store] turn in
                guard let id = TransactionID(turn.work.subject) else { return .done }
                let (cause, patience) = (store.cause(.store), store.policy.patience)
                let next = try await store.database.write { transaction in
                    let customer = try Transactions.find(id, in: transaction)?.customerID
                    return try DeviceHold.offer(id, patience, cause.change(of: customer, in: transaction))
                }
                return next.map(WorkOutcome.again(at:)) ?? .done
            },
            WorkHandler(Subscriptions.work, retries: Self.retries) { [renewals] turn in try await renewals.turn(turn) },
            WorkHandler(FamilySharing.work, retries: Self.retries) { [store] turn in
                try await FamilySharing(store).run(turn.work.subject)
                return .done
            },
            WorkHandler(MassExtensions.work, retries: Self.retries) { [store] turn in
                try await MassExtensions(store).turn(turn)
            },
            WorkHandler(SpentTesters.work, retries: Self.retries) { [store] turn in
                if let tester = CustomerID(turn.work.subject) { try await SpentTesters(store).spend(tester) }
                return .done
            },
            WorkHandler(
                NotificationDeliveries.work, retries: Self.retries,
                write: { [store] turn, transaction in
                    try NotificationDeliveries.retry(turn, by: store.cause(.store), in: transaction)
                    return .done
                }),
            WorkHandler(Removal.work, retries: Self.retries) { [removal] turn in
                .again(at: try await removal.turn(at: turn.at))
            },
        ]
    }

    /// The processor has given no answer yet: it is asked again, ever more rarely.
    private struct Unanswered: Error, CustomStringConvertible {
        let description = "the processor has given no answer that counts yet"
    }
}
