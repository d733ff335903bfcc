/// The life of one purchase: from a device that asks, to a transaction or to the reason why there is none.
///
/// It decides and does nothing: it is told what happened, and answers what is to be done next. A state that waits for the
/// processor is kept before the processor is called, so that whoever finds it later knows what may have been done.
package struct Purchase: Hashable, Sendable {
    package private(set) var state: State
    /// Why there is no transaction, or why there will be none once the money was let go.
    package private(set) var failure: PurchaseFailure?
    /// The processor's name of the money it holds for this purchase.
    package private(set) var authorisation: String?
    /// The processor's name of the money it took.
    package private(set) var capture: String?
    /// Where the customer has to go.
    package private(set) var actionURL: String?

    /// A purchase that a device asked for.
    package init(isSignedIn: Bool) {
        state = isSignedIn ? .confirmation : .signIn
    }

    /// A purchase as it was kept.
    package init(
        state: State, failure: PurchaseFailure?, authorisation: String?, capture: String?, actionURL: String?
    ) {
        self.state = state
        self.failure = failure
        self.authorisation = authorisation
        self.capture = capture
        self.actionURL = actionURL
    }

    // Closed: a state comes with all that handles it, and nobody else switches over them.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Nobody is signed in on the device.
        case signIn = "sign-in"
        /// The customer has to say yes.
        case confirmation
        /// The customer said yes and has to settle something with the store before.
        case interrupted
        /// The processor is asked to hold the money.
        case authorising
        /// The customer has to do something at the bank.
        case action
        /// The processor is asked to take the money it holds.
        case capturing
        /// The processor is asked to let go of the money it holds.
        case voiding
        /// There is a transaction.
        case purchased
        /// The processor refused the money.
        case declined
        /// The customer said no.
        case cancelled
        /// Something else is in the way.
        case failed

        /// Whether nothing more will happen.
        package var isFinal: Bool {
            switch self {
            case .purchased, .declined, .cancelled, .failed: true
            default: false
            }
        }

        /// Whether the processor has been asked, and what it did is not known yet.
        package var awaitsProcessor: Bool {
            switch self {
            case .authorising, .capturing, .voiding: true
            default: false
            }
        }
    }

    /// What can happen.
    // Closed: nobody but the machine switches over them.
    package enum Event: Hashable, Sendable {
        case signedIn
        case confirmed(Standing)
        /// The customer said yes, and something has to be settled before.
        case confirmedButInterrupted
        case interruptionSettled(Standing)
        case cancelled
        /// It is too late for what has not been confirmed or done.
        case expired
        /// What the purchase needs is not there any more, or not allowed.
        case prevented(PurchaseFailure)
        case authorised(reference: String)
        /// The processor holds the money, and there is a reason not to take it any more.
        case authorisedInVain(reference: String, PurchaseFailure)
        case declined(code: String)
        case actionNeeded(reference: String, url: String)
        /// The processor has certainly done nothing and will do nothing.
        case authorisationRefused(code: String)
        case captured(reference: String)
        case captureRefused(code: String)
        case voided
    }

    /// How the customer stands to the product at the moment of saying yes.
    // Closed: nobody but the machine switches over them.
    package enum Standing: Hashable, Sendable {
        /// It is to be paid.
        case toBePaid
        /// It costs nothing.
        case free
        /// It is owned: nothing is charged.
        case owned
        /// Another purchase of it is being paid at this moment.
        case beingPaid
    }

    /// What is to be done, after the state was kept.
    // Closed: whoever does it must know all.
    package enum Action: Hashable, Sendable {
        case askForConfirmation
        case authorise
        case capture(authorisation: String)
        case void(authorisation: String)
        /// Make the transaction, in the same breath as the state.
        case deliver(isPaid: Bool)
        /// Tell the device how it stands.
        case tell
    }
}

extension Purchase {
    /// Takes in what happened. An event that has no place in the state changes nothing and is an error.
    package mutating func handle(_ event: Event) throws(PurchaseError) -> [Action] {
        switch (state, event) {
        case (.signIn, .signedIn):
            state = .confirmation
            return [.askForConfirmation, .tell]
        case (.confirmation, .confirmed(let standing)), (.interrupted, .interruptionSettled(let standing)):
            return confirm(standing)
        case (.confirmation, .confirmedButInterrupted):
            state = .interrupted
            return [.tell]
        case (.signIn, .cancelled), (.confirmation, .cancelled), (.interrupted, .cancelled):
            return end(.cancelled, .cancelled)
        case (.signIn, .expired), (.confirmation, .expired), (.interrupted, .expired):
            return end(.failed, .expired)
        case (.signIn, .prevented(let failure)), (.confirmation, .prevented(let failure)),
            (.interrupted, .prevented(let failure)):
            return end(.failed, failure)
        case (.authorising, _), (.action, _): return try authorise(event)
        case (.capturing, _), (.voiding, _): return try settle(event)
        default: throw PurchaseError(event, in: state)
        }
    }

    private mutating func confirm(_ standing: Standing) -> [Action] {
        switch standing {
        case .toBePaid:
            state = .authorising
            return [.authorise]
        case .free, .owned:
            state = .purchased
            return [.deliver(isPaid: false), .tell]
        case .beingPaid:
            return end(.failed, .beingPaid)
        }
    }

    private mutating func authorise(_ event: Event) throws(PurchaseError) -> [Action] {
        switch (state, event) {
        case (_, .authorised(let reference)):
            authorisation = reference
            state = .capturing
            return [.capture(authorisation: reference)]
        case (_, .authorisedInVain(let reference, let reason)):
            authorisation = reference
            return letGo(reason)
        case (_, .declined(let code)):
            return end(.declined, .declined(code))
        case (.authorising, .authorisationRefused(let code)):
            return end(.failed, .processor(code))
        case (.authorising, .actionNeeded(let reference, let url)):
            authorisation = reference
            actionURL = url
            state = .action
            return [.tell]
        case (.action, .cancelled): return letGo(.cancelled)
        case (.action, .expired): return letGo(.expired)
        default: throw PurchaseError(event, in: state)
        }
    }

    private mutating func settle(_ event: Event) throws(PurchaseError) -> [Action] {
        switch (state, event) {
        case (.capturing, .captured(let reference)):
            capture = reference
            state = .purchased
            return [.deliver(isPaid: true), .tell]
        case (.capturing, .captureRefused(let code)): return letGo(.processor(code))
        case (.voiding, .captured(let reference)) where failure?.isOfProcessor == true:
            // Taking it had seemed to be refused, and was carried out all the same: it is paid, so it is delivered.
            capture = reference
            failure = nil
            state = .purchased
            return [.deliver(isPaid: true), .tell]
        case (.voiding, .voided):
            let reason = failure ?? .cancelled
            return end(reason == .cancelled ? .cancelled : .failed, reason)
        default: throw PurchaseError(event, in: state)
        }
    }

    /// Nothing more comes of it, but the processor holds money.
    private mutating func letGo(_ reason: PurchaseFailure) -> [Action] {
        guard let authorisation else { return end(reason == .cancelled ? .cancelled : .failed, reason) }
        failure = reason
        state = .voiding
        return [.void(authorisation: authorisation)]
    }

    private mutating func end(_ end: State, _ reason: PurchaseFailure) -> [Action] {
        state = end
        failure = reason
        return [.tell]
    }
}
