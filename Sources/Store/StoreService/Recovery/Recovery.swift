package import StoreDatabase
import StoreLog
import StoreModel
import StoreRules

/// Looks after what was under way when somebody stopped: at the start of a store everything at once, later what is due.
package struct Recovery: Sendable {
    private let store: EnvironmentStore
    private let purchases: PurchaseRoad
    private let refunds: RefundRoad

    private static let page = 200
    /// How many are looked after at a time: a processor that does not answer must not hold up all the others.
    private static let width = 8
    /// How often and when it is asked again what has no answer. It never gives up: money may be held.
    private static let retries = RetrySchedule.doubling(from: 20_000, upTo: 600_000, attempts: 100_000)

    package init(_ store: EnvironmentStore) {
        self.store = store
        purchases = PurchaseRoad(store)
        refunds = RefundRoad(store)
    }

    /// Asks the processor about all that had no answer. What still has none has its turn later.
    package func run() async throws {
        var count = 0
        var last: PurchaseID?
        while true {
            let after = last
            let page = try await store.database.read {
                try Purchases.underWay(after: after, limit: Self.page, in: $0)
            }
            try await Self.each(page) { _ = try await purchases.look(after: $0) }
            count += page.count
            guard page.count == Self.page else { break }
            last = page.last
        }
        var refund: Int64 = 0
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

    /// The handlers of the work that purchases and refunds leave behind.
    package var handlers: [WorkHandler] {
        [
            WorkHandler(Purchases.work, retries: Self.retries) { [purchases] turn in
                guard let id = PurchaseID(turn.work.subject), let purchase = try await purchases.look(after: id) else {
                    return .done
                }
                if purchase.state.isFinal { return .done }
                // Whoever took it further has scheduled its next turn, which made this one void.
                if purchase.state.awaitsProcessor { throw Unanswered() }
                return .again(at: min(turn.at + PurchaseLimits.actionInquiry, max(purchase.expiresAt, turn.at)))
            },
            WorkHandler(Refunds.work, retries: Self.retries) { [refunds] turn in
                guard let id = Int64(turn.work.subject), let refund = try await refunds.look(after: id) else {
                    return .done
                }
                if refund.state == .refunding { throw Unanswered() }
                return .done
            },
            WorkHandler(Purchases.echo, retries: Self.retries) { [purchases] turn in
                guard let id = PurchaseID(turn.work.subject), let next = try await purchases.listen(for: id) else {
                    return .done
                }
                return .again(at: next)
            },
        ]
    }

    /// The processor has not said what became of it: it is asked again, ever more rarely.
    private struct Unanswered: Error, CustomStringConvertible {
        let description = "the processor has given no answer that counts yet"
    }
}
