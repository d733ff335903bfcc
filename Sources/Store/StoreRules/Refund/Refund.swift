import StoreModel

/// The life of one refund: money back of one charge, all of it or a part. The intent is kept before the processor is asked.
package struct Refund: Hashable, Sendable {
    package private(set) var state: State
    /// What the processor said of a refund that it refused.
    package private(set) var failure: String?
    /// The processor's name for the money it gave back.
    package private(set) var reference: String?
    /// Whether the transaction goes with the money. After a proration the customer keeps what the order gave.
    package let revokes: Bool

    package init(revokes: Bool, state: State = .refunding, failure: String? = nil, reference: String? = nil) {
        self.revokes = revokes
        self.state = state
        self.failure = failure
        self.reference = reference
    }

    // Closed: a state comes with all that handles it.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// The processor is asked to give the money back.
        case refunding
        /// The customer has it.
        case refunded
        /// The processor refused.
        case failed
        /// The store has the money again: the bank decided so after a dispute.
        case reversed
    }

    // Closed: only the machine switches over it.
    package enum Event: Hashable, Sendable {
        case refunded(reference: String)
        case refused(code: String)
        /// A dispute ended in favour of the store.
        case reversed
    }

    /// What is to be done in the transaction that keeps the state.
    // Closed: the use case that carries them out must know all.
    package enum Action: Hashable, Sendable {
        /// Book the money back.
        case book
        /// Revoke the transaction.
        case revoke
        /// Let the amount be refunded by another refund: this one came to nothing.
        case release
        /// Book the money to the store again.
        case bookReversal
        /// Lift the revocation.
        case reinstate
    }

    /// Whether the processor has to be asked.
    package var isPending: Bool { state == .refunding }

    /// Takes in what the processor said. What it said before changes nothing.
    package mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.refunding, .refunded(let reference)):
            state = .refunded
            self.reference = reference
            return revokes ? [.book, .revoke] : [.book]
        case (.refunding, .refused(let code)):
            state = .failed
            failure = code
            return [.release]
        case (.refunded, .reversed):
            state = .reversed
            return revokes ? [.bookReversal, .release, .reinstate] : [.bookReversal, .release]
        default: return []
        }
    }
}

/// Why money is given back.
package struct RefundKind: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// All that was captured and not given back yet; takes the transaction with it.
    package static let full = RefundKind(rawValue: "full")
    /// An amount that somebody chose.
    package static let amount = RefundKind(rawValue: "amount")
    /// The unused part of a period that an upgrade or a refund ended.
    package static let proration = RefundKind(rawValue: "proration")

    package static let known: Set<RefundKind> = [.full, .amount, .proration]
}

/// Splits what a sale was booked as when a part of it is given back.
package enum RefundShare {
    /// The part of each posting of a sale that a refund turns round.
    ///
    /// The first posting is the whole sale; the others share it. What all refunds together give back of a share is cut to
    /// whole units, and the remainder goes to the last posting. So however the parts are cut, a sale that is refunded whole
    /// sums to zero in every account.
    ///
    /// - Parameters:
    ///   - sale: the amounts of the sale's postings, which sum to zero.
    ///   - earlier: what earlier refunds turned round of each, summed, with the sign of a refund.
    ///   - amount: what is given back now.
    /// - Returns: the amounts of the refund's postings in the same order; they sum to zero.
    package static func postings(of sale: [Int64], earlier: [Int64], giving amount: Int64) -> [Int64] {
        guard let whole = sale.first, whole > 0, let given = earlier.first else { return [] }
        let sum = Int128(amount) - Int128(given)
        var targets = sale.map { part in -Int64(Int128(part) * sum / Int128(whole)) }
        targets[targets.count - 1] -= targets.reduce(0, +)
        return zip(targets, earlier).map { $0 - $1 }
    }
}
