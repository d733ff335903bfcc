package import StoreModel

/// The life of one purchase: a question put to a person on a device, from asking to a transaction or to the reason why there
/// is none.
///
/// It decides and does nothing: it is given what happened, and returns what is to be done in the transaction that keeps
/// the new state. The money is the matter of a ``Charge``, whose end comes back as an event.
package struct Purchase: Hashable, Sendable {
    package private(set) var state: State
    /// Why there is no transaction.
    package private(set) var failure: PurchaseFailure?

    /// A purchase that a device asks for.
    package init(isSignedIn: Bool) {
        state = isSignedIn ? .confirmation : .signIn
    }

    /// A purchase as it was kept.
    package init(state: State, failure: PurchaseFailure?) {
        self.state = state
        self.failure = failure
    }

    // Closed: a state comes with all that handles it.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Nobody is signed in on the device.
        case signIn = "sign-in"
        /// The customer has to say yes.
        case confirmation
        /// The customer said yes and has to settle something with the store first.
        case interrupted
        /// The customer said yes, and somebody else decides, as in Ask to Buy.
        case approval
        /// The customer said yes, and the order is being paid.
        case charging
        /// There is a transaction.
        case purchased
        /// The payment was declined.
        case declined
        /// The customer said no.
        case cancelled
        /// Something else prevents it.
        case failed

        /// Whether nothing more will happen.
        package var isFinal: Bool {
            switch self {
            case .purchased, .declined, .cancelled, .failed: true
            default: false
            }
        }

        /// The end that a reason comes to.
        package init(endedBy reason: PurchaseFailure) {
            self = reason == .cancelled ? .cancelled : reason.isDecline ? .declined : .failed
        }

        /// Whether the device may confirm it, at once or after somebody has signed in.
        package var isOpen: Bool { self == .signIn || self == .confirmation }

        /// Whether it can still be confirmed, so that its code and its secrets are kept.
        package var canBeConfirmed: Bool { isOpen || self == .interrupted }

        /// Whether it waits for a person, and ends by itself if nobody answers.
        package var waitsForPerson: Bool { canBeConfirmed || self == .approval }
    }

    /// What can happen.
    // Closed: only the machine switches over it.
    package enum Event: Hashable, Sendable {
        case signedIn
        case confirmed(Terms)
        /// The customer said yes, and something has to be settled first.
        case confirmedButInterrupted
        case interruptionSettled(Terms)
        /// The approver said yes.
        case approved(Terms)
        /// The approver said no, or has no say any more.
        case refused
        /// A transaction of the product waits to be finished, and takes the place of this purchase.
        case foundUnfinished
        case cancelled
        /// It is too late for what has not been confirmed.
        case expired
        /// What the purchase needs does not exist any more, or is not allowed.
        case prevented(PurchaseFailure)
        /// The charge of its order came to an end.
        case charged(Charge.Outcome)
    }

    /// What a confirmed purchase comes to.
    // Closed: only the machine switches over it.
    package enum Terms: Hashable, Sendable {
        /// It has to be paid.
        case toBePaid
        /// It costs nothing: its price is zero, or the customer owns it.
        case free
        /// It runs already: it is kept on, and its transaction is delivered again.
        case running
        /// It renews in the place of what runs, whose transaction is delivered again.
        case planned
        /// Another charge for it is under way.
        case beingPaid
        /// Somebody else has to say yes too.
        case toBeApproved
    }

    /// What is to be done in the transaction that keeps the state.
    // Closed: the use case that carries them out must know all.
    package enum Action: Hashable, Sendable {
        /// Note who decides, and ask.
        case askApprover
        /// Write the order: what is sold, and on which terms.
        case order
        /// Open the charge of the order.
        case openCharge
        /// Make the transaction of the order.
        case deliver
        /// Let the subscription that runs renew, as what was asked for.
        case keepOn
        /// Deliver the transaction that exists already.
        case redeliver
        /// Report the new state to the device.
        case tell
    }
}

extension Purchase {
    /// Takes in what happened. An event that has no place in the state changes nothing and is an error.
    package mutating func handle(_ event: Event) throws(PurchaseError) -> [Action] {
        switch (state, event) {
        case (.signIn, .signedIn):
            state = .confirmation
            return [.tell]
        case (.confirmation, .confirmed(let terms)), (.interrupted, .interruptionSettled(let terms)):
            return confirm(terms)
        case (.approval, .approved(let terms)) where terms != .toBeApproved:
            return confirm(terms)
        case (.approval, .refused): return end(.refused)
        case (.confirmation, .confirmedButInterrupted):
            state = .interrupted
            return [.tell]
        case (.confirmation, .foundUnfinished):
            state = .purchased
            return [.redeliver, .tell]
        case (.signIn, .cancelled), (.confirmation, .cancelled), (.interrupted, .cancelled), (.approval, .cancelled):
            return end(.cancelled)
        case (.signIn, .expired), (.confirmation, .expired), (.interrupted, .expired), (.approval, .expired):
            return end(.expired)
        case (.signIn, .prevented(let failure)), (.confirmation, .prevented(let failure)),
            (.interrupted, .prevented(let failure)), (.approval, .prevented(let failure)):
            return end(failure)
        case (.charging, .charged(.captured)):
            state = .purchased
            return [.deliver, .tell]
        case (.charging, .charged(.declined(let failure))), (.charging, .charged(.released(let failure))):
            return end(failure)
        default: throw PurchaseError(event, in: state)
        }
    }

