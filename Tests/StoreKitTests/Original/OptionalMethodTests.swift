import Testing

@testable import StoreKit

/// Optional methods, called with a question mark as the mocks of apps call them.
@Suite("Optional methods")
struct OptionalMethodTests {
    private let queue = SKPaymentQueue()

    @Test("R1.4: the question mark reaches the methods of a request's delegate")
    func requests() {
        let listener = Listener()
        let request = SKProductsRequest(productIdentifiers: ["banana"])
        request.delegate = listener
        request.delegate?.request?(request, didFailWithError: SKError(.clientInvalid))
        request.delegate?.requestDidFinish?(request)
        #expect(listener.heard == ["failed 1", "finished"])
    }

    @Test("R1.5: the question mark reaches the methods of an observer")
    func observers() throws {
        let listener = Listener()
        let observer: any SKPaymentTransactionObserver = listener
        observer.paymentQueue?(queue, removedTransactions: [SKPaymentTransaction()])
        observer.paymentQueue?(queue, restoreCompletedTransactionsFailedWithError: SKError(.paymentCancelled))
        observer.paymentQueue?(queue, updatedDownloads: [SKDownload(), SKDownload()])
        observer.paymentQueue?(queue, didRevokeEntitlementsForProductIdentifiers: ["banana"])
        observer.paymentQueueRestoreCompletedTransactionsFinished?(queue)
        observer.paymentQueueDidChangeStorefront?(queue)
        let isWanted = observer.paymentQueue?(queue, shouldAddStorePayment: SKPayment(), for: SKProduct())
        #expect(isWanted == true)
        #expect(
            listener.heard == [
                "removed 1", "restore failed 2", "downloads 2", "revoked banana", "restored", "storefront", "promoted",
            ])
    }

    @Test("R1.5: the question mark reaches the methods of a queue's delegate and of a page's")
    func delegates() {
        let listener = Listener()
        let delegate: any SKPaymentQueueDelegate = listener
        let answer = delegate.paymentQueue?(queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront())
        #expect(answer == false)
        #expect(delegate.paymentQueueShouldShowPriceConsent?(queue) == false)
        let page: any SKStoreProductViewControllerDelegate = listener
        page.productViewControllerDidFinish?(SKStoreProductViewController())
        #expect(listener.heard == ["storefront changed", "consent", "page"])
    }

    @Test("R1.5: who has no such method is called all the same, and answers what silence means")
    func silence() {
        let silent: any SKPaymentTransactionObserver & SKPaymentQueueDelegate = SilentListener()
        #expect(silent.paymentQueue?(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()) == false)
        #expect(silent.paymentQueue?(queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront()) == true)
        #expect(silent.paymentQueueShouldShowPriceConsent?(queue) == true)
    }

    @Test("R1.5: properties of an app that have the names of optional methods stay its own")
    func names() {
        let shop = Shop()
        #expect(shop.name == "own")
        #expect(shop.paymentQueue === shop.queue)
    }
}

private final class SilentListener: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
}

private final class Shop: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate, SKPaymentQueueDelegate {
    let request: String? = "own"
    let queue = SKPaymentQueue()
    var paymentQueue: SKPaymentQueue { queue }
    var name: String? { request }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
}

private final class Listener: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    var heard: [String] = []

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
    func requestDidFinish(_ request: SKRequest) { heard.append("finished") }
    func request(_ request: SKRequest, didFailWithError error: any Error) {
        heard.append("failed \((error as? SKError)?.errorCode ?? -1)")
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        heard.append("removed \(transactions.count)")
    }
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        heard.append("restore failed \((error as? SKError)?.errorCode ?? -1)")
    }
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { heard.append("restored") }
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        heard.append("downloads \(downloads.count)")
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        heard.append("promoted")
        return true
    }
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { heard.append("storefront") }
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        heard.append("revoked \(productIdentifiers.joined())")
    }
}

extension Listener: SKPaymentQueueDelegate, SKStoreProductViewControllerDelegate {
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        heard.append("storefront changed")
        return false
    }
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        heard.append("consent")
        return false
    }
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) { heard.append("page") }
}
