package import StoreHTTP
package import StoreModel

/// Who moves the money: reserves it, takes it, lets go of it, gives it back.
///
/// Every call that moves money has a key. One key has one effect for ever: a repeat gets the first answer, and other
/// parameters under the same key are refused. So whoever lost an answer looks the key up, or asks again with the same key
/// and parameters.
///
/// Everything throws ``ProcessorError``, which says whether the call may have had its effect. A time-out is never a refusal.
package protocol PaymentProcessor: Sendable {
    /// Reserves an amount at the customer's means of payment.
    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome

    /// Takes what was reserved, or less; the rest is let go of.
    ///
    /// - Parameter reference: what authorising answered.
    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome

    /// Lets go of what was reserved and not taken. Also ends an action that the customer has not done yet.
    ///
    /// - Parameter reference: what authorising answered.
    func void(key: String, reference: String) async throws(ProcessorError)

    /// Gives back what was taken, or a part of it.
    ///
    /// - Parameter reference: what capturing answered.
    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome

    /// What came of the call with a key, as it stands now: of an action that the customer has done since, the result.
    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome

    /// What the processor says of its own accord, after a proof that it is the one who says it.
    ///
    /// - Parameters:
    ///   - fields: of the request that brought it.
    ///   - body: of that request, as it came.
    ///   - time: wall time; news that are too old are refused.
    func news(fields: HTTPFields, body: [UInt8], at time: Instant) throws(ProcessorError) -> ProcessorNews
}