    private mutating func confirm(_ terms: Terms) -> [Action] {
        switch terms {
        case .toBePaid:
            state = .charging
            return [.order, .openCharge]
        case .free:
            state = .purchased
            return [.order, .deliver, .tell]
        case .running, .planned:
            state = .purchased
            return [.keepOn, .redeliver, .tell]
        case .beingPaid:
            return end(.beingPaid)
        case .toBeApproved:
            state = .approval
            return [.askApprover, .tell]
        }
    }

    private mutating func end(_ reason: PurchaseFailure) -> [Action] {
        state = State(endedBy: reason)
        failure = reason
        return [.tell]
    }
}

/// An event that has no place in the state of a purchase: it comes too late, or it happened already.
package struct PurchaseError: Error, Hashable, Sendable, CustomStringConvertible {
    package let event: Purchase.Event
    package let state: Purchase.State

    package init(_ event: Purchase.Event, in state: Purchase.State) {
        self.event = event
        self.state = state
    }

    /// One sentence that is safe to log.
    package var description: String { "\(event.word.rawValue) has no place in a purchase that is \(state.rawValue)" }
}

extension Purchase.Event {
    /// What the history of a purchase says of it.
    package var word: SaleEvent {
        switch self {
        case .signedIn: .signedIn
        case .confirmed(.toBeApproved): .approvalAsked
        case .confirmed, .foundUnfinished: .confirmed
        case .confirmedButInterrupted: .interrupted
        case .interruptionSettled: .interruptionSettled
        case .approved: .approved
        case .refused: .refused
        case .cancelled: .cancelled
        case .expired: .expired
        case .prevented: .prevented
        case .charged(.captured): .captured
        case .charged(.declined): .declined
        case .charged(.released): .released
        }
    }
}

/// Why a purchase has no transaction, or why a charge was not captured.
package struct PurchaseFailure: RawRepresentable, Hashable, Sendable {
    /// The code by which it is kept and reported: a word, and after a colon what the processor said.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ code: RefusalCode, _ detail: String? = nil) {
        rawValue = detail.map { "\(code):\($0)" } ?? code.rawValue
    }

    /// The customer said no.
    package static let cancelled = PurchaseFailure(.cancelled)
    /// There was no answer in time.
    package static let expired = PurchaseFailure(.expired)
    /// The approver said no.
    package static let refused = PurchaseFailure(.approvalRefused)
    /// The device or the account is not allowed to buy.
    package static let notAllowed = PurchaseFailure(.notAllowed)
    /// The family does not let the child use the app any more.
    package static let consentWithdrawn = PurchaseFailure(.consentWithdrawn)
    /// The product is not sold any more, or not in the storefront of the account.
    package static let productUnavailable = PurchaseFailure(.productUnavailable)
    /// The account has no payment method.
    package static let noPaymentMethod = PurchaseFailure(.noPaymentMethod)
    /// Another charge for what can be owned once is under way.
    package static let beingPaid = PurchaseFailure(.beingPaid)
    /// Another password was asked for instead of signing in.
    package static let passwordForgotten = PurchaseFailure(.passwordForgotten)
    /// The account was deleted.
    package static let accountGone = PurchaseFailure(.accountGone)
    /// The tester became a customer of production.
    package static let testerSpent = PurchaseFailure(.testerSpent)
    /// The bank wants the customer to act, and the customer is not there.
    package static let actionNeeded = PurchaseFailure.declined("action_needed")

    /// The offer that was asked for is not for the customer, or not any more.
    package static let ineligibleForOffer = PurchaseFailure(.ineligibleForOffer)
    /// The offer has no price in the storefront of the account.
    package static let invalidOfferPrice = PurchaseFailure(.invalidOfferPrice)
    /// The code was redeemed by somebody else meanwhile, or is over.
    package static let codeSpent = PurchaseFailure(.codeSpent)

    /// The processor declined the payment.
    package static func declined(_ code: String) -> PurchaseFailure { PurchaseFailure(.declined, code) }
    /// The processor could not do it.
    package static func processor(_ code: String) -> PurchaseFailure { PurchaseFailure(.processor, code) }

    package var isDecline: Bool { code == .declined }
    /// Whether the processor could not do what it was asked.
    package var isOfProcessor: Bool { code == .processor }

    /// The word without what the processor said.
    package var word: String { String(rawValue.prefix { $0 != ":" }) }

    /// What the word declares; nil if it is none of this version.
    package var code: RefusalCode? { RefusalCode(rawValue: word) }

    /// What the processor said; nil if it said nothing.
    package var detail: String? {
        let detail = rawValue.drop { $0 != ":" }.dropFirst()
        return detail.isEmpty ? nil : String(detail)
    }
}
