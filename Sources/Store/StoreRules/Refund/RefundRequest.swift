package import StoreModel

/// The life of a customer's request for a refund, from the question to the money and, after a dispute, back.
///
/// An approval opens a ``Refund`` in the same database transaction; what becomes of that one settles the request.
package struct RefundRequest: Hashable, Sendable {
    package private(set) var state: State

    package init(state: State = .asked) {
        self.state = state
    }

    // Closed: a state comes with all that handles it.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Somebody of the store has to decide.
        case asked
        /// The refund is opened; the processor is asked for it.
        case approved
        /// The customer has the money.
        case refunded
        /// The processor refused the refund; somebody has to decide again.
        case failed
        /// The store gives nothing back.
        case declined
        /// The customer does not ask any more.
        case withdrawn
        /// The money went back to the store after a dispute, and the customer has the purchase again.
        case reversed

        /// Whether somebody of the store has to decide.
        package var isWaiting: Bool { self == .asked || self == .failed }
    }

    // Closed: only the machine switches over it.
    package enum Event: String, CaseIterable, Hashable, Sendable {
        case approved, declined, withdrawn, refunded, refused, reversed
    }

    /// What is to be done in the transaction that keeps the state.
    // Closed: the use case that carries them out must know all.
    package enum Action: Hashable, Sendable {
        /// Keep the intent to give the money back.
        case open
        /// Book the money back to the store, and let the customer have the purchase again.
        case reinstate
    }

    /// What happened came in a state in which it cannot be.
    package struct Refused: Error, Hashable {
        package let state: State
        package let event: Event
    }

    /// Takes in what happened. What is so already changes nothing.
    package mutating func handle(_ event: Event) throws(Refused) -> [Action] {
        switch (state, event) {
        case (.asked, .approved), (.failed, .approved):
            state = .approved
            return [.open]
        case (.asked, .declined), (.failed, .declined):
            state = .declined
            return []
        case (.asked, .withdrawn), (.failed, .withdrawn):
            state = .withdrawn
            return []
        case (.approved, .refunded):
            state = .refunded
            return []
        case (.approved, .refused):
            state = .failed
            return []
        case (.refunded, .reversed):
            state = .reversed
            return [.reinstate]
        case (.approved, .approved), (.declined, .declined), (.withdrawn, .withdrawn), (.refunded, .refunded),
            (.failed, .refused),
            (.reversed, .reversed):
            return []
        default: throw Refused(state: state, event: event)
        }
    }
}

/// How much of what was paid goes back, as somebody of the store decides.
// Closed: each is worked out in one place.
package enum RefundExtent: Hashable, Sendable {
    /// All that is left.
    case full
    /// An amount in the currency that was paid in.
    case amount(Money)
    /// A share of what was paid, in thousandths of a percent.
    case percentage(Int)
    /// The unused share of a subscription's period.
    ///
    /// - Parameter shown: what whoever decided was shown of it; nil to give back what is left at this moment.
    case prorated(shown: Money? = nil)
}

/// Works out parts of a price.
package enum RefundPart {
    /// All of a price, in thousandths of a percent.
    package static let whole = 100_000
    /// How long what somebody was shown of an unused share is given back: it becomes less while a form is filled in.
    package static let longestShown = Duration.seconds(60 * 60)

    /// A share of a price, cut to whole minor units.
    package static func share(_ percentage: Int, of price: Money) -> Money {
        Money(
            minorUnits: Int64(Int128(price.minorUnits) * Int128(percentage) / Int128(whole)), currency: price.currency)
    }

    /// What a price is worth of a period that is not over, cut to whole minor units; nothing once it is over.
    package static func unused(of price: Money, from start: Instant, to end: Instant, at now: Instant) -> Money {
        let length = end.millisecondsSinceEpoch - start.millisecondsSinceEpoch
        let left = min(max(end.millisecondsSinceEpoch - now.millisecondsSinceEpoch, 0), length)
        guard length > 0 else { return .zero(price.currency) }
        return Money(
            minorUnits: Int64(Int128(price.minorUnits) * Int128(left) / Int128(length)), currency: price.currency)
    }
}
