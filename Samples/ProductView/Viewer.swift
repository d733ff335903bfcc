import Foundation
import StoreKit

/// Shows pages of the store, one at a time, and buys what is chosen there of the app itself.
///
/// Everything here happens on the main queue, where StoreKit calls its delegates and observers.
@MainActor
final class Viewer: NSObject {
    /// What the person is told.
    // Closed: only this app switches over them.
    enum News {
        case shown
        case closed
        case notShown(any Error)
        /// A product of the app was chosen on its page.
        case chosen(SKProduct)
        case bought(String)
        case failed(String, (any Error)?)
    }

    private var controller: SKStoreProductViewController?
    /// A payment is on its way, and the queue has not yet said so.
    private var isBuying = false
    private let tell: @MainActor (News) -> Void

    init(tell: @escaping @MainActor (News) -> Void) {
        self.tell = tell
        super.init()
        queue.add(self)
    }

    private var queue: SKPaymentQueue { .default() }

    /// Whether something is shown or bought: StoreKit may have a question open then.
    var isBusy: Bool {
        controller != nil || isBuying || queue.transactions.contains { $0.transactionState == .purchasing }
    }

    /// Shows the page of an item, by its number or what the person took for one.
    func show(_ identifier: Any) {
        let controller = SKStoreProductViewController()
        controller.delegate = self
        self.controller = controller
        controller.loadProduct(withParameters: [SKStoreProductParameterITunesItemIdentifier: identifier]) {
            isLoaded, error in
            MainActor.assumeIsolated { self.isLoaded(isLoaded, error) }
        }
    }

    private func isLoaded(_ isLoaded: Bool, _ error: (any Error)?) {
        guard isLoaded else {
            controller = nil
            return tell(.notShown(error ?? SKError(.unknown)))
        }
        tell(.shown)
        controller?.present()
    }
}

extension Viewer: @MainActor SKStoreProductViewControllerDelegate {
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        viewController.dismiss(animated: true)
        controller = nil
        tell(.closed)
    }
}

extension Viewer: @MainActor SKPaymentTransactionObserver {
    /// What is chosen on the app's own page goes on in the app.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        isBuying = true
        tell(.chosen(product))
        return true
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        isBuying = false
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchased, .restored:
                queue.finishTransaction(transaction)
                tell(.bought(product))
            case .failed:
                queue.finishTransaction(transaction)
                tell(.failed(product, transaction.error))
            default: break
            }
        }
    }
}
