/// Transactions of the customer in the app, a page of them.
package struct TransactionsAnswer: Codable, Hashable, Sendable {
    package var signedTransactions: [String]
    /// Ids among them that were not finished.
    package var unfinished: [TransactionID]
    /// Those among them that a restore brought back, each with the one it stands for.
    package var restored: [RestoredTransactionLink]
    /// Those among them that were not finished and came of purchases of this device, each with the key of its purchase.
    package var purchases: [PurchaseLink]
    /// Whether there are more after the last.
    package var hasMore: Bool
    /// The place in the events up to which these are complete.
    package var cursor: String

    package init(
        signedTransactions: [String], unfinished: [TransactionID], restored: [RestoredTransactionLink] = [],
        purchases: [PurchaseLink] = [], hasMore: Bool, cursor: String
    ) {
        self.signedTransactions = signedTransactions
        self.unfinished = unfinished
        self.restored = restored
        self.purchases = purchases
        self.hasMore = hasMore
        self.cursor = cursor
    }
}

/// A transaction that a restore brought back, and the one it stands for.
package struct RestoredTransactionLink: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var restoredTransactionId: TransactionID

    package init(transactionId: TransactionID, restoredTransactionId: TransactionID) {
        self.transactionId = transactionId
        self.restoredTransactionId = restoredTransactionId
    }
}

/// A transaction, and the key of the purchase that it came of.
package struct PurchaseLink: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var purchaseKey: PurchaseKey

    package init(transactionId: TransactionID, purchaseKey: PurchaseKey) {
        self.transactionId = transactionId
        self.purchaseKey = purchaseKey
    }
}

package struct EventsAnswer: Codable, Hashable, Sendable {
    package var events: [EventAnswer]
    /// Where to go on from.
    package var cursor: String
    package var hasMore: Bool

    package init(events: [EventAnswer], cursor: String, hasMore: Bool) {
        self.events = events
        self.cursor = cursor
        self.hasMore = hasMore
    }
}

package struct EventAnswer: Codable, Hashable, Sendable {
    /// Rises with every event of the customer.
    package var number: Int64
    /// `transaction`, `revocation`, `purchase`; devices pass over what they do not know.
    package var kind: String
    package var date: Instant
    /// Whether it came of something that this device did.
    package var isOwn: Bool
    /// The key of the purchase, if this device made it.
    package var purchaseKey: PurchaseKey?
    package var signedTransaction: String?
    /// Of a transaction that a restore brought back: the one it stands for.
    package var restoredTransactionId: TransactionID?
    package var isFinished: Bool?

    package init(
        number: Int64, kind: String, date: Instant, isOwn: Bool, purchaseKey: PurchaseKey? = nil,
        signedTransaction: String? = nil, restoredTransactionId: TransactionID? = nil, isFinished: Bool? = nil
    ) {
        self.number = number
        self.kind = kind
        self.date = date
        self.isOwn = isOwn
        self.purchaseKey = purchaseKey
        self.signedTransaction = signedTransaction
        self.restoredTransactionId = restoredTransactionId
        self.isFinished = isFinished
    }
}

package struct RestorationAnswer: Codable, Hashable, Sendable {
    /// What came back; each is in the events too.
    package var restored: [RestoredTransactionAnswer]

    package init(restored: [RestoredTransactionAnswer]) {
        self.restored = restored
    }
}

package struct RestoredTransactionAnswer: Codable, Hashable, Sendable {
    package var signedTransaction: String
    package var originalSignedTransaction: String

    package init(signedTransaction: String, originalSignedTransaction: String) {
        self.signedTransaction = signedTransaction
        self.originalSignedTransaction = originalSignedTransaction
    }
}

package struct EntitlementsAnswer: Codable, Hashable, Sendable {
    package var signedTransactions: [String]

    package init(signedTransactions: [String]) {
        self.signedTransactions = signedTransactions
    }
}

package struct ReceiptAnswer: Codable, Hashable, Sendable {
    /// In Base64.
    package var receipt: String

    package init(receipt: String) {
        self.receipt = receipt
    }
}
