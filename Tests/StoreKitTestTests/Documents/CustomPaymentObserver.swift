import Foundation
import StoreKit

/// The observer of the reference documents: it hands what is bought, failed and restored to the manager.
// Safe: like the classes of the documents it is used on the main queue, where StoreKit calls its observers.
final class CustomPaymentObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private unowned let theManager: InAppPurchases

    init(_ manager: InAppPurchases) { theManager = manager }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                if transaction.downloads.isEmpty {
                    theManager.completeTransaction(transaction)
                } else {
                    queue.start(transaction.downloads)
                }
            case .failed: theManager.failedTransaction(transaction)
            case .restored: theManager.restoreTransaction(transaction)
            default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        theManager.goods.endsOfRestores.append("finished")
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        theManager.goods.endsOfRestores.append(error.localizedDescription)
    }
}

/// What the apps of the documents keep of what was bought: a balance of credits, and filters that are on.
// Safe: used on the main queue.
final class PurchasedGoods: @unchecked Sendable {
    var balance = 0
    var filters: Set<String> = []
    var failures: [Int] = []
    var endsOfRestores: [String] = []

    func deliver(_ product: String, quantity: Int) {
        if product.contains("credits") { balance += 5 * quantity } else { filters.insert(product) }
    }
}
