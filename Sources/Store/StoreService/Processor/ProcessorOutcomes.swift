/// What came of asking a processor to reserve an amount.
// Closed: a processor that knows more ways says which of these each of them comes to.
package enum AuthoriseOutcome: Hashable, Sendable {
    /// The amount is reserved, under this reference.
    case approved(reference: String)
    /// Nothing is reserved, and nothing will be under this key.
    case declined(PaymentRefusal)
    /// The customer has to do something at an address first; nothing is reserved until then.
    case actionNeeded(reference: String, url: String)
}

/// What came of taking a reserved amount.
// Closed: money was taken or it was not.
package enum CaptureOutcome: Hashable, Sendable {
    /// The amount was taken, under this reference.
    case captured(reference: String)
    /// Nothing was taken, and nothing will be under this key. The reservation stands until it is voided.
    case failed(PaymentRefusal)
}

/// What came of giving an amount back.
// Closed: money was given back or it was not.
package enum RefundOutcome: Hashable, Sendable {
    /// The amount was given back, under this reference.
    case refunded(reference: String)
    /// Nothing was given back, and nothing will be under this key.
    case failed(PaymentRefusal)
}

/// What a processor knows of a key.
// Closed: these are the calls that have keys.
package enum LookupOutcome: Hashable, Sendable {
    /// No call with this key has had an effect so far.
    case nothing
    case authorise(AuthoriseOutcome)
    case capture(CaptureOutcome)
    case voided
    case refund(RefundOutcome)
}
