package import StoreDatabase
import StoreLog
package import StoreModel
package import StoreRules

/// Drives purchases along: keeps each intent, asks the processor, takes in what it says.
///
/// Anybody may drive a purchase at any time, also two at once: the processor answers a repeated question as the first one,
/// and an answer that comes twice is taken in once.
package struct PurchaseRoad: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Says what happened to a purchase, and drives it as far as it goes without anybody else.
    ///
    /// - Parameter choose: finds the purchase and says what happened, in the transaction that takes it in; nil if nothing
    ///   did.
    package func handle(
        request: String?,
        _ choose: @escaping @Sendable (any WriteTransaction, StoreTimes) throws -> (StoredPurchase, Purchase.Event?)
    ) async throws -> StoredPurchase {
        let (times, drawn) = (store.clocks.now, try await store.draw())
        let (purchase, isFirst) = try await store.database.write { transaction in
            let (found, event) = try choose(transaction, times)
            guard let event else { return (found, false) }
            do {
                let (purchase, actions) = try Purchases.handle(
                    event, of: found, drawn, at: times, request: request, in: transaction)
                return (purchase, !actions.isEmpty)
            } catch let error as PurchaseError {
                throw ServiceError(tooLate: error.event, for: found)
            }
        }
        return try await drive(purchase, isFirst: isFirst, request: request)
    }

    /// Asks the processor what a purchase is waiting for, until it waits for somebody else or no answer comes. What has no
    /// answer is asked again later; until then the purchase stays as it is.
    ///
    /// - Parameter isFirst: whether the state was entered a moment ago, here: then nobody has asked for it before.
    private func drive(_ found: StoredPurchase, isFirst: Bool, request: String?) async throws -> StoredPurchase {
        var (purchase, isFirst) = (found, isFirst)
        while purchase.state.awaitsProcessor {
            guard let event = await answer(to: purchase, isFirst: isFirst) else { return purchase }
            (purchase, isFirst) = try await take(
                event, purchase.id, after: purchase.state, isFirst: isFirst, request: request)
        }
        return purchase
    }

    /// Looks after a purchase that nobody drove to its end: asks the processor what became of it, or ends it if it is too
    /// late.
    package func look(after id: PurchaseID) async throws -> StoredPurchase? {
        guard let found = try await store.database.read({ try Purchases.find(id, in: $0) }) else { return nil }
        var event: Purchase.Event?
        if found.state == .action {
            event = await inquire(found)
        } else if found.state.awaitsProcessor {
            return try await drive(found, isFirst: false, request: nil)
        }
        if event == nil, !found.state.isFinal, found.expiresAt <= store.clocks.wall() { event = .expired }
        guard let event else { return found }
        let (purchase, isFirst) = try await take(event, id, after: found.state, isFirst: true, request: nil)
        return try await drive(purchase, isFirst: isFirst, request: nil)
    }

    /// Takes in an answer, unless somebody else has taken one in meanwhile; says whether it did.
    ///
    /// A purchase that ends although an earlier question has no answer is listened for: see ``listen(for:)``.
    private func take(
        _ event: Purchase.Event, _ id: PurchaseID, after state: Purchase.State, isFirst: Bool, request: String?
    ) async throws -> (StoredPurchase, Bool) {
        let (times, drawn) = (store.clocks.now, event.maySell ? try await store.draw() : nil)
        return try await store.database.write { transaction in
            let current = try Purchases.require(id, in: transaction)
            guard current.state == state else { return (current, false) }
            let taken = try Purchases.handle(event, of: current, drawn, at: times, request: request, in: transaction)
            // What is under a key that somebody else used is not this purchase's.
            if case .authorisationRefused(let code) = event, !isFirst, code != ProcessorError.Code.keyReused.rawValue {
                try WorkTable.schedule(
                    Work(Purchases.echo, id.description, dueAt: times.wall + PurchaseLimits.asking, clock: .wall),
                    in: transaction)
            }
            return (taken.purchase, true)
        }
    }
}
