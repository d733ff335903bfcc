/// The subscriptions of the customer in the app, as they stand now.
package struct SubscriptionsAnswer: Codable, Hashable, Sendable {
    /// The customer's own, and those that somebody in the family shares; the oldest first.
    package var subscriptions: [SubscriptionStatusAnswer]

    package init(subscriptions: [SubscriptionStatusAnswer]) {
        self.subscriptions = subscriptions
    }
}

/// How a subscription stands.
package struct SubscriptionStatusAnswer: Codable, Hashable, Sendable {
    /// The group of its product; the product itself where that is in none.
    package var subscriptionGroupIdentifier: String
    package var status: WireSubscriptionStatus
    package var originalTransactionId: TransactionID
    /// The newest period.
    package var signedTransaction: String
    /// What comes after it.
    package var signedRenewalInfo: String

    package init(
        subscriptionGroupIdentifier: String, status: WireSubscriptionStatus, originalTransactionId: TransactionID,
        signedTransaction: String, signedRenewalInfo: String
    ) {
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.status = status
        self.originalTransactionId = originalTransactionId
        self.signedTransaction = signedTransaction
        self.signedRenewalInfo = signedRenewalInfo
    }
}

/// The download of the app that the device has.
package struct AppTransactionAnswer: Codable, Hashable, Sendable {
    package var signedAppTransaction: String

    package init(signedAppTransaction: String) {
        self.signedAppTransaction = signedAppTransaction
    }
}

/// Asks for money back.
package struct RefundWishRequest: Codable, Hashable, Sendable {
    package var reason: RefundRequestReason

    package init(reason: RefundRequestReason) {
        self.reason = reason
    }
}
