import Foundation
import StoreBackendClient
import StoreKit

/// What talks to StoreKit: it asks for the prices of what the magazine's server lists, watches the payment queue from the start of
/// the app on, and hands to the newsstand what was bought.
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
        /// It is paid for, and waits until somebody signs in at the magazine.
        case waiting(String)
        case lost(String)
        case restored
        case restoreFailed(any Error)
    }

    let newsstand: Newsstand
    private(set) var products: [String: SKProduct] = [:]
    private(set) var isAskingForPrices = false
    private(set) var isRestoring = false
    /// A payment was added, and the queue has not yet said so.
    private var isBuying = false
    /// What the person wants to load later.
    private var deferred: Set<String> = []
    private let tell: @MainActor (News) -> Void
    private var request: SKProductsRequest?

    init(_ newsstand: Newsstand, tell: @escaping @MainActor (News) -> Void) {
        self.newsstand = newsstand
        self.tell = tell
        super.init()
    }

    private var queue: SKPaymentQueue { .default() }

    /// Begins to watch the queue. What an earlier start left unfinished comes at once, so the list has to be there.
    func open() { queue.add(self) }

    /// Whether the person is in the middle of something; StoreKit may be asking questions then.
    var isBusy: Bool {
        isAskingForPrices || isRestoring || isBuying
            || queue.transactions.contains { $0.transactionState == .purchasing }
    }

    func askForPrices() {
        guard !isAskingForPrices, let identifiers = newsstand.offered?.identifiers, !identifiers.isEmpty else { return }
        isAskingForPrices = true
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        self.request = request
        request.start()
    }

    func buy(_ product: SKProduct, later isDeferred: Bool) {
        isBuying = true
        if isDeferred { deferred.insert(product.productIdentifier) }
        queue.add(SKPayment(product: product))
    }

    func restore() {
        isRestoring = true
        queue.restoreCompletedTransactions()
    }

    /// Whether a product is paid for and was not handled yet.
    func isPaid(_ product: String) -> Bool { !unfinished(product).isEmpty }

    /// Handles what is paid for and was not handled yet; whether there was something.
    @discardableResult
    func takeUnfinished(_ product: String? = nil) -> Bool {
        let open = unfinished(product)
        open.forEach(take)
        return !open.isEmpty
    }

    private func unfinished(_ product: String?) -> [SKPaymentTransaction] {
        queue.transactions.filter { transaction in
            [.purchased, .restored].contains(transaction.transactionState)
                && (product == nil || product == Self.product(of: transaction))
        }
    }

    /// The product of a transaction; a restored one has it in its original.
    private static func product(of transaction: SKPaymentTransaction) -> String {
        (transaction.original?.payment ?? transaction.payment).productIdentifier
    }

    private func take(_ transaction: SKPaymentTransaction) {
        let product = Self.product(of: transaction)
        // It comes again at the next start, or when somebody has signed in.
        guard newsstand.client.user != nil else { return tell(.waiting(product)) }
        guard let receipt = transaction.transactionReceipt else { return tell(.failed(product, nil)) }
        let isRestored = transaction.transactionState == .restored
        let queue = queue
        newsstand.take(
            product, quantity: transaction.payment.quantity, receipt: receipt,
            // All that a restore brings at once would be many downloads that nobody waits for.
            isDeferred: deferred.remove(product) != nil || isRestored
        ) { queue.finishTransaction(transaction) }
    }
}

extension Shop: @MainActor SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = Dictionary(uniqueKeysWithValues: response.products.map { ($0.productIdentifier, $0) })
        let unknown = response.invalidProductIdentifiers
        guard !unknown.isEmpty else { return }
        let client = newsstand.client
        // The server's operator learns of it; the person has nothing of it.
        Task { try? await client.reportUnknownProducts(unknown) }
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
            let product = Self.product(of: transaction)
            switch transaction.transactionState {
            case .purchasing: tell(.purchasing(product))
            case .deferred: tell(.deferred(product))
            case .purchased, .restored: take(transaction)
            case .failed:
                deferred.remove(product)
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
        for product in productIdentifiers {
            // A purchase and what was restored from it are taken back one after the other.
            let wasHere = newsstand.rack.has(product) || newsstand.client.content(of: product) != nil
            do {
                try newsstand.lose(product)
                if wasHere { tell(.lost(product)) }
            } catch {
                tell(.failed(product, error))
            }
        }
    }
}
