import StoreKit

/// A shop as an app has one: it sells credits and keeps the balance.
@MainActor
final class MonkeyShop: NSObject {
    private(set) var balance = 0
    private(set) var failures: [SKError.Code] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() { SKPaymentQueue.default().add(self) }

    func close() { SKPaymentQueue.default().remove(self) }

    /// Buys, and returns when the purchase has come to something.
    func buy(_ identifier: String, quantity: Int = 1) async {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
        await withCheckedContinuation { waiting.append($0) }
    }

    private func settle(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        switch transaction.transactionState {
        case .purchased: balance += 5 * transaction.payment.quantity
        case .failed: failures.append((transaction.error as? SKError)?.code ?? .unknown)
        default: return
        }
        queue.finishTransaction(transaction)
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}

extension MonkeyShop: SKPaymentTransactionObserver {
    // StoreKit calls observers on the main queue.
    nonisolated func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        MainActor.assumeIsolated {
            for transaction in transactions { settle(transaction, in: queue) }
        }
    }
}
