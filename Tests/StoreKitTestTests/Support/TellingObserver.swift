import StoreKit
import Synchronization

/// Keeps what the queue tells, as lines, and lets somebody wait for one.
// Safe: everything that changes is behind the mutex.
final class TellingObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private struct State {
        var lines: [String] = []
        var finishes = true
        var waiting: [(line: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    /// Whether it finishes what is bought, restored or failed.
    func finishes(_ finishes: Bool) { state.withLock { $0.finishes = finishes } }

    private func write(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let lines = state.lines
            let isReady = { (line: String, count: Int) in lines.filter { $0 == line }.count >= count }
            let ready = state.waiting.filter { isReady($0.line, $0.count) }.map(\.continuation)
            state.waiting.removeAll { isReady($0.line, $0.count) }
            return ready
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits until a line was told so often, or the time of the test is over.
    func until(_ line: String, times: Int = 1) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.lines.filter({ $0 == line }).count >= times { return true }
                    state.waiting.append((line, times, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting.map(\.continuation)
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            write("\(Self.word(transaction)) \(transaction.payment.productIdentifier.split(separator: ".").last ?? "")")
            guard state.withLock({ $0.finishes }), transaction.transactionState != .purchasing else { continue }
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
        default: "other"
        }
    }
}
