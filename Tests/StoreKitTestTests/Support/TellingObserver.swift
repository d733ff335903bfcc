import StoreKit
import TestSupport

/// Keeps what the queue tells, as lines, and waits for one.
// Safe: everything that changes is behind a lock.
final class TellingObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private struct State: Sendable {
        var lines: [String] = []
        var finishes = true
    }

    private let state = Observed(State())

    var lines: [String] { state.value.lines }

    /// Whether it finishes what is bought, restored or failed.
    func finishes(_ finishes: Bool) { state.update { $0.finishes = finishes } }

    private func write(_ line: String) { state.update { $0.lines.append(line) } }

    /// Waits until a line was told so often.
    func until(_ line: String, times: Int = 1) async throws {
        try await state.wait { state in state.lines.count { $0 == line } >= times }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            write("\(Self.word(transaction)) \(transaction.payment.productIdentifier.split(separator: ".").last ?? "")")
            guard state.value.finishes, ![.purchasing, .deferred].contains(transaction.transactionState)
            else { continue }
            queue.finishTransaction(transaction)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        for _ in transactions { write("removed") }
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]) {
        write("revoked \(identifiers.joined(separator: ", "))")
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        write("storefront \(queue.storefront?.countryCode ?? "none")")
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { write("restore finished") }

    private static func word(_ transaction: SKPaymentTransaction) -> String {
        switch transaction.transactionState {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed \((transaction.error as? SKError)?.code.rawValue ?? -1)"
        case .restored: "restored"
        case .deferred: "deferred"
        default: "other"
        }
    }
}
