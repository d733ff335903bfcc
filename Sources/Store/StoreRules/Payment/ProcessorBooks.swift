package import StoreModel

/// What a processor has in its own books, to hold the store's against. Both calls go by the keys that the store gave its
/// calls.
package protocol ProcessorBooks: Sendable {
    /// What money moved after a place in the processor's books, which only the processor understands; a page of it.
    func movements(after place: String?, limit: Int) async throws -> ProcessorMovementPage

    /// What money moved under some keys; those under which none did are left out.
    func movements(of keys: [String]) async throws -> [ProcessorMovement]
}

/// Some of what money a processor moved, each once over all pages.
package struct ProcessorMovementPage: Hashable, Sendable {
    package let movements: [ProcessorMovement]
    /// Where the next page begins; nil if this is the last.
    package let next: String?

    package init(_ movements: [ProcessorMovement], next: String?) {
        self.movements = movements
        self.next = next
    }
}

/// Money that a processor took or gave back under a key.
package struct ProcessorMovement: Hashable, Sendable {
    // Closed: money comes or goes.
    package enum Kind: String, Hashable, Sendable {
        case captured
        case refunded
    }

    package let key: String
    package let kind: Kind
    package let amount: Money

    package init(key: String, kind: Kind, amount: Money) {
        self.key = key
        self.kind = kind
        self.amount = amount
    }
}
