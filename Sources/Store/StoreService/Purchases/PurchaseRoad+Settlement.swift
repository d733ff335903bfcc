import StoreDatabase
import StoreModel
import StoreRules

extension PurchaseRoad {
    /// The most bytes of a reason.
    package static let longestReason = 400

    /// Ends a purchase whose money the processor does not let go of, because whoever looks after the store has seen to it.
    ///
    /// The processor is asked once more, for what it knows weighs more than what somebody says. The reason stays in the
    /// history of the purchase.
    package func settleAsVoided(
        _ name: String, because reason: String, request: String?
    ) async throws -> StoredPurchase {
        guard (1...Self.longestReason).contains(reason.utf8.count) else {
            throw InvalidValue(
                .outOfRange, subject: "because", value: reason, rule: "has 1 to \(Self.longestReason) bytes")
        }
        let named = try await store.database.read { try Purchases.named(name, in: $0) }
        if named.state == .voiding { _ = try await look(after: named.id) }
        let times = store.clocks.now
        return try await store.database.write { transaction in
            let current = try Purchases.require(named.id, in: transaction)
            guard current.state == .voiding else { throw ServiceError(tooLate: .voided, for: current) }
            try Purchases.add(
                "settled-as-voided", to: current.id, detail: reason, at: times.commerce, request: request,
                in: transaction)
            return try Purchases.handle(
                .voided, of: try Purchases.require(current.id, in: transaction), at: times, request: request,
                in: transaction
            ).purchase
        }
    }
}
