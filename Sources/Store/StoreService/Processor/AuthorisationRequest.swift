package import StoreModel

/// What a processor is asked to reserve.
package struct AuthorisationRequest: Hashable, Sendable {
    /// Names this order for ever: `purchase/<id>/authorise`.
    package let key: String
    package let amount: Money
    /// The customer's means of payment, by the processor's own token for it.
    package let method: String
    /// What it is for, in words the customer finds on their statement.
    package let description: String

    package init(key: String, amount: Money, method: String, description: String) {
        self.key = key
        self.amount = amount
        self.method = method
        self.description = description
    }
}
