/// `observer.paymentQueue?(queue, removedTransactions: transactions)` and its like, as apps call them on Apple's platforms.
///
/// There every optional method may be missing. Here each has a body, so that there is always one to call.
public struct OptionalObserverMethod {
    let observer: any SKPaymentTransactionObserver

    /// Tells the observer which transactions have left the queue.
    public func callAsFunction(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        observer.paymentQueue(queue, removedTransactions: transactions)
    }

    /// Tells the observer that a restore failed.
    public func callAsFunction(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
    }

    /// Tells the observer how far downloads have come.
    public func callAsFunction(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        observer.paymentQueue(queue, updatedDownloads: downloads)
    }

    /// Asks the observer whether a purchase that was begun outside the app goes on.
    public func callAsFunction(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
    }

    /// Tells the observer which products the person may no longer use.
    public func callAsFunction(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
    }
}

extension SKPaymentTransactionObserver {
    /// What `observer.paymentQueue?(…)` calls.
    @_disfavoredOverload
    public var paymentQueue: OptionalObserverMethod? { OptionalObserverMethod(observer: self) }

    /// What `observer.paymentQueueRestoreCompletedTransactionsFinished?(queue)` calls.
    @_disfavoredOverload
    public var paymentQueueRestoreCompletedTransactionsFinished: ((SKPaymentQueue) -> Void)? {
        { self.paymentQueueRestoreCompletedTransactionsFinished($0) }
    }

    /// What `observer.paymentQueueDidChangeStorefront?(queue)` calls.
    @_disfavoredOverload
    public var paymentQueueDidChangeStorefront: ((SKPaymentQueue) -> Void)? {
        { self.paymentQueueDidChangeStorefront($0) }
    }
}
