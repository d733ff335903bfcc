/// What watches the payment queue.
///
/// Every method is called on the main queue, and never before the call of the app that caused it has returned.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Transactions are new or have changed; only those are in the list.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])

    /// Transactions were finished and have left the queue.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])

    /// A restore was cancelled or failed; nothing more comes of it.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)

    /// A restore has delivered everything there was.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)

    /// Downloads have changed; only those are in the list, often several.
    ///
    /// Called at irregular intervals from ``SKPaymentQueue/start(_:)`` on, at most ten times a second with the newest of each
    /// download, and at once when one was paused, has finished, has failed or was cancelled.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])

    /// The person chose a product outside the app; return whether to buy it now.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool

    /// The person has another storefront: names and prices of products may be others.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)

    /// The person may no longer use these products, after a refund for example.
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
}

extension SKPaymentTransactionObserver {
    /// Does nothing, for observers that need not know.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}

    /// Does nothing, for observers that need not know.
    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {}

    /// Does nothing, for observers that need not know.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}

    /// Does nothing, for observers that need not know.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}

    /// Does not buy what was chosen outside the app; it waits for an observer that decides.
    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        queue.delivery.leaveUndecided()
        return false
    }

    /// Does nothing, for observers that need not know.
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}

    /// Does nothing, for observers that need not know.
    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
}
