/// What an engine tells a payment queue.
package enum PaymentEvent: Sendable {
    /// Every unfinished transaction, in the order of their purchases: the first event of each attachment.
    case attached([PaymentRecord])

    /// Transactions are new, or have changed.
    case updated([PaymentRecord])

    /// Transactions were finished, by this process or by another one of the app.
    case removed([PaymentKey])

    /// The restore has delivered everything.
    case restoreFinished

    /// The restore was cancelled or failed.
    case restoreFailed(SKError)

    /// The person chose a product outside the app.
    ///
    /// It waits for an observer that decides. If one wants it now, the queue calls ``OriginalSession/add(_:)`` with the
    /// order; whatever was decided, the queue then says that it is settled.
    case promoted(PaymentOrder, ProductRecord, settled: @Sendable () -> Void = {})

    /// The person has another storefront.
    case storefrontChanged

    /// The person lost what they had bought, by a refund for example.
    case entitlementsRevoked([String])

    /// The storefront changed during a purchase: may it go on? The answer comes exactly once.
    case shouldContinue(PaymentKey, StorefrontValue, answer: @Sendable (Bool) -> Void)

    /// A price rises: may the person be asked now? The answer comes exactly once.
    case shouldShowPriceConsent(answer: @Sendable (Bool) -> Void)
}
