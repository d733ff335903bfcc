import Foundation
import StoreKit

/// The store layer by StoreKit 1: it asks for prices, watches the payment queue from the start of the app on, and delivers.
///
/// Everything here happens on the main queue, where StoreKit calls its delegates and observers.
@MainActor
final class OriginalShop: NSObject, Shop {
    private(set) var wallet: Wallet
    private(set) var products: [Goods: Ware] = [:]
    private var listed: [Goods: SKProduct] = [:]
    private var isAskingForPrices = false
    private var isRestoring = false
    /// A payment was added, and the queue has not yet said so.
    private var isBuying = false
    private let leavesUnfinished: Bool
    private var tell: @MainActor (News) -> Void = { _ in }
    private var request: SKProductsRequest?

    /// - Parameter leavesUnfinished: delivers, but never finishes, so that everything comes again.
    init(_ wallet: Wallet, leavesUnfinished: Bool) {
        self.wallet = wallet
        self.leavesUnfinished = leavesUnfinished
        super.init()
    }

    var canMakePayments: Bool { SKPaymentQueue.canMakePayments() }

    func open(_ tell: @escaping @MainActor (News) -> Void) {
        self.tell = tell
        SKPaymentQueue.default().add(self)
    }

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

    func buy(_ goods: Goods, quantity: Int) {
        guard let product = listed[goods] else { return }
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
        let sale = Sale(transaction)
        do {
            let delivery = try deliver(transaction)
            if !leavesUnfinished { SKPaymentQueue.default().finishTransaction(transaction) }
            tell(.delivered(sale, delivery))
        } catch {
            // What is not on the disk is not finished, and comes again.
            tell(.delivered(sale, .unsaved(error)))
        }
    }

    private func deliver(_ transaction: SKPaymentTransaction) throws -> Delivery {
        let payment = transaction.original?.payment ?? transaction.payment
        guard let goods = Goods(rawValue: payment.productIdentifier), let id = transaction.transactionIdentifier
        else { return .unknown }
        if transaction.transactionState == .restored {
            try wallet.restore(goods, of: transaction.original?.transactionIdentifier ?? id)
            return .restored
        }
        return try wallet.deliver(goods, quantity: transaction.payment.quantity, of: id) ? .added : .repeated
    }

    private func fail(_ transaction: SKPaymentTransaction) {
        SKPaymentQueue.default().finishTransaction(transaction)
        let error = transaction.error ?? SKError(.unknown)
        tell(Self.isCancelled(error) ? .cancelled(Sale(transaction)) : .failed(Sale(transaction), error))
    }

    /// Whether the person said no; a prompt that could ask nobody has said why.
    private static func isCancelled(_ error: any Error) -> Bool {
        guard let error = error as? SKError else { return false }
        let reason = error.userInfo[SKError.reasonKey] as? String ?? ""
        return error.code == .paymentCancelled && !reason.hasPrefix("prompt_")
    }
}

extension Sale {
    /// What is restored was bought by another transaction, whose payment says what it was.
    fileprivate init(_ transaction: SKPaymentTransaction) {
        let payment = transaction.original?.payment ?? transaction.payment
        self.init(product: payment.productIdentifier, quantity: payment.quantity)
    }
}

extension Ware {
    fileprivate init(_ product: SKProduct) {
        let format = NumberFormatter()
        format.numberStyle = .currency
        format.locale = product.priceLocale
        self.init(
            title: product.localizedTitle, description: product.localizedDescription,
            price: format.string(from: product.price) ?? "\(product.price)")
    }
}

extension OriginalShop: @MainActor SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products {
            guard let goods = Goods(rawValue: product.productIdentifier) else { continue }
            listed[goods] = product
            products[goods] = Ware(product)
        }
        for identifier in response.invalidProductIdentifiers.sorted() {
            if let goods = Goods(rawValue: identifier) { (listed[goods], products[goods]) = (nil, nil) }
            FileHandle.standardError.write(Data("Invalid product id: \(identifier)\n".utf8))
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        isAskingForPrices = false
        tell(.pricesFetched)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        isAskingForPrices = false
        tell(.pricesFailed(error))
    }
}

extension OriginalShop: @MainActor SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        isBuying = false
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: tell(.purchasing(Sale(transaction)))
            case .deferred: tell(.deferred(Sale(transaction)))
            case .purchased, .restored: complete(transaction)
            case .failed: fail(transaction)
            @unknown default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        isRestoring = false
        // What cannot be written now stays stale, and the next restore tries again.
        try? wallet.confirm()
        tell(.restored)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        isRestoring = false
        tell(Self.isCancelled(error) ? .restoreCancelled : .restoreFailed(error))
    }

    /// A purchase that was begun outside the game goes on in it. StoreKit may ask the person something from here on.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        isBuying = true
        tell(.begun)
        return true
    }

    /// The person got the money back, or the store has taken something back.
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        for goods in productIdentifiers.compactMap(Goods.init(rawValue:)) {
            // Credits stay: this does not say how many they were. Where it cannot be written the person keeps it.
            guard goods.possession != nil else { continue }
            try? wallet.takeBack(goods)
            tell(.takenBack(goods))
        }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { askForPrices() }
}
