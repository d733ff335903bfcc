/// A page of the customer's transactions in the app.
package struct TransactionsAnswer: Codable, Hashable, Sendable {
    package var signedTransactions: [String]
    /// The ids of the unfinished ones.
    package var unfinished: [TransactionID]
    /// The restored ones, each with its original.
    package var restored: [RestoredTransactionLink]
    /// The unfinished ones from purchases of this device, each with the key of its purchase.
    package var purchases: [PurchaseLink]
    /// Whether there are more pages.
    package var hasMore: Bool
    /// The cursor up to whose events these are complete.
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

/// A restored transaction, and its original.
package struct RestoredTransactionLink: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var restoredTransactionId: TransactionID

    package init(transactionId: TransactionID, restoredTransactionId: TransactionID) {
        self.transactionId = transactionId
        self.restoredTransactionId = restoredTransactionId
    }
}

/// A transaction, and the key of its purchase.
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
    /// The cursor for the next request.
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
    package var kind: CustomerEventKind
    package var date: Instant
    /// Whether this device caused it.
    package var isOwn: Bool
    /// The key of the purchase, if this device made it.
    package var purchaseKey: PurchaseKey?
    package var signedTransaction: String?
    /// The original of a restored transaction.
    package var restoredTransactionId: TransactionID?
    package var isFinished: Bool?
    /// A transaction that another device has for itself; it is not to be delivered here.
    package var withdrawnTransactionId: TransactionID?

    package init(
        number: Int64, kind: CustomerEventKind, date: Instant, isOwn: Bool, purchaseKey: PurchaseKey? = nil,
        signedTransaction: String? = nil, restoredTransactionId: TransactionID? = nil, isFinished: Bool? = nil,
        withdrawnTransactionId: TransactionID? = nil
    ) {
        self.withdrawnTransactionId = withdrawnTransactionId
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
    /// The restored transactions; each is in the events too.
    package var restored: [RestoredTransactionAnswer]
    /// What the next page begins after; nil where this is the last one.
    package var next: TransactionID?

    package init(restored: [RestoredTransactionAnswer], next: TransactionID? = nil) {
        self.restored = restored
        self.next = next
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

/// Of which transactions the receipts are wanted.
package struct ReceiptsRequest: Codable, Hashable, Sendable {
    /// The most of one request.
    package static let longest = 100

    package var transactionIds: [TransactionID]

    package init(transactionIds: [TransactionID]) {
        self.transactionIds = transactionIds
    }
}

package struct ReceiptsAnswer: Codable, Hashable, Sendable {
    /// In the form of iOS 6; those of transactions that the customer does not have are left out.
    package var receipts: [TransactionReceiptAnswer]

    package init(receipts: [TransactionReceiptAnswer]) {
        self.receipts = receipts
    }
}

/// A transaction, and its receipt.
package struct TransactionReceiptAnswer: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    /// In Base64.
    package var receipt: String

    package init(transactionId: TransactionID, receipt: String) {
        self.transactionId = transactionId
        self.receipt = receipt
    }
}

/// Properties that an app wants in its receipt for tests. They are not true, so only the sandbox follows them.
package struct ReceiptProperties: Hashable, Sendable {
    package var isExpired: Bool
    package var isRevoked: Bool
    package var isVolumePurchase: Bool

    package init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.isVolumePurchase = isVolumePurchase
    }
}
