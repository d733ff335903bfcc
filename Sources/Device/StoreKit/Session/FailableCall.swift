/// The calls of StoreKit that a test may let fail, by the names that `.storekit` files have for them.
package enum FailableCall: String, CaseIterable, Sendable {
    case loadProducts = "Load Products"
    case purchase = "Purchase"
    /// Every verification of something signed, which then is not believed.
    case verification = "Verification"
    case appStoreSync = "App Store Sync"
    case subscriptionStatus = "Subscription Status"
    case appTransaction = "App Transaction"
    case manageSubscriptions = "Manage Subscriptions Sheet"
    case refundRequest = "Refund Request Sheet"
    case offerCodeRedeem = "Offer Code Redeem Sheet"
}

extension OriginalSession {
    /// Throws the error that a test lets a call fail with, if one does.
    package func failIfSimulated(_ call: FailableCall) throws {
        if let error = simulatedFailure(of: call) { throw error }
    }

    package func simulatedFailure(of call: FailableCall) -> (any Error)? { nil }
}
