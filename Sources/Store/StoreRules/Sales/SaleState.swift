/// How something stands that is wanted or sold, as those who look after the store see it: the state of the purchase, and while
/// that is paid the state of its charge. An order that nobody was asked about has the states of its charge alone.
package enum SaleState: String, CaseIterable, Codable, Sendable {
    /// Nobody is signed in on the device.
    case signIn = "sign-in"
    /// The customer has to say yes.
    case confirmation
    /// The customer said yes and has to settle something with the store first.
    case interrupted
    /// The customer said yes, and somebody else decides, as in Ask to Buy.
    case approval
    /// The processor is asked to hold the money.
    case authorising
    /// The customer has to act at the bank.
    case action
    /// The processor is asked to take the money it holds.
    case capturing
    /// A card was declined, and the customer may choose another one on the page.
    case choosing
    /// The processor is asked to let go of the money it holds.
    case voiding
    /// There is a transaction.
    case purchased
    /// The payment was declined.
    case declined
    /// The customer said no.
    case cancelled
    /// Something else prevents it.
    case failed

    /// The state of a purchase; of one that is being paid, the state before its charge is known.
    package init(_ state: Purchase.State) {
        self =
            switch state {
            case .signIn: .signIn
            case .confirmation: .confirmation
            case .interrupted: .interrupted
            case .approval: .approval
            case .charging: .authorising
            case .purchased: .purchased
            case .declined: .declined
            case .cancelled: .cancelled
            case .failed: .failed
            }
    }

    /// The state of what is charged for, whose reason to end counts once nothing is held or taken any more.
    package init(_ state: Charge.State, failure: PurchaseFailure?) {
        self =
            switch state {
            case .authorising: .authorising
            case .action: .action
            case .capturing: .capturing
            case .voiding: .voiding
            case .declined: .declined
            case .captured: .purchased
            case .released: SaleState(Purchase.State(endedBy: failure ?? .cancelled))
            }
    }
}

/// What happened to something that is wanted or sold: the words of its history.
package enum SaleEvent: String, CaseIterable, Codable, Sendable {
    // Of a purchase or an order.
    case opened, ordered, confirmed, approved, refused, interrupted, cancelled, expired, prevented
    case signedIn = "signed-in"
    case pricedAnew = "priced-anew"
    case approvalAsked = "approval-asked"
    case interruptionSettled = "interruption-settled"

    // Of its charge.
    case authorised, captured, declined, voided, released, refunded
    case authorisedInVain = "authorised-in-vain"
    case authorisationRefused = "authorisation-refused"
    case lateAuthorisationVoided = "late-authorisation-voided"
    case actionNeeded = "action-needed"
    case captureRefused = "capture-refused"
    case triedAgain = "tried-again"
    case givenUp = "given-up"
    case settledAsVoided = "settled-as-voided"
    case refundReversed = "refund-reversed"
}
