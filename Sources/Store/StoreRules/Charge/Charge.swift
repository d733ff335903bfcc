/// The life of the money of one order, in one or several attempts: authorised, captured, or let go.
///
/// It decides and does nothing. A state that waits for the processor is kept before the processor is called; what the
/// processor has to be asked in a state is its ``pendingAction``, so that recovery is the same driver over the same actions.
/// An answer that is unknown is no event: the state stays, and the processor is asked again by its key.
package struct Charge: Hashable, Sendable {
    package private(set) var state: State
    /// Why the money is not taken, from the moment when that is decided.
    package private(set) var failure: PurchaseFailure?
    /// Counted from 1. Each attempt has keys of its own at the processor.
    package private(set) var attempt: Int
    /// The processor's name for the money it holds.
    package private(set) var authorisation: String?
    /// The processor's name for the money it took.
    package private(set) var capture: String?
    /// Where the customer has to act.
    package private(set) var actionURL: String?
    /// Whether the customer is there to act at the bank. Where nobody is, as at a renewal, an action counts as a decline,
    /// and a declined charge rests until it is tried again or given up.
    package let isAttended: Bool
    /// Whether the customer is before the page of the purchase, where there are other cards: a declined charge rests there too,
    /// until another card is tried or the customer gives up.
    package let isOnPage: Bool

    /// The first attempt of a charge.
    package init(isAttended: Bool, isOnPage: Bool = false) {
        state = .authorising
        attempt = 1
        self.isAttended = isAttended
        self.isOnPage = isOnPage
    }

    /// A charge as it was kept.
    package init(
        state: State, failure: PurchaseFailure?, attempt: Int, authorisation: String?, capture: String?,
        actionURL: String?, isAttended: Bool, isOnPage: Bool = false
    ) {
        self.state = state
        self.failure = failure
        self.attempt = attempt
        self.authorisation = authorisation
        self.capture = capture
        self.actionURL = actionURL
        self.isAttended = isAttended
        self.isOnPage = isOnPage
    }

    // Closed: a state comes with all that handles it.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// The processor is asked to hold the money.
        case authorising
        /// The customer has to act at the bank.
        case action
        /// The processor is asked to take the money it holds.
        case capturing
        /// The processor is asked to let go of the money it holds.
        case voiding
        /// An attempt was declined; another may follow.
        case declined
        /// The money was taken.
        case captured
        /// No money is held or will be taken.
        case released

        /// Whether the processor is asked, or the customer acts: what recovery has to look after.
        package var isUnderWay: Bool {
            switch self {
            case .authorising, .action, .capturing, .voiding: true
            case .declined, .captured, .released: false
            }
        }

        /// Whether the processor was asked, and what it did is not known yet.
        package var awaitsProcessor: Bool { isUnderWay && self != .action }
    }

    // Closed: only the machine switches over it.
    package enum Event: Hashable, Sendable {
        case authorised(reference: String)
        /// The processor holds the money, and there is a reason not to take it any more.
        case authorisedInVain(reference: String, PurchaseFailure)
        case declined(code: String)
        case actionNeeded(reference: String, url: String)
        /// The processor has done nothing. With `mayArriveLate` an earlier request under the same key has no answer and
        /// may still arrive.
        case authorisationRefused(code: String, mayArriveLate: Bool)
        case captured(reference: String)
        case captureRefused(code: String)
        case voided
        /// The customer does not want it any more.
        case cancelled
        /// It is too late to act at the bank.
        case expired
        /// Another attempt, after a decline.
        case triedAgain
        /// No other attempt follows a decline.
        case givenUp
    }

    /// How a charge, or an attempt of it, came out.
    // Closed: whatever made the order handles all of them.
    package enum Outcome: Hashable, Sendable {
        case captured
        /// An attempt was declined. Of an attended charge it is the last one; of one on a page nothing is said until it is over.
        case declined(PurchaseFailure)
        case released(PurchaseFailure)
    }

    /// What is to be done after an event.
    // Closed: the driver must know all.
    package enum Action: Hashable, Sendable {
        // Of the processor, after the state was kept:
        case authorise
        /// Look up whether the customer has acted at the bank.
        case inquire
        case capture(authorisation: String)
        case void(authorisation: String)
        // In the transaction that keeps the state:
        /// Tell what made the order how the charge came out.
        case settle(Outcome)
        /// Report that the customer has to act, or would have had to, or may choose another card.
        case tell
        /// Look for an authorisation that arrives late, and let go of it.
        case watchForLateAuthorisation
    }
}

extension Charge {
    /// What the processor has to be asked in this state; nil where nobody waits for it.
    package var pendingAction: Action? {
        switch state {
        case .authorising: .authorise
        case .action: .inquire
        case .capturing: authorisation.map { .capture(authorisation: $0) }
        case .voiding: authorisation.map { .void(authorisation: $0) }
        case .declined, .captured, .released: nil
        }
    }

