/// The life of one refund. The intent is kept before the processor is asked.
package struct Refund: Hashable, Sendable {
    package private(set) var state: State
    /// What the processor said of a refund that it refused.
    package private(set) var failure: String?
    /// The processor's name of the money it gave back.
    package private(set) var reference: String?

    package init(state: State = .refunding, failure: String? = nil, reference: String? = nil) {
        self.state = state
        self.failure = failure
        self.reference = reference
    }

    // Closed: a state comes with all that handles it, and nobody else switches over them.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// The processor is asked to give the money back.
        case refunding
        /// The customer has it, and the transaction is revoked.
        case refunded
        /// The processor refused.
        case failed
    }

    // Closed: nobody but the machine switches over them.
    package enum Event: Hashable, Sendable {
        case refunded(reference: String)
        case refused(code: String)
    }

    // Closed: whoever does it must know all.
    package enum Action: Hashable, Sendable {
        /// Take the transaction back and book the money, in the same breath as the state.
        case revoke
    }

    /// Takes in what the processor said. What was said before changes nothing.
    package mutating func handle(_ event: Event) -> [Action] {
        guard state == .refunding else { return [] }
        switch event {
        case .refunded(let reference):
            state = .refunded
            self.reference = reference
            return [.revoke]
        case .refused(let code):
            state = .failed
            failure = code
            return []
        }
    }
}
