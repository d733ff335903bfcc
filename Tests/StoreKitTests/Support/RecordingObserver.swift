import StoreKit

/// Writes down what the queue tells, and does what a test wants it to.
// Safe: everything but the transcript is set before it observes, and used on the main queue.
final class RecordingObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    let transcript: Transcript
    let name: String
    var updated: (SKPaymentQueue, [SKPaymentTransaction]) -> Void = { _, _ in }
    var buysPromoted = false
    /// The objects of every call.
    private(set) var objects: [SKPaymentTransaction] = []

    init(_ transcript: Transcript = Transcript(), name: String = "") {
        self.transcript = transcript
        self.name = name.isEmpty ? "" : "\(name): "
    }

    private func write(_ line: String) {
        dispatchPrecondition(condition: .onQueue(.main))
        transcript.write(name + line)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        objects += transactions
        let words = transactions.map { "\($0.payment.productIdentifier) \(Self.word($0.transactionState))" }
        write(words.joined(separator: ", "))
        updated(queue, transactions)
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        objects += transactions
        write("removed " + transactions.map(\.payment.productIdentifier).joined(separator: ", "))
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        write("restore failed \((error as? SKError)?.code.rawValue ?? -1)")
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { write("restore finished") }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        write("promoted \(payment.productIdentifier) for \(product.price)")
        return buysPromoted
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        let words = downloads.map { "\($0.contentIdentifier) \($0.state) \($0.progress)" }
        write("downloads " + words.joined(separator: ", "))
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { write("storefront changed") }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]) {
        write("revoked \(identifiers.joined(separator: ", "))")
    }

    static func word(_ state: SKPaymentTransactionState) -> String {
        switch state {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        @unknown default: "state \(state.rawValue)"
        }
    }
}
