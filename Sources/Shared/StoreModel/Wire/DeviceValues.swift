/// How far a purchase has come, as `/device/v1` tells it.
package struct PurchaseState: WireValue {
    package let rawValue: String

    /// Any state, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer has to sign in.
    package static let signIn = PurchaseState(rawValue: "sign-in")
    /// The customer has to say yes.
    package static let confirmation = PurchaseState(rawValue: "confirmation")
    /// The customer said yes and has to settle something with the store first.
    package static let interrupted = PurchaseState(rawValue: "interrupted")
    /// The store is asking the payment processor.
    package static let processing = PurchaseState(rawValue: "processing")
    /// The customer has to complete the payment elsewhere, as with the bank.
    package static let action = PurchaseState(rawValue: "action")
    /// There is a transaction.
    package static let purchased = PurchaseState(rawValue: "purchased")
    /// The processor refused the money.
    package static let declined = PurchaseState(rawValue: "declined")
    /// The customer said no.
    package static let cancelled = PurchaseState(rawValue: "cancelled")
    /// It ended without a transaction for another reason.
    package static let failed = PurchaseState(rawValue: "failed")

    package static let known: Set<PurchaseState> = [
        .signIn, .confirmation, .interrupted, .processing, .action, .purchased, .declined, .cancelled, .failed,
    ]
}

/// What the devices of a customer are told has happened. Devices pass over kinds that they do not know.
package struct CustomerEventKind: WireValue {
    package let rawValue: String

    /// Any kind, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// There is a transaction, or one has come again.
    package static let transaction = CustomerEventKind(rawValue: "transaction")
    /// A transaction was revoked.
    package static let revocation = CustomerEventKind(rawValue: "revocation")
    /// A purchase is in another state than before.
    package static let purchase = CustomerEventKind(rawValue: "purchase")
    /// Something that a store for tests has taken back, as if it had never been.
    package static let forgotten = CustomerEventKind(rawValue: "forgotten")

    package static let known: Set<CustomerEventKind> = [.transaction, .revocation, .purchase, .forgotten]
}
