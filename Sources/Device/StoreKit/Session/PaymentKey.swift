/// What tells one transaction of a journal from all others, from before it has an identifier of the store.
package struct PaymentKey: Hashable, Sendable, CustomStringConvertible {
    /// The key of the purchase, or of the restored transaction, as the journal has it.
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}
