import StoreDatabase
import StoreLog
package import StoreModel
import StoreRules

/// Drives refunds along: the intent is kept, then the processor is asked, then what it says is taken in.
package struct RefundRoad: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Gives back what was paid for a transaction. A refund that has no answer yet is asked for again later.
    package func refund(_ id: TransactionID, reason: RevocationReason) async throws -> StoredRefund {
        let (times, number) = (store.clocks.now, try await store.numbers.next(.refunds))
        let opened = try await store.database.write {
            try Refunds.open(id, as: number, reason: reason, at: times, in: $0)
        }
        return try await drive(opened)
    }

    /// Looks after a refund that nobody drove to its end.
    package func look(after id: Int64) async throws -> StoredRefund? {
        guard let found = try await store.database.read({ try Refunds.find(id, in: $0) }) else { return nil }
        return try await drive(found)
    }

    private func drive(_ refund: StoredRefund) async throws -> StoredRefund {
        guard refund.state == .refunding else { return refund }
        let event: Refund.Event
        do {
            switch try await store.processor.refund(
                key: "refund/\(refund.id)", reference: refund.capture, amount: refund.amount)
            {
            case .refunded(let reference): event = .refunded(reference: reference)
            case .failed(let refusal): event = .refused(code: refusal.rawValue)
            }
        } catch {
            store.log.warning(
                "processor.failed", "The processor gave no answer that counts.",
                ["refund": .number(refund.id), "reason": "\(error)"])
            guard error.isCertainlyNotCarriedOut, error.code != .notSent else { return refund }
            event = .refused(code: error.code.rawValue)
        }
        let (times, entry) = (store.clocks.now, try await store.numbers.next(.ledgerEntries))
        return try await store.database.write {
            try Refunds.handle(event, of: refund.id, ledgerEntry: entry, at: times, in: $0)
        } ?? refund
    }
}
