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

    /// How a purchase stands: with the transaction that came of it.
    package struct Standing: Sendable {
        package let purchase: StoredPurchase
        package let bought: StoreTransaction?

        fileprivate init(_ purchase: StoredPurchase, in transaction: any ReadTransaction) throws {
            self.purchase = purchase
            bought = try purchase.transaction.flatMap { try Transactions.find($0, in: transaction) }
        }
    }

    /// Says what happened to a purchase, and drives it as far as it goes without anybody else.
    ///
    /// - Parameter choose: finds the purchase and says what happened, in the transaction that takes it in; nil if nothing
    ///   did.
    package func handle(
        request: String?,
        _ choose: @escaping @Sendable (any WriteTransaction, StoreTimes) throws -> (StoredPurchase, Purchase.Event?)
    ) async throws -> StoredPurchase {
        try await handle(request: request) { transaction, times in
            let (purchase, event) = try choose(transaction, times)
            return ((), purchase, event)
        }.1.purchase
    }

    /// The same for somebody whom the transaction finds out as well.
    package func handle<Asker: Sendable>(
        request: String?,
        _ choose:
            @escaping @Sendable (any WriteTransaction, StoreTimes) throws -> (
                Asker, StoredPurchase, Purchase.Event?
            )
    ) async throws -> (Asker, Standing) {
        let (times, drawn) = (store.clocks.now, try await store.draw())
        let (asker, standing, isFirst) = try await store.database.write { transaction in
            let (asker, found, event) = try choose(transaction, times)
            guard let event else { return (asker, try Standing(found, in: transaction), false) }
            do {
                let (purchase, actions) = try Purchases.handle(
                    event, of: found, drawn, at: times, request: request, in: transaction)
                return (asker, try Standing(purchase, in: transaction), !actions.isEmpty)
            } catch let error as PurchaseError {
                throw ServiceError(tooLate: error.event, for: found)
            }
        }
        return (asker, try await drive(standing, isFirst: isFirst, request: request))
    }

    /// Asks the processor what a purchase is waiting for, until it waits for somebody else or no answer comes. What has no
    /// answer is asked again later; until then the purchase stays as it is.
    ///
    /// - Parameter isFirst: whether the state was entered a moment ago, here: then nobody has asked for it before.
    private func drive(_ found: Standing, isFirst: Bool, request: String?) async throws -> Standing {
        var (standing, isFirst) = (found, isFirst)
        while standing.purchase.state.awaitsProcessor {
            guard let event = await answer(to: standing.purchase, isFirst: isFirst) else { return standing }
            (standing, isFirst) = try await take(event, standing.purchase, isFirst: isFirst, request: request)
        }
        return standing
    }

    /// Looks after a purchase that nobody drove to its end: asks the processor what became of it, or ends it if it is too
    /// late.
    package func look(after id: PurchaseID) async throws -> StoredPurchase? {
        let standing = try await store.database.read { transaction in
            try Purchases.find(id, in: transaction).map { try Standing($0, in: transaction) }
        }
        guard let standing else { return nil }
        let found = standing.purchase
        var event: Purchase.Event?
        if found.state == .action {
            event = await inquire(found)
        } else if found.state.awaitsProcessor {
            return try await drive(standing, isFirst: false, request: nil).purchase
        }
        if event == nil, !found.state.isFinal, found.expiresAt <= store.clocks.wall() { event = .expired }
        guard let event else { return found }
        let (taken, isFirst) = try await take(event, found, isFirst: true, request: nil)
        return try await drive(taken, isFirst: isFirst, request: nil).purchase
    }

    /// Takes in an answer, unless somebody else has taken one in meanwhile; says whether it did.
    ///
    /// A purchase that ends although an earlier question has no answer is listened for: see ``listen(for:)``.
    private func take(
        _ event: Purchase.Event, _ known: StoredPurchase, isFirst: Bool, request: String?
    ) async throws -> (Standing, Bool) {
        let (times, drawn) = (store.clocks.now, event.maySell ? try await store.draw() : nil)
        return try await store.database.write { transaction in
            let current = try Purchases.current(known, in: transaction)
            guard current.state == known.state else { return (try Standing(current, in: transaction), false) }
            let event = try Self.heedingDeletion(event, of: current, in: transaction)
            let taken = try Purchases.handle(event, of: current, drawn, at: times, request: request, in: transaction)
            // What is under a key that somebody else used is not this purchase's.
            if case .authorisationRefused(let code) = event, !isFirst, code != ProcessorError.Code.keyReused.rawValue {
                try WorkTable.schedule(
                    Work(
                        Purchases.echo, known.id.description, dueAt: times.wall + PurchaseLimits.asking, clock: .wall),
                    in: transaction)
            }
            return (try Standing(taken.purchase, in: transaction), true)
        }
    }

    /// What the processor holds for an account that was deleted meanwhile is not taken: nobody could receive the goods.
    private static func heedingDeletion(
        _ event: Purchase.Event, of purchase: StoredPurchase, in transaction: any ReadTransaction
    ) throws -> Purchase.Event {
        guard case .authorised(let reference) = event, let customer = purchase.customer,
            try !Customers.isInUse(customer, in: transaction)
        else { return event }
        return .authorisedInVain(reference: reference, .accountGone)
    }
}
