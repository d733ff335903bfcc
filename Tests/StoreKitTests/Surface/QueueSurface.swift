import StoreKit

/// Every declaration of the payment queue with its type: what is missing or different does not compile.
enum QueueSurface {
    static func queues(_ queue: SKPaymentQueue) {
        let _: NSObject = queue
        let _: () -> SKPaymentQueue = SKPaymentQueue.init
        let _: () -> SKPaymentQueue = SKPaymentQueue.default
        let _: () -> Bool = SKPaymentQueue.canMakePayments
        let _: ReferenceWritableKeyPath<SKPaymentQueue, (any SKPaymentQueueDelegate)?> = \.delegate
        let _: KeyPath<SKPaymentQueue, SKStorefront?> = \.storefront
        let _: KeyPath<SKPaymentQueue, [any SKPaymentTransactionObserver]> = \.transactionObservers
        let _: KeyPath<SKPaymentQueue, [SKPaymentTransaction]> = \.transactions
        let _: (SKPaymentQueue) -> (SKPayment) -> Void = SKPaymentQueue.add
        let _: (SKPaymentQueue) -> (any SKPaymentTransactionObserver) -> Void = SKPaymentQueue.add
        let _: (SKPaymentQueue) -> (any SKPaymentTransactionObserver) -> Void = SKPaymentQueue.remove
        let _: (SKPaymentQueue) -> () -> Void = SKPaymentQueue.restoreCompletedTransactions
        let _: (SKPaymentQueue) -> (String?) -> Void = SKPaymentQueue.restoreCompletedTransactions(
            withApplicationUsername:)
        let _: (SKPaymentQueue) -> (SKPaymentTransaction) -> Void = SKPaymentQueue.finishTransaction
        let _: (SKPaymentQueue) -> ([SKDownload]) -> Void = SKPaymentQueue.start
        let _: (SKPaymentQueue) -> ([SKDownload]) -> Void = SKPaymentQueue.pause
        let _: (SKPaymentQueue) -> ([SKDownload]) -> Void = SKPaymentQueue.resume
        let _: (SKPaymentQueue) -> ([SKDownload]) -> Void = SKPaymentQueue.cancel
        let _: (SKPaymentQueue) -> () -> Void = SKPaymentQueue.showPriceConsentIfNeeded
        let _: (SKPaymentQueue) -> () -> Void = SKPaymentQueue.presentCodeRedemptionSheet
    }

    static func delegates(
        _ delegate: any SKPaymentQueueDelegate, _ queue: SKPaymentQueue, _ transaction: SKPaymentTransaction,
        _ storefront: SKStorefront
    ) {
        let _: any NSObjectProtocol = delegate
        let _: Bool = delegate.paymentQueue(queue, shouldContinue: transaction, in: storefront)
        let _: Bool = delegate.paymentQueueShouldShowPriceConsent(queue)
        let _: Bool? = delegate.paymentQueue?(queue, shouldContinue: transaction, in: storefront)
        let _: Bool? = delegate.paymentQueueShouldShowPriceConsent?(queue)
    }

    static func observers(
        _ observer: any SKPaymentTransactionObserver, _ queue: SKPaymentQueue, _ payment: SKPayment,
        _ product: SKProduct
    ) {
        let _: any NSObjectProtocol = observer
        observer.paymentQueue(queue, updatedTransactions: [SKPaymentTransaction]())
        observer.paymentQueue(queue, removedTransactions: [SKPaymentTransaction]())
        observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: SKError(.unknown) as any Error)
        observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        observer.paymentQueue(queue, updatedDownloads: [SKDownload]())
        let _: Bool = observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
        observer.paymentQueueDidChangeStorefront(queue)
        observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: [String]())
    }

    static func optionalMethods(
        _ observer: any SKPaymentTransactionObserver, _ queue: SKPaymentQueue, _ payment: SKPayment,
        _ product: SKProduct
    ) {
        observer.paymentQueue?(queue, removedTransactions: [SKPaymentTransaction]())
        observer.paymentQueue?(.default(), restoreCompletedTransactionsFailedWithError: SKError(.unknown))
        observer.paymentQueueRestoreCompletedTransactionsFinished?(.default())
        observer.paymentQueue?(queue, updatedDownloads: [SKDownload]())
        let _: Bool? = observer.paymentQueue?(queue, shouldAddStorePayment: payment, for: product)
        observer.paymentQueueDidChangeStorefront?(queue)
        observer.paymentQueue?(queue, didRevokeEntitlementsForProductIdentifiers: [String]())
    }

    /// Those who implement nothing but what they must.
    final class Observer: NSObject, SKPaymentTransactionObserver {
        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
    }

    final class ProductsDelegate: NSObject, SKProductsRequestDelegate {
        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
    }

    final class Indifferent: NSObject, SKRequestDelegate, SKPaymentQueueDelegate, SKStoreProductViewControllerDelegate {
    }
}
