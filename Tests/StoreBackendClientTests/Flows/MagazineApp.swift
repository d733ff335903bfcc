import Foundation
import StoreBackendClient
import StoreKit
import StoreModel

/// The classes of the reference documents for products that a server delivers, in Swift: a manager that asks for products and
/// completes transactions, and `CustomPaymentObserver`, which hands it what the payment queue says.
@MainActor
final class MagazineApp: NSObject {
    let client: BackendClient
    private let tape: Tape
    private var observer: CustomPaymentObserver?
    private var request: SKProductsRequest?
    private(set) var products: [SKProduct] = []
    /// Whether content is loaded later: the receipt is stored, and the transaction finished at once.
    var isDeferring = false
    /// What was to be shown of what was bought.
    private(set) var pages: [String] = []
    private(set) var failures: [BackendClientError] = []

    init(_ client: BackendClient, _ tape: Tape) {
        self.client = client
        self.tape = tape
        super.init()
    }

    func open() {
        let observer = CustomPaymentObserver(self)
        self.observer = observer
        SKPaymentQueue.default().add(observer)
    }

    func close() {
        if let observer { SKPaymentQueue.default().remove(observer) }
    }

    // MARK: The prices of products that a server delivers

    /// Asks the server which products there are, and the store what they cost.
    func requestProductData() async throws {
        tape.write("app: asks the server for its products")
        let offered = try await client.offeredProducts()
        tape.write("app: has \(offered.products.map(\.productId.text).joined(separator: ", "))")
        tape.write("app: asks the store for prices")
        let request = SKProductsRequest(productIdentifiers: offered.identifiers)
        self.request = request
        request.delegate = self
        request.start()
        try await tape.wait(for: "app: shows the products")
    }

    // MARK: A purchase of what a server delivers

    func purchaseProduct(_ identifier: String) async throws {
        guard let product = products.first(where: { $0.productIdentifier == identifier }) else { return }
        tape.write("user: chooses \(product.localizedTitle)")
        tape.write("app: adds a payment")
        SKPaymentQueue.default().add(SKPayment(product: product))
        try await tape.wait(for: "app: finishes \(identifier)")
    }

    func completeTransaction(_ transaction: SKPaymentTransaction) {
        tape.write("app: has a transaction, \(transaction.payment.productIdentifier)")
        deliver(transaction.payment.productIdentifier, transaction)
    }

    func restoreTransaction(_ transaction: SKPaymentTransaction) {
        // A restored transaction always has an original one.
        guard let original = transaction.original else { return }
        tape.write("app: has a restored transaction, \(original.payment.productIdentifier)")
        deliver(original.payment.productIdentifier, transaction)
    }

    /// Sends the receipt with the request for the content, saves what comes, activates it, finishes, and shows it.
    private func deliver(_ product: String, _ transaction: SKPaymentTransaction) {
        guard let receipt = transaction.transactionReceipt else { return }
        let tape = tape
        do {
            let delivery = try client.delivery(of: product, proof: receipt) {
                tape.write("app: finishes \(product)")
                SKPaymentQueue.default().finishTransaction(transaction)
            }
            guard !isDeferring else { return show(try activate(delivery.keep(), "stores the receipt")) }
            tape.write("app: sends the receipt to the server")
            Task { await load(delivery) }
        } catch {
            fail(error)
        }
    }

    /// Loads what is deferred, or what the server knows.
    func load(_ delivery: Delivery) async {
        do {
            let hasContent = client.lastOfferedProducts?[delivery.productID]?.content != nil
            let saved = try await hasContent ? delivery.download() : delivery.record()
            show(try activate(saved, hasContent ? "saves the content" : "is told what is recorded"))
        } catch {
            fail(error)
        }
    }

    private func activate(_ saved: SavedDelivery, _ step: String) throws -> FinishedDelivery {
        tape.write("app: \(step)")
        return try saved.activate { _ in tape.write("app: activates \(saved.productID)") }.finish()
    }

    private func show(_ finished: FinishedDelivery) {
        guard let content = finished.content, let page = try? String(contentsOf: content.file, encoding: .utf8) else {
            return
        }
        pages.append(page)
        tape.write("app: shows the first page")
    }

    private func fail(_ error: any Error) {
        if let error = error as? BackendClientError { failures.append(error) }
        tape.write("app: fails, \((error as? BackendClientError)?.code.rawValue ?? "\(error)")")
    }

    func failedTransaction(_ transaction: SKPaymentTransaction) {
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    func restore() { SKPaymentQueue.default().restoreCompletedTransactions() }
}

extension MagazineApp: @MainActor SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = response.products.sorted { $0.productIdentifier < $1.productIdentifier }
        tape.write("app: has \(products.map { "\($0.localizedTitle) for \($0.price)" }.joined(separator: ", "))")
        tape.write("app: shows the products")
    }
}

/// The observer of the documents, line by line.
@MainActor
final class CustomPaymentObserver: NSObject {
    private let theManager: MagazineApp

    init(_ manager: MagazineApp) { theManager = manager }
}

extension CustomPaymentObserver: @MainActor SKPaymentTransactionObserver {
    // Called when the transaction status is updated.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased: theManager.completeTransaction(transaction)
            case .failed: theManager.failedTransaction(transaction)
            case .restored: theManager.restoreTransaction(transaction)
            default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        // Restore succeeded.
        theManager.restoreEnded(nil)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        theManager.restoreEnded(error)
    }
}

extension MagazineApp {
    func restoreEnded(_ error: (any Error)?) {
        tape.write(error == nil ? "app: restore finished" : "app: restore failed")
    }
}
