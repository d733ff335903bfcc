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
        return try await drive(opened, isFirst: opened.id == number)
    }

    /// Looks after a refund that nobody drove to its end.
    package func look(after id: Int64) async throws -> StoredRefund? {
        guard let found = try await store.database.read({ try Refunds.find(id, in: $0) }) else { return nil }
        return try await drive(found, isFirst: false)
    }

    private func drive(_ refund: StoredRefund, isFirst: Bool) async throws -> StoredRefund {
        guard refund.state == .refunding, let event = await answer(to: refund, isFirst: isFirst) else { return refund }
        let (times, entry) = (store.clocks.now, try await store.numbers.next(.ledgerEntries))
        return try await store.database.write {
            try Refunds.handle(event, of: refund.id, ledgerEntry: entry, at: times, in: $0)
        } ?? refund
    }

    /// What the processor says; nil if that is not known.
    private func answer(to refund: StoredRefund, isFirst: Bool) async -> Refund.Event? {
        let key = Self.key(refund.id)
        do {
            return Refund.Event(
                try await store.processor.refund(key: key, reference: refund.capture, amount: refund.amount))
        } catch {
            store.log.warning(
                "processor.failed", "The processor gave no answer that counts.",
                ["refund": .number(refund.id), "reason": "\(error)"])
            guard error.isCertainlyNotCarriedOut, error.code != .notSent else { return nil }
            // The error speaks of this call; an earlier one under the same key may have given the money back.
            if !isFirst, error.code != .keyReused {
                guard let known = try? await store.processor.lookup(key: key) else { return nil }
                if case .refund(let outcome) = known { return Refund.Event(outcome) }
            }
            return .refused(code: error.code.rawValue)
        }
    }

    /// What the processor knows a refund by, for ever.
    package static func key(_ id: Int64) -> String { "refund/\(id)" }
}

extension Refund.Event {
    fileprivate init(_ outcome: RefundOutcome) {
        switch outcome {
        case .refunded(let reference): self = .refunded(reference: reference)
        case .failed(let refusal): self = .refused(code: refusal.rawValue)
        }
    }
}
