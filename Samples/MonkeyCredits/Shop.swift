import Foundation
import StoreKit

extension Notification.Name {
    /// The prices are here.
    static let productsFetched = Notification.Name("productsFetched")
    /// The prices could not be had; the object is the error.
    static let requestFailed = Notification.Name("requestFailed")
    /// Something was bought or restored, and is delivered; the object is the transaction.
    static let transactionSucceeded = Notification.Name("transactionSucceeded")
    /// Nothing was bought; the object is the transaction.
    static let transactionFailed = Notification.Name("transactionFailed")
    /// A purchase has begun, or waits for somebody else; the object is the transaction.
    static let transactionContinues = Notification.Name("transactionContinues")
    /// Something was refunded, and is taken away.
    static let entitlementsRevoked = Notification.Name("entitlementsRevoked")
    /// A restore has ended; the object is its error, if it failed.
    static let restoreEnded = Notification.Name("restoreEnded")
}

/// What talks to StoreKit: it asks for prices, watches the payment queue from the start of the app on, and delivers.
///
/// Everything here happens on the main queue, where StoreKit calls its delegates and observers.
@MainActor
final class Shop: NSObject {
    private(set) var wallet: Wallet
    private(set) var products: [Goods: SKProduct] = [:]
    private(set) var isAskingForPrices = false
    private(set) var isRestoring = false
    /// A payment was added, and the queue has not yet said so.
    private var isBuying = false
    /// What became of the last delivery.
    private(set) var delivery = Delivery.added
    /// What was taken away last.
    private(set) var takenBack: Goods?
    private let leavesUnfinished: Bool
    private var request: SKProductsRequest?

    /// - Parameter leavesUnfinished: delivers, but never finishes, so that everything comes again.
    init(_ wallet: Wallet, leavesUnfinished: Bool) {
        self.wallet = wallet
        self.leavesUnfinished = leavesUnfinished
        super.init()
        SKPaymentQueue.default().add(self)
    }

    /// Whether the person is in the middle of something; StoreKit may be asking questions then.
    var isBusy: Bool {
        isAskingForPrices || isRestoring || isBuying
            || SKPaymentQueue.default().transactions.contains { $0.transactionState == .purchasing }
    }

    func askForPrices() {
        guard !isAskingForPrices else { return }
        isAskingForPrices = true
        let request = SKProductsRequest(productIdentifiers: Set(Goods.allCases.map(\.rawValue)))
        request.delegate = self
        self.request = request
        request.start()
    }

    func buy(_ product: SKProduct, quantity: Int) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        isBuying = true
        SKPaymentQueue.default().add(payment)
    }

    func restore() {
        isRestoring = true
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    private func complete(_ transaction: SKPaymentTransaction) {
        do {
            delivery = try deliver(transaction)
        } catch {
            // What is not on the disk is not finished, and comes again.
            delivery = .unsaved(error)
            return post(.transactionFailed, transaction)
        }
        if !leavesUnfinished { SKPaymentQueue.default().finishTransaction(transaction) }
        post(.transactionSucceeded, transaction)
    }

    private func deliver(_ transaction: SKPaymentTransaction) throws -> Delivery {
        let payment = transaction.original?.payment ?? transaction.payment
        guard let goods = Goods(rawValue: payment.productIdentifier), let id = transaction.transactionIdentifier
        else { return .unknown }
        if transaction.transactionState == .restored {
            try wallet.restore(goods)
            return .restored
        }
        return try wallet.deliver(goods, quantity: transaction.payment.quantity, of: id) ? .added : .repeated
    }

    private func post(_ name: Notification.Name, _ object: Any? = nil) {
        NotificationCenter.default.post(name: name, object: object)
    }
}

extension Shop: @MainActor SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products {
            guard let goods = Goods(rawValue: product.productIdentifier) else { continue }
            products[goods] = product
        }
        for identifier in response.invalidProductIdentifiers.sorted() {
            if let goods = Goods(rawValue: identifier) { products[goods] = nil }
            FileHandle.standardError.write(Data("Invalid product id: \(identifier)\n".utf8))
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        isAskingForPrices = false
        post(.productsFetched)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        isAskingForPrices = false
        post(.requestFailed, error)
    }
}

extension Shop: @MainActor SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        isBuying = false
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing, .deferred: post(.transactionContinues, transaction)
            case .purchased, .restored: complete(transaction)
            case .failed:
                queue.finishTransaction(transaction)
                post(.transactionFailed, transaction)
            @unknown default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        isRestoring = false
        // What cannot be written now stays stale, and the next restore tries again.
        try? wallet.confirm()
        post(.restoreEnded)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        isRestoring = false
        post(.restoreEnded, error)
    }

    /// A purchase that was begun outside the game goes on in it. StoreKit may ask the person something from here on.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        isBuying = true
        post(.transactionContinues)
        return true
    }

    /// The person got the money back, or the store has taken something back.
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        for goods in productIdentifiers.compactMap(Goods.init(rawValue:)) {
            do {
                try wallet.takeBack(goods)
                delivery = .added
            } catch {
                delivery = .unsaved(error)
            }
            takenBack = goods
            post(.entitlementsRevoked)
        }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { askForPrices() }
}
