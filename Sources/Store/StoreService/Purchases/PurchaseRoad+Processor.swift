import StoreDatabase
import StoreLog
package import StoreModel
import StoreRules

extension PurchaseRoad {
    /// What the processor says to what a purchase asks of it; nil if that is not known.
    ///
    /// - Parameter isFirst: whether nobody can have asked before. An error that says for certain that nothing was done
    ///   speaks of this one call: of an earlier one under the same key nothing is known, so the key is looked up.
    func answer(to purchase: StoredPurchase, isFirst: Bool) async -> Purchase.Event? {
        do {
            switch purchase.state {
            case .authorising:
                if isFirst { return Purchase.Event(try await authorise(purchase)) }
                return try await authoriseAgain(purchase)
            case .capturing: return try await capture(purchase)
            case .voiding:
                guard let reference = purchase.rules.authorisation else { return nil }
                try await store.processor.void(key: Self.key(purchase.id, "void"), reference: reference)
                return .voided
            default: return nil
            }
        } catch {
            store.log.warning(
                "processor.failed", "The processor gave no answer that counts.",
                ["purchase": "\(purchase.id)", "state": .text(purchase.state.rawValue), "reason": "\(error)"])
            guard let error = error as? ProcessorError, error.isCertainlyNotCarriedOut, error.code != .notSent else {
                return nil
            }
            return await end(error.code, purchase, isFirst: isFirst)
        }
    }

    private func authorise(_ purchase: StoredPurchase) async throws -> AuthoriseOutcome {
        let method = try await store.database.lookUp { transaction in
            try purchase.paymentMethod.flatMap { try Customers.paymentMethod($0, in: transaction) }
        }
        guard let method else {
            throw ProcessorError(.refused, "the payment method of the purchase is gone")
        }
        return try await store.processor.authorise(
            AuthorisationRequest(
                key: Self.key(purchase.id, "authorise"), amount: purchase.total, method: method.token,
                description: "\(purchase.bundle) \(purchase.product)"))
    }

    /// Somebody may have asked before and got no answer. So the key is looked up first; if the processor has never seen it,
    /// it is asked again, but not for ever: a customer who said yes an hour ago does not expect to pay now.
    private func authoriseAgain(_ purchase: StoredPurchase) async throws -> Purchase.Event? {
        let known: Purchase.Event?
        do {
            known = try await foundAuthorisation(purchase)
        } catch {
            // That looking up was refused says nothing about what was asked before.
            return nil
        }
        if let known { return known }
        let wall = store.clocks.wall()
        if wall < purchase.expiresAt - PurchaseLimits.silence { return Purchase.Event(try await authorise(purchase)) }
        return wall < purchase.expiresAt ? nil : .authorisationRefused(code: Self.noAnswer)
    }

    private func foundAuthorisation(_ purchase: StoredPurchase) async throws -> Purchase.Event? {
        guard case .authorise(let outcome) = try await lookup(purchase, "authorise") else { return nil }
        return Purchase.Event(outcome)
    }

    private func capture(_ purchase: StoredPurchase) async throws -> Purchase.Event? {
        guard let reference = purchase.rules.authorisation else { return nil }
        return Purchase.Event(
            try await store.processor.capture(
                key: Self.key(purchase.id, "capture"), reference: reference, amount: purchase.total))
    }

    /// What a refusal of the question means, once it is known what became of an earlier question.
    private func end(_ code: ProcessorError.Code, _ purchase: StoredPurchase, isFirst: Bool) async -> Purchase.Event? {
        do {
            switch purchase.state {
            case .authorising:
                if !isFirst, code != .keyReused, let found = try await foundAuthorisation(purchase) { return found }
                return .authorisationRefused(code: code.rawValue)
            case .capturing:
                if !isFirst, code != .keyReused, case .capture(let found) = try await lookup(purchase, "capture") {
                    return Purchase.Event(found)
                }
                return .captureRefused(code: code.rawValue)
            case .voiding:
                if case .voided = try await lookup(purchase, "void") { return .voided }
                // Only what had seemed to be refused can have been taken.
                if purchase.rules.failure?.isOfProcessor == true,
                    case .capture(.captured(let reference)) = try await lookup(purchase, "capture")
                {
                    return .captured(reference: reference)
                }
                // Nothing is held if the customer failed at the bank after all, while the purchase was called off.
                guard case .authorise(.declined) = try await lookup(purchase, "authorise") else { return nil }
                return .voided
            default: return nil
            }
        } catch {
            // Without a word about the earlier question nothing is certain.
            return nil
        }
    }

    private func lookup(_ purchase: StoredPurchase, _ step: String) async throws -> LookupOutcome {
        try await store.processor.lookup(key: Self.key(purchase.id, step))
    }

    /// What became of an action that a customer had to do; nil while it is not done.
    func inquire(_ purchase: StoredPurchase) async -> Purchase.Event? {
        guard let found = try? await foundAuthorisation(purchase) else { return nil }
        if case .actionNeeded = found { return nil }
        return found
    }

    /// Looks once more after a purchase that ended while a question to the processor had no answer. If the question arrived
    /// after all, the processor holds money that nobody will take, and it is let go of.
    ///
    /// - Returns: when to look again; nil if that was the last time.
    package func listen(for id: PurchaseID) async throws -> Instant? {
        guard let purchase = try await store.database.read({ try Purchases.find(id, in: $0) }),
            purchase.state == .failed, purchase.rules.authorisation == nil
        else { return nil }
        switch try await lookup(purchase, "authorise") {
        case .authorise(.approved(let reference)), .authorise(.actionNeeded(let reference, _)):
            try await store.processor.void(key: Self.key(id, "void"), reference: reference)
            let commerce = store.clocks.commerce()
            try await store.database.write { transaction in
                try Purchases.add(
                    "late-authorisation-voided", to: purchase.id, detail: reference, at: commerce, request: nil,
                    in: transaction)
            }
            return nil
        default:
            let last = purchase.expiresAt + PurchaseLimits.echo
            return store.clocks.wall() < last ? last : nil
        }
    }

    /// The code of a purchase of which the processor never knew anything.
    package static let noAnswer = "no_answer"

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
