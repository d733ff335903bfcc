package import StoreModel

/// What a processor has in its own books, to hold ours against. Both calls go by the keys of
/// ``PurchaseRoad/key(_:_:)`` and ``RefundRoad/key(_:)``.
package protocol ProcessorBooks: Sendable {
    /// What money moved under keys after one, in the order of the keys' bytes; at most `limit`.
    func movements(after key: String?, limit: Int) async throws -> [ProcessorMovement]

    /// What money moved under some keys; those under which none did are left out.
    func movements(of keys: [String]) async throws -> [ProcessorMovement]
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
