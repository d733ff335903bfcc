import Foundation
import StoreKit

/// The manager of the reference documents, line by line in Swift: it asks for products, buys, restores, and posts what
/// became of it. Screens listen to what it posts.
// Safe: like the classes of the documents it is used on the main queue, where StoreKit calls its delegates.
class InAppPurchases: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    static let productsFetched = Notification.Name("InAppPurchaseManagerProductsFetchedNotification")
    static let transactionFailed = Notification.Name("InAppPurchaseManagerTransactionFailedNotification")
    static let transactionSucceeded = Notification.Name("InAppPurchaseManagerTransactionSucceededNotification")
    static let requestFailed = Notification.Name("InAppPurchaseManagerRequestFailedNotification")

    let goods: PurchasedGoods
    var invalidProducts: [String] = []
    private var productsRequest: SKProductsRequest?
    private var theObserver: CustomPaymentObserver?

    init(_ goods: PurchasedGoods) {
        self.goods = goods
        super.init()
        let observer = CustomPaymentObserver(self)
        theObserver = observer
        SKPaymentQueue.default().add(observer)
    }

    func close() {
        if let theObserver { SKPaymentQueue.default().remove(theObserver) }
    }

    func canMakePayments() -> Bool { SKPaymentQueue.canMakePayments() }

    // MARK: Products

    func requestProductData(_ productIdentifiers: [String]) {
        let request = SKProductsRequest(productIdentifiers: Set(productIdentifiers))
        productsRequest = request
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        invalidProducts = response.invalidProductIdentifiers
        let products = response.products.map { ($0.productIdentifier, $0) }
        NotificationCenter.default.post(
            name: Self.productsFetched, object: self, userInfo: Dictionary(uniqueKeysWithValues: products))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        NotificationCenter.default.post(name: Self.requestFailed, object: self, userInfo: ["error": error])
    }

    // MARK: Purchases

    func purchaseProduct(_ product: SKProduct, quantity: Int = 1) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    func completeTransaction(_ transaction: SKPaymentTransaction) {
        goods.deliver(transaction.payment.productIdentifier, quantity: transaction.payment.quantity)
        finishTransaction(transaction, wasSuccessful: true)
    }

    func restoreTransaction(_ transaction: SKPaymentTransaction) {
        // A restored transaction always has an original one.
        guard let original = transaction.original else { return }
        goods.deliver(original.payment.productIdentifier, quantity: original.payment.quantity)
        finishTransaction(transaction, wasSuccessful: true)
    }

    func failedTransaction(_ transaction: SKPaymentTransaction) {
        goods.failures.append((transaction.error as? SKError)?.code.rawValue ?? -1)
        finishTransaction(transaction, wasSuccessful: false)
    }

    func restore() { SKPaymentQueue.default().restoreCompletedTransactions() }

    private func finishTransaction(_ transaction: SKPaymentTransaction, wasSuccessful: Bool) {
        SKPaymentQueue.default().finishTransaction(transaction)
        NotificationCenter.default.post(
            name: wasSuccessful ? Self.transactionSucceeded : Self.transactionFailed, object: self,
            userInfo: ["transaction": transaction])
    }
}

extension SKProduct {
    /// The extension of the documents, without the behaviour that a formatter has anyway; Foundation on Linux has no name
    /// for it.
    var localizedPrice: String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = priceLocale
        return formatter.string(from: price)
    }
}
