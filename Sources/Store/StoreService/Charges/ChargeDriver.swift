import StoreCatalogue
import StoreDatabase
import StoreFoundation
import StoreLog
package import StoreModel
import StoreRules

/// Drives charges: carries out with the processor what their machine asks for, and takes in the answers.
///
/// | what happens | what the driver does |
/// |---|---|
/// | an answer | takes it in, in one transaction with everything that comes of it, and goes on |
/// | no answer | leaves the charge as it is; its work looks the key up later |
/// | an answer that the database does not take | the same: who is told of a failure would order once more |
/// | an error that says nothing was done | believes it of this request; of an earlier one under the same key it asks first |
/// | the client hangs up | goes on, as nobody wants a charge half done |
/// | the store stops anywhere | ``Recovery`` drives every charge that is under way by its ``Charge/pendingAction`` |
///
/// Any number of drivers may drive a charge at once: the processor answers a repeated request as the first one, and an
/// answer that comes twice is taken in once.
package struct ChargeDriver: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The code of a charge of which the processor never knew anything.
    package static let noAnswer = "no_answer"

    static func key(_ charge: StoredCharge, _ step: String) -> String {
        ProcessorKeys(charge.life).charge(charge.id, attempt: charge.rules.attempt, step)
    }

    // MARK: Driving

    /// Drives a charge until it waits for somebody else, or no answer comes. What has no answer is looked up later.
    ///
    /// - Parameter isFirst: whether the state was entered by the caller a moment ago, so that no request can have been sent
    ///   for it before.
    package func drive(_ charge: StoredCharge, isFirst: Bool, _ cause: ChangeCause) async throws -> StoredCharge {
        try await TaskThreads.finish { try await driveOn(charge, isFirst: isFirst, cause) }
    }

    private func driveOn(_ charge: StoredCharge, isFirst: Bool, _ cause: ChangeCause) async throws -> StoredCharge {
        var (charge, isFirst) = (charge, isFirst)
        var next = charge.rules.pendingAction
        while let action = next, action != .inquire {
            guard let event = await answer(to: action, of: charge, isFirst: isFirst) else { return charge }
            do {
                (charge, next, isFirst) = try await take(event, charge, isFirst: isFirst, cause)
            } catch  where StorageFailure(error) == .busy {
                store.log.warning(
                    "charge.waits", "The database does not take what came of a charge; it is asked for again.",
                    ["charge": "\(charge.id)", "state": .text(charge.state.rawValue), "reason": "\(error)"])
                return charge
            }
        }
        return charge
    }

    /// Looks after a charge that nothing drove to its end: asks the processor what became of it, or ends it if it is too
    /// late. Returns nil if there is no such charge.
    package func look(after id: ChargeID) async throws -> StoredCharge? {
        // What nobody waits for any more is not begun: the work of the charge looks too, and a store that ends has many.
        try Task.checkCancellation()
        return try await TaskThreads.finish { try await lookOn(after: id) }
    }

    private func lookOn(after id: ChargeID) async throws -> StoredCharge? {
        guard let charge = try await store.database.read({ try Charges.find(id, in: $0) }) else { return nil }
        let cause = store.cause(.store)
        if charge.rules.awaitsChoice, charge.expiresAt <= store.clocks.wall() {
            return try await take(.givenUp, charge, isFirst: true, cause).0
        }
        guard charge.rules.pendingAction == .inquire else { return try await driveOn(charge, isFirst: false, cause) }
        var event = await inquire(charge)
        if event == nil, charge.expiresAt <= store.clocks.wall() { event = .expired }
        guard let event else { return charge }
        let (taken, _, isFirst) = try await take(event, charge, isFirst: true, cause)
        return try await driveOn(taken, isFirst: isFirst, cause)
    }

    /// Takes in an answer, unless another driver has taken one in meanwhile. Returns the charge, what has to be done next,
    /// and whether nobody can have done it before.
    private func take(
        _ event: Charge.Event, _ known: StoredCharge, isFirst: Bool, _ cause: ChangeCause
    ) async throws -> (StoredCharge, Charge.Action?, Bool) {
        let drawn = event.maySell ? try await store.draw() : nil
        return try await store.database.write(isolation: .snapshot) { transaction in
            let current = try Charges.current(known, in: transaction)
            let rules = current.charge.rules
            guard rules.state == known.rules.state, rules.attempt == known.rules.attempt else {
                return (current.charge, rules.pendingAction, false)
            }
            var event = event
            if case .authorised(let reference) = event, current.isCustomerGone {
                // Nobody could receive the goods.
                event = .authorisedInVain(reference: reference, .accountGone)
            }
            // Nobody waits for what is charged without its customer: it happens when the attempt was due.
            let cause = rules.isAttended ? cause : cause.at(current.charge.changedAt)
            let change = try cause.change(of: current.charge.payer, by: current.clock, transaction)
            let (charge, actions) = try Charges.handle(event, of: current.charge, with: drawn, change)
            return (charge, actions.first, true)
        }
    }

    // MARK: Asking the processor

    /// What the processor says to an action of a charge; nil if that is not known.
    private func answer(to action: Charge.Action, of charge: StoredCharge, isFirst: Bool) async -> Charge.Event? {
        do {
            switch action {
            case .authorise:
                return isFirst ? Charge.Event(try await authorise(charge)) : try await authoriseAgain(charge)
            case .capture(let reference):
                return Charge.Event(
                    try await store.processor.capture(
                        key: Self.key(charge, "capture"), reference: reference, amount: charge.amount))
            case .void(let reference):
                try await store.processor.void(key: Self.key(charge, "void"), reference: reference)
                return .voided
            case .inquire, .settle, .tell, .watchForLateAuthorisation: return nil
            }
        } catch {
            // Devices ask again and again how their purchase stands, and each time the processor is asked.
            store.log.write(
                store.troubles.allows(charge.id, at: store.clocks.wall()) ? .warning : .debug, "processor.failed",
                "The processor gave no answer that counts.",
                ["charge": "\(charge.id)", "state": .text(charge.state.rawValue), "reason": "\(error)"])
            // The error may be that of looking up, which says nothing of the request before.
            guard let error = error as? ProcessorError, error.isCertainlyNotCarriedOut, error.code != .notSent else {
                return nil
            }
            return try? await refusal(error.code, of: action, charge, isFirst: isFirst)
        }
    }

    private func authorise(_ charge: StoredCharge) async throws -> AuthoriseOutcome {
        let method = try await store.database.lookUp { transaction in
            try charge.paymentMethod.flatMap { try Customers.paymentMethod($0, in: transaction) }
        }
        guard let method else { throw ProcessorError(.refused, "the payment method of the charge is gone") }
        return try await store.processor.authorise(
            AuthorisationRequest(
                key: Self.key(charge, "authorise"), amount: charge.amount, method: method.token,
                description: charge.description, isAttended: charge.rules.isAttended))
    }

    /// A request may have been sent before and got no answer. So the key is looked up first; if the processor has never
    /// seen it, it is asked again, but not for ever: a customer who said yes an hour ago does not expect to pay now.
    private func authoriseAgain(_ charge: StoredCharge) async throws -> Charge.Event? {
        let known: Charge.Event?
        do {
            known = try await foundAuthorisation(charge)
        } catch {
            // That looking up was refused says nothing about what was asked before.
            return nil
        }
        if let known { return known }
        let wall = store.clocks.wall()
        if wall < charge.expiresAt - ChargeLimits.silence { return Charge.Event(try await authorise(charge)) }
        return wall < charge.expiresAt ? nil : .authorisationRefused(code: Self.noAnswer, mayArriveLate: true)
    }

    private func foundAuthorisation(_ charge: StoredCharge) async throws -> Charge.Event? {
        guard case .authorise(let outcome) = try await lookup(charge, "authorise") else { return nil }
        return Charge.Event(outcome)
    }

    /// What a refusal of a request means, once it is known what became of an earlier request under the same key.
    private func refusal(
        _ code: ProcessorError.Code, of action: Charge.Action, _ charge: StoredCharge, isFirst: Bool
    ) async throws -> Charge.Event? {
        let mayHaveBeenDone = !isFirst && code != .keyReused
        switch action {
        case .authorise:
            if mayHaveBeenDone, let found = try await foundAuthorisation(charge) { return found }
            // What is under a key that was used for something else is not of this charge.
            return .authorisationRefused(code: code.rawValue, mayArriveLate: mayHaveBeenDone)
        case .capture:
            if mayHaveBeenDone, case .capture(let found) = try await lookup(charge, "capture") {
                return Charge.Event(found)
            }
            return .captureRefused(code: code.rawValue)
        case .void:
            if case .voided = try await lookup(charge, "void") { return .voided }
            // Only what had seemed to be refused can have been captured.
            if charge.rules.failure?.isOfProcessor == true,
                case .capture(.captured(let reference)) = try await lookup(charge, "capture")
            {
                return .captured(reference: reference)
            }
            // Nothing is held if the customer failed at the bank while the purchase was cancelled.
            guard case .authorise(.declined) = try await lookup(charge, "authorise") else { return nil }
            return .voided
        case .inquire, .settle, .tell, .watchForLateAuthorisation: return nil
        }
    }

    private func lookup(_ charge: StoredCharge, _ step: String) async throws -> LookupOutcome {
        try await store.processor.lookup(key: Self.key(charge, step))
    }

    /// What became of an action that the customer has to do; nil while it is not done.
    private func inquire(_ charge: StoredCharge) async -> Charge.Event? {
        guard let found = try? await foundAuthorisation(charge) else { return nil }
        if case .actionNeeded = found { return nil }
        return found
    }

    // MARK: What is left when a charge is over

    /// Looks once more for an authorisation of a charge that was released while a request had no answer. If it arrived after
    /// all, the processor holds money that nobody will take, and it is let go.
    ///
    /// - Returns: when to look again; nil if that was the last time.
    package func releaseLateAuthorisation(of id: ChargeID) async throws -> Instant? {
        guard let charge = try await store.database.read({ try Charges.find(id, in: $0) }),
            charge.state == .released, charge.rules.authorisation == nil
        else { return nil }
        switch try await lookup(charge, "authorise") {
        case .authorise(.approved(let reference)), .authorise(.actionNeeded(let reference, _)):
            try await store.processor.void(key: Self.key(charge, "void"), reference: reference)
            let cause = store.cause(.store)
            try await store.database.write { transaction in
                try Charges.add(
                    .lateAuthorisationVoided, to: id, detail: reference,
                    cause.change(of: charge.customer, in: transaction))
            }
            return nil
        default:
            let last = charge.expiresAt + ChargeLimits.lateWatch
            return store.clocks.wall() < last ? last : nil
        }
    }

    /// The most bytes of a reason.
    package static let longestReason = 400

    /// Ends a charge whose money the processor does not let go of, or of whose capture it gives no word, because the operator
    /// has seen to it.
    ///
    /// The processor is asked once more, for what it knows counts more than what somebody says; a capture without an answer
    /// is called off first. The reason stays in the history of the charge.
    package func settleAsVoided(_ name: String, because reason: String, _ cause: ChangeCause) async throws -> SaleID {
        guard (1...Self.longestReason).contains(reason.utf8.count) else {
            throw InvalidValue(
                .outOfRange, subject: "because", value: reason, rule: "has 1 to \(Self.longestReason) bytes")
        }
        let id = try await store.database.read { try SaleStatus.number(named: name, in: $0) }
        var known = try await store.database.read { try Charges.find(id.charge, in: $0) }
        if known?.state == .voiding || known?.state == .capturing { known = try await look(after: id.charge) }
        if let known, known.state == .capturing {
            guard known.hasWaited(for: ChargeLimits.inquiry, at: store.clocks.wall()) else {
                throw ServiceError(
                    tooLate: .settledAsVoided,
                    for: try await store.database.read { try SaleStatus.require(id, in: $0) })
            }
            // As if the capture had been refused: should it have been carried out, the void is refused, and what was paid
            // is delivered.
            let (charge, _, isFirst) = try await take(
                .captureRefused(code: Self.noAnswer), known, isFirst: false, cause)
            _ = try await drive(charge, isFirst: isFirst, cause)
        }
        try await store.database.write { transaction in
            let status = try SaleStatus.require(id, in: transaction)
            guard let charge = status.charge, charge.state == .voiding else {
                throw ServiceError(tooLate: .settledAsVoided, for: status)
            }
            let change = try cause.change(of: charge.customer, in: transaction)
            try Charges.add(.settledAsVoided, to: charge.id, detail: reason, change)
            _ = try Charges.handle(.voided, of: Charges.require(charge.id, in: transaction), change)
        }
        return id
    }
}

extension Charge.Event {
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
