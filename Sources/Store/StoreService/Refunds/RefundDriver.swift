import StoreCatalogue
import StoreDatabase
import StoreFoundation
import StoreLog
package import StoreModel
import StoreRules

/// Drives refunds: keeps the intent, asks the processor, takes in its answer, whether somebody still waits for it or not.
package struct RefundDriver: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Gives money back that was paid for a transaction. A refund that has no answer yet is asked for again later.
    package func refund(_ wanted: RefundIntent, of id: TransactionID, _ cause: ChangeCause) async throws -> StoredRefund
    {
        let number = try RefundID(number: await store.numbers.next(.refunds))
        let opened = try await store.database.write { transaction in
            let sold = try Transactions.require(id, in: transaction)
            return try Refunds.open(
                wanted, of: sold, as: number, cause.change(of: sold.customerID, in: transaction))
        }
        return try await drive(opened, isFirst: opened.id == number, cause)
    }

    /// Looks after a refund that nothing drove to its end.
    package func look(after id: RefundID) async throws -> StoredRefund? {
        try Task.checkCancellation()
        guard let found = try await store.database.read({ try Refunds.find(id, in: $0) }) else { return nil }
        return try await drive(found, isFirst: false, store.cause(.store))
    }

    private func drive(_ refund: StoredRefund, isFirst: Bool, _ cause: ChangeCause) async throws -> StoredRefund {
        try await TaskThreads.finish { try await driveOn(refund, isFirst: isFirst, cause) }
    }

    private func driveOn(_ refund: StoredRefund, isFirst: Bool, _ cause: ChangeCause) async throws -> StoredRefund {
        guard refund.rules.isPending, let event = await answer(to: refund, isFirst: isFirst) else { return refund }
        do {
            let entry = try LedgerEntryID(number: await store.numbers.next(.ledgerEntries))
            return try await store.database.write { transaction in
                let current = try Refunds.require(refund.id, in: transaction)
                return try Refunds.handle(
                    event, of: current, ledgerEntry: entry, cause.change(of: current.customer, in: transaction))
            }
        } catch  where StorageFailure(error) == .busy {
            // Whoever is told of a failure would give a part back once more; the work of the refund asks again.
            store.log.warning(
                "refund.waits", "The database does not take what came of a refund; it is asked for again.",
                ["refund": .number(refund.id.number), "reason": "\(error)"])
            return refund
        }
    }

    /// What the processor says; nil if that is not known.
    private func answer(to refund: StoredRefund, isFirst: Bool) async -> Refund.Event? {
        let key = ProcessorKeys(refund.life).refund(refund.id)
        do {
            return Refund.Event(
                try await store.processor.refund(key: key, reference: refund.capture, amount: refund.amount))
        } catch {
            store.log.warning(
                "processor.failed", "The processor gave no answer that counts.",
                ["refund": .number(refund.id.number), "reason": "\(error)"])
            guard error.isCertainlyNotCarriedOut, error.code != .notSent else { return nil }
            // The error speaks of this request; an earlier one under the same key may have given the money back.
            if !isFirst, error.code != .keyReused {
                guard let known = try? await store.processor.lookup(key: key) else { return nil }
                if case .refund(let outcome) = known { return Refund.Event(outcome) }
            }
            return .refused(code: error.code.rawValue)
        }
    }
}

extension Refund.Event {
    fileprivate init(_ outcome: RefundOutcome) {
        switch outcome {
        case .refunded(let reference): self = .refunded(reference: reference)
        case .failed(let refusal): self = .refused(code: refusal.rawValue)
        }
    }
}
