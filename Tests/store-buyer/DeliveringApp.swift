import Foundation
import StoreKit

/// Delivers what was bought by writing its identifier to a file, and finishes it when it is on the disk.
// Safe: what is kept never changes.
final class DeliveringApp: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private let file: String
    private let steps: BuyerSteps

    init(_ file: String, _ steps: BuyerSteps) {
        self.file = file
        self.steps = steps
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                let identifier = transaction.transactionIdentifier ?? ""
                steps.take("told of \(identifier)")
                deliver(identifier)
                steps.take("delivered \(identifier)")
            case .failed: steps.take("failed: \(String(describing: transaction.error))")
            default: continue
            }
            queue.finishTransaction(transaction)
            steps.take("finished \(transaction.transactionIdentifier ?? "")")
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        steps.take("removed")
    }

    private func deliver(_ identifier: String) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let line = Array("\(identifier)\n".utf8)
        guard descriptor >= 0, write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0 else {
            FileHandle.standardError.write(Data("store-buyer: \(file) cannot be written\n".utf8))
            exit(1)
        }
        close(descriptor)
    }
}
