import Foundation
import StoreKit

/// Delivers what was bought by writing its identifier to a file, and finishes it when it is on the disk. Content that the store
/// hosts for it is downloaded first, and kept beside that file.
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
                steps.take("told of \(transaction.transactionIdentifier ?? "")")
                guard transaction.downloads.isEmpty else {
                    queue.start(transaction.downloads)
                    steps.take("started")
                    continue
                }
                deliver(transaction, queue)
            case .failed:
                steps.take("failed: \(String(describing: transaction.error))")
                queue.finishTransaction(transaction)
            default: continue
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            switch download.state {
            case .finished:
                do {
                    try ContentLibrary(at: URL(fileURLWithPath: file + ".content")).save(download)
                } catch {
                    FileHandle.standardError.write(Data("store-buyer: content cannot be saved: \(error)\n".utf8))
                    exit(1)
                }
                steps.take("saved \(download.contentVersion)")
                deliver(download.transaction, queue)
            case .failed: steps.take("failed: \(String(describing: download.error))")
            default: break
            }
        }
    }

    private func deliver(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
        let identifier = transaction.transactionIdentifier ?? ""
        deliver(identifier)
        steps.take("delivered \(identifier)")
        queue.finishTransaction(transaction)
        steps.take("finished \(identifier)")
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
