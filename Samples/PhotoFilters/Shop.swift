import Foundation
import StoreKit

/// What talks to StoreKit: it watches the payment queue from the start of the app on, and unlocks what was bought or restored.
///
/// Everything here happens on the main queue, where StoreKit calls its delegates and observers.
@MainActor
final class Shop: NSObject {
    /// What the person is told.
    // Closed: only this app switches over them.
    enum News {
        case productsFetched
        case productsFailed(any Error)
        case purchasing(String)
        case deferred(String)
        case failed(String, (any Error)?)
        case unlocked(String, isRestored: Bool)
        case takenBack(String)
        case notKept(String, any Error)
        case restored
        case restoreFailed(any Error)
    }

    private(set) var possessions: Possessions
    private(set) var products: [String: SKProduct] = [:]
    private var isAskingForPrices = false
    private var isRestoring = false
    /// A payment was added, and the queue has not yet said so.
    private var isBuying = false
    private let tell: @MainActor (News) -> Void
    private var request: SKProductsRequest?

    init(_ possessions: Possessions, tell: @escaping @MainActor (News) -> Void) {
        self.possessions = possessions
        self.tell = tell
        super.init()
        queue.add(self)
    }

    private var queue: SKPaymentQueue { .default() }

    /// Whether the person is in the middle of something; StoreKit may be asking questions then.
    var isBusy: Bool {
        isAskingForPrices || isRestoring || isBuying
            || queue.transactions.contains { $0.transactionState == .purchasing }
    }

    func askForPrices() {
        guard !isAskingForPrices else { return }
        isAskingForPrices = true
        let request = SKProductsRequest(productIdentifiers: Set(Filter.products))
        request.delegate = self
        self.request = request
        request.start()
    }

    func buy(_ product: SKProduct) {
        isBuying = true
        queue.add(SKPayment(product: product))
    }

    func restore() {
        isRestoring = true
        queue.restoreCompletedTransactions()
    }

    /// Unlocks first, finishes then: what is not on the disk is not finished, and comes again.
    private func complete(_ transaction: SKPaymentTransaction) {
        // What is restored was bought by another transaction, whose payment says what it was.
        let product = (transaction.original?.payment ?? transaction.payment).productIdentifier
        do {
            try possessions.unlock(product)
        } catch {
            return tell(.notKept(product, error))
        }
        queue.finishTransaction(transaction)
        tell(.unlocked(product, isRestored: transaction.transactionState == .restored))
    }
}

extension Shop: @MainActor SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products { products[product.productIdentifier] = product }
        for identifier in response.invalidProductIdentifiers { products[identifier] = nil }
    }

    func requestDidFinish(_ request: SKRequest) {
        isAskingForPrices = false
        tell(.productsFetched)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        isAskingForPrices = false
        tell(.productsFailed(error))
    }
}

extension Shop: @MainActor SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        isBuying = false
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            if Club.Plan(id: product) != nil {
                // The club asks for what is current. What was bought is for it to finish; a restore brings it copies of that.
                if transaction.transactionState == .restored { queue.finishTransaction(transaction) }
                continue
            }
            switch transaction.transactionState {
            case .purchasing: tell(.purchasing(product))
            case .deferred: tell(.deferred(product))
            case .purchased, .restored: complete(transaction)
            case .failed:
                queue.finishTransaction(transaction)
                tell(.failed(product, transaction.error))
            @unknown default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        isRestoring = false
        tell(.restored)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        isRestoring = false
        tell(.restoreFailed(error))
    }

    /// The person got the money back, or the store has taken something back.
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        for product in productIdentifiers where Club.Plan(id: product) == nil {
            // A purchase and what was restored from it are taken back one after the other.
            let wasHere = possessions.products.contains(product)
            do {
                try possessions.takeBack(product)
                if wasHere { tell(.takenBack(product)) }
            } catch {
                tell(.notKept(product, error))
            }
        }
    }
}