    /// Whether a card was declined and the customer may choose another one.
    package var awaitsChoice: Bool { state == .declined && isOnPage }

    /// Takes in what happened. An event that has no place in the state changes nothing and is an error.
    package mutating func handle(_ event: Event) throws(ChargeError) -> [Action] {
        switch state {
        case .authorising, .action: try authorise(event)
        case .capturing: try capture(event)
        case .voiding: try void(event)
        case .declined: try resume(event)
        case .captured, .released: throw ChargeError(event, in: state)
        }
    }

    private mutating func authorise(_ event: Event) throws(ChargeError) -> [Action] {
        switch (state, event) {
        case (_, .authorised(let reference)):
            authorisation = reference
            state = .capturing
            return [.capture(authorisation: reference)]
        case (_, .authorisedInVain(let reference, let reason)):
            return letGo(reference, reason)
        case (_, .declined(let code)):
            return decline(.declined(code))
        case (.authorising, .authorisationRefused(let code, let mayArriveLate)):
            return release(.processor(code)) + (mayArriveLate ? [.watchForLateAuthorisation] : [])
        case (.authorising, .actionNeeded(let reference, let url)):
            guard isAttended else { return letGo(reference, .actionNeeded) + [.tell] }
            authorisation = reference
            actionURL = url
            state = .action
            return [.tell]
        case (.authorising, .cancelled):
            // No answer came; one that comes after all is let go of.
            return release(.cancelled) + [.watchForLateAuthorisation]
        case (.action, .cancelled): return letGo(authorisation, .cancelled)
        case (.action, .expired): return letGo(authorisation, .expired)
        default: throw ChargeError(event, in: state)
        }
    }

    private mutating func capture(_ event: Event) throws(ChargeError) -> [Action] {
        switch event {
        case .captured(let reference): return take(reference)
        case .captureRefused(let code): return letGo(authorisation, .processor(code))
        default: throw ChargeError(event, in: state)
        }
    }

    private mutating func void(_ event: Event) throws(ChargeError) -> [Action] {
        switch event {
        case .captured(let reference) where failure?.isOfProcessor == true:
            // Capturing had seemed to be refused and was carried out all the same: it is paid, so it is delivered.
            failure = nil
            return take(reference)
        case .voided:
            let reason = failure ?? .cancelled
            return reason.isDecline ? decline(reason) : release(reason)
        default: throw ChargeError(event, in: state)
        }
    }

    private mutating func resume(_ event: Event) throws(ChargeError) -> [Action] {
        switch event {
        case .triedAgain:
            (state, failure, authorisation, actionURL) = (.authorising, nil, nil, nil)
            attempt += 1
            return [.authorise]
        case .givenUp:
            return release(failure ?? .cancelled)
        case .cancelled where isOnPage:
            return release(.cancelled)
        default: throw ChargeError(event, in: state)
        }
    }

    private mutating func take(_ reference: String) -> [Action] {
        capture = reference
        state = .captured
        return [.settle(.captured)]
    }

    private mutating func decline(_ reason: PurchaseFailure) -> [Action] {
        state = isAttended && !isOnPage ? .released : .declined
        failure = reason
        return isOnPage ? [.tell] : [.settle(.declined(reason))]
    }

    private mutating func release(_ reason: PurchaseFailure) -> [Action] {
        state = .released
        failure = reason
        return [.settle(.released(reason))]
    }

    /// The processor holds money that will not be taken.
    private mutating func letGo(_ reference: String?, _ reason: PurchaseFailure) -> [Action] {
        guard let reference else { return release(reason) }
        authorisation = reference
        failure = reason
        state = .voiding
        return [.void(authorisation: reference)]
    }
}

/// An event that has no place in the state of a charge: it comes too late, or it happened already.
package struct ChargeError: Error, Hashable, Sendable, CustomStringConvertible {
    package let event: Charge.Event
    package let state: Charge.State

    init(_ event: Charge.Event, in state: Charge.State) {
        self.event = event
        self.state = state
    }

    /// One sentence that is safe to log.
    package var description: String { "\(event.word.rawValue) has no place in a charge that is \(state.rawValue)" }
}

extension Charge.Event {
    /// Whether a transaction may come of it.
    package var maySell: Bool { if case .captured = self { true } else { false } }

    /// What the history of a charge says of it.
    package var word: SaleEvent {
        switch self {
        case .authorised: .authorised
        case .authorisedInVain: .authorisedInVain
        case .declined: .declined
        case .actionNeeded: .actionNeeded
        case .authorisationRefused: .authorisationRefused
        case .captured: .captured
        case .captureRefused: .captureRefused
        case .voided: .voided
        case .cancelled: .cancelled
        case .expired: .expired
        case .triedAgain: .triedAgain
        case .givenUp: .givenUp
        }
    }
}
