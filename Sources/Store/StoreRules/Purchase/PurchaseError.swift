/// Something happened that has no place in the state of a purchase: it is too late for it, or it happened already.
package struct PurchaseError: Error, Hashable, Sendable {
    package let event: Purchase.Event
    package let state: Purchase.State

    init(_ event: Purchase.Event, in state: Purchase.State) {
        self.event = event
        self.state = state
    }
}

extension PurchaseError: CustomStringConvertible {
    /// One sentence that is safe to log.
    package var description: String { "\(event.name) has no place in a purchase that is \(state.rawValue)" }
}

extension Purchase.Event {
    /// Whether a transaction may come of it.
    package var maySell: Bool {
        switch self {
        case .confirmed, .interruptionSettled, .captured: true
        default: false
        }
    }

    /// A word for logs and for the history of a purchase.
    package var name: String {
        switch self {
        case .signedIn: "signed-in"
        case .confirmed: "confirmed"
        case .confirmedButInterrupted: "interrupted"
        case .interruptionSettled: "interruption-settled"
        case .cancelled: "cancelled"
        case .expired: "expired"
        case .prevented: "prevented"
        case .authorised: "authorised"
        case .authorisedInVain: "authorised-in-vain"
        case .declined: "declined"
        case .actionNeeded: "action-needed"
        case .authorisationRefused: "authorisation-refused"
        case .captured: "captured"
        case .captureRefused: "capture-refused"
        case .voided: "voided"
        }
    }
}
