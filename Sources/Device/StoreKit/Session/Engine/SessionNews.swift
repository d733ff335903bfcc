package import StoreModel

/// What a session tells whoever is attached.
// Closed: whoever is attached has to know all.
package enum SessionNews: Sendable {
    /// Everything that waits for the app, at the moment of attaching.
    case attached([QueueEntry])
    case updated([QueueEntry])
    case removed([QueueEntry.Key])
    case restoreFinished
    case restoreFailed(SessionFailure)
    case revoked([String])
    case storefrontChanged
    /// The person chose a product outside the app. Once the app has decided, it is settled.
    case promoted(ProductRecord, settled: @Sendable () -> Void)
    /// The storefront changed during a purchase: may it go on? The answer comes exactly once.
    case shouldContinue(QueueEntry.Key, StorefrontAnswer, answer: @Sendable (Bool) -> Void)
}
