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

/// `delegate.paymentQueue?(queue, shouldContinue: transaction, in: storefront)`, as apps call it on Apple's platforms.
///
/// There every optional method may be missing. Here each has a body, so that there is always one to call.
public struct OptionalQueueMethod {
    let delegate: any SKPaymentQueueDelegate

    /// Asks the delegate whether a purchase goes on in another storefront.
    public func callAsFunction(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        delegate.paymentQueue(paymentQueue, shouldContinue: transaction, in: newStorefront)
    }
}

extension SKPaymentQueueDelegate {
    /// What `delegate.paymentQueue?(…)` calls.
    @_disfavoredOverload
    public var paymentQueue: OptionalQueueMethod? { OptionalQueueMethod(delegate: self) }

    /// What `delegate.paymentQueueShouldShowPriceConsent?(queue)` calls.
    @_disfavoredOverload
    public var paymentQueueShouldShowPriceConsent: ((SKPaymentQueue) -> Bool)? {
        { self.paymentQueueShouldShowPriceConsent($0) }
    }
}

extension SKStoreProductViewControllerDelegate {
    /// What `delegate.productViewControllerDidFinish?(controller)` calls.
    @_disfavoredOverload
    public var productViewControllerDidFinish: ((SKStoreProductViewController) -> Void)? {
        { self.productViewControllerDidFinish($0) }
    }
}

/// `delegate.request?(request, didFailWithError: error)`, as apps call it on Apple's platforms.
///
/// There every optional method may be missing. Here each has a body, so that there is always one to call.
public struct OptionalRequestMethod {
    let delegate: any SKRequestDelegate

    /// Tells the delegate that its request failed.
    public func callAsFunction(_ request: SKRequest, didFailWithError error: any Error) {
        delegate.request(request, didFailWithError: error)
    }
}

extension SKRequestDelegate {
    /// What `delegate.request?(…)` calls.
    @_disfavoredOverload
    public var request: OptionalRequestMethod? { OptionalRequestMethod(delegate: self) }

    /// What `delegate.requestDidFinish?(request)` calls.
    @_disfavoredOverload
    public var requestDidFinish: ((SKRequest) -> Void)? { { self.requestDidFinish($0) } }
}
