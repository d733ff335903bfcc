package import StoreDatabase
import StoreLog
package import StoreModel
package import StoreRules

/// Drives purchases along: keeps each intent, asks the processor, takes in what it says.
///
/// Anybody may drive a purchase at any time, also two at once: the processor answers a repeated question as the first one,
/// and an answer that comes twice is taken in once.
package struct PurchaseRoad: Sendable {
    private let store: EnvironmentStore

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
        let purchase = try await store.database.write { transaction in
            let (found, event) = try choose(transaction, times)
            guard let event else { return found }
            do {
                return try Purchases.handle(
                    event, of: found, drawn, at: times, request: request, in: transaction
                ).purchase
            } catch let error as PurchaseError {
                throw ServiceError(.tooLate, error.description)
            }
        }
        return try await drive(purchase, request: request)
    }

    /// Asks the processor what a purchase is waiting for, until it waits for somebody else or no answer comes. What has no
    /// answer is asked again later; until then the purchase stays as it is.
    package func drive(_ purchase: StoredPurchase, request: String?) async throws -> StoredPurchase {
        var purchase = purchase
        while purchase.state.awaitsProcessor {
            guard let event = try await answer(to: purchase) else { return purchase }
            purchase = try await take(event, purchase.id, after: purchase.state, request: request)
        }
        return purchase
    }

    /// Looks after a purchase that nobody drove to its end: asks the processor what became of it, or ends it if it is too
    /// late.
    package func look(after id: PurchaseID) async throws -> StoredPurchase? {
        guard let found = try await store.database.read({ try Purchases.find(id, in: $0) }) else { return nil }
        if found.state == .action {
            if let event = try await inquire(found) {
                return try await drive(try await take(event, id, after: .action, request: nil), request: nil)
            }
        } else if found.state.awaitsProcessor {
            return try await drive(found, request: nil)
        }
        guard !found.state.isFinal, found.expiresAt <= store.clocks.wall() else { return found }
        return try await drive(try await take(.expired, id, after: found.state, request: nil), request: nil)
    }

    /// Takes in an answer, unless somebody else has taken one in meanwhile.
    private func take(
        _ event: Purchase.Event, _ id: PurchaseID, after state: Purchase.State, request: String?
    ) async throws -> StoredPurchase {
        let (times, drawn) = (store.clocks.now, try await store.draw())
        return try await store.database.write { transaction in
            let current = try Purchases.require(id, in: transaction)
            guard current.state == state else { return current }
            return try Purchases.handle(event, of: current, drawn, at: times, request: request, in: transaction)
                .purchase
        }
    }
}

extension PurchaseRoad {
    /// What the processor says to what a purchase asks of it; nil if that is not known.
    private func answer(to purchase: StoredPurchase) async throws -> Purchase.Event? {
        do {
            switch purchase.state {
            case .authorising: return Purchase.Event(try await authorise(purchase))
            case .capturing:
                guard let reference = purchase.rules.authorisation else { return nil }
                return Purchase.Event(
                    try await store.processor.capture(
                        key: Self.key(purchase.id, "capture"), reference: reference, amount: purchase.total))
            case .voiding:
                guard let reference = purchase.rules.authorisation else { return nil }
                try await store.processor.void(key: Self.key(purchase.id, "void"), reference: reference)
                return .voided
            default: return nil
            }
        } catch let error as ProcessorError {
            return refusal(error, purchase)
        }
    }

    private func authorise(_ purchase: StoredPurchase) async throws -> AuthoriseOutcome {
        let method = try await store.database.read { transaction in
            try purchase.paymentMethod.flatMap { try Customers.paymentMethod($0, in: transaction) }
        }
        guard let method else {
            throw ProcessorError(.refused, "the payment method of the purchase is gone")
        }
        return try await store.processor.authorise(
            ProcessorOrder(
                key: Self.key(purchase.id, "authorise"), amount: purchase.total, method: method.token,
                description: "\(purchase.bundle) \(purchase.product)"))
    }

    /// What an error of the processor means: a refusal of the question ends the purchase, everything else is not known yet.
    private func refusal(_ error: ProcessorError, _ purchase: StoredPurchase) -> Purchase.Event? {
        store.log.warning(
            "processor.failed", "The processor gave no answer that counts.",
            ["purchase": "\(purchase.id)", "state": .text(purchase.state.rawValue), "reason": "\(error)"])
        guard error.isCertainlyNotCarriedOut, error.code != .notSent else { return nil }
        switch purchase.state {
        case .authorising: return .authorisationRefused(code: error.code.rawValue)
        case .capturing: return .captureRefused(code: error.code.rawValue)
        default: return nil
        }
    }

    /// What became of an action that a customer had to do; nil while it is not done.
    private func inquire(_ purchase: StoredPurchase) async throws -> Purchase.Event? {
        do {
            guard
                case .authorise(let outcome) = try await store.processor.lookup(key: Self.key(purchase.id, "authorise"))
            else { return nil }
            if case .actionNeeded = outcome { return nil }
            return Purchase.Event(outcome)
        } catch {
            return nil
        }
    }

    /// What the processor knows a step of a purchase by, for ever.
    package static func key(_ id: PurchaseID, _ step: String) -> String { "purchase/\(id)/\(step)" }

    /// The purchase that a key of the processor belongs to.
    package static func purchase(ofKey key: String) -> PurchaseID? {
        let parts = key.split(separator: "/")
        return parts.count == 3 && parts[0] == "purchase" ? PurchaseID(String(parts[1])) : nil
    }
}

extension Purchase.Event {
    fileprivate init(_ outcome: AuthoriseOutcome) {
        switch outcome {
        case .approved(let reference): self = .authorised(reference: reference)
        case .declined(let refusal): self = .declined(code: refusal.rawValue)
        case .actionNeeded(let reference, let url): self = .actionNeeded(reference: reference, url: url)
        }
    }

    fileprivate init(_ outcome: CaptureOutcome) {
        switch outcome {
        case .captured(let reference): self = .captured(reference: reference)
        case .failed(let refusal): self = .captureRefused(code: refusal.rawValue)
        }
    }
}
