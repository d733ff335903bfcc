import Foundation
import StoreKit

/// An app that buys by both APIs at once, and delivers what either of them brings.
///
/// What it does is a plan of letters, carried out without waiting but where it says so:
///
/// | letter | what |
/// |---|---|
/// | `q` | adds a payment to the queue of the original API |
/// | `p` | calls `purchase(options:)` |
/// | `u` | delivers and finishes what `Transaction.unfinished` lists |
/// | `w` | waits until every `p` has returned |
///
/// Each purchase has a token, which is in the record as it begins and in the transaction that comes of it.
@MainActor
final class MixedApp: NSObject {
    private let record: DeliveryRecord
    private let steps: BuyerSteps
    private let product: String
    private let process: Int
    private var count = 0
    private var purchases: [Task<Void, Never>] = []

    /// - Parameter process: a number of its own for each process.
    init(_ record: DeliveryRecord, _ steps: BuyerSteps, buying product: String, as process: Int) {
        (self.record, self.steps, self.product, self.process) = (record, steps, product, process)
    }

    func start(_ plan: String) {
        SKPaymentQueue.default().add(self)
        let (record, steps) = (record, steps)
        // Beside the main thread, on which the queue calls.
        Task.detached {
            for await result in Transaction.updates { await Self.take(result, from: "updates", record, steps) }
        }
        Task { await carryOut(plan) }
    }

    private func carryOut(_ plan: String) async {
        for letter in plan {
            switch letter {
            case "q": add()
            case "p": purchase()
            case "u":
                for await result in Transaction.unfinished {
                    await Self.take(result, from: "unfinished", record, steps)
                }
            default: await waitForPurchases()
            }
        }
        await waitForPurchases()
        steps.tell("carried out")
    }

    private func waitForPurchases() async {
        for purchase in purchases { await purchase.value }
        purchases = []
    }

    private func nextToken() -> UUID {
        count += 1
        let text = "00000000-0000-4000-8000-" + String(format: "%06x%06x", process, count)
        // Safe: the text is a UUID by its form.
        return UUID(uuidString: text)!
    }

    private func add() {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        let token = nextToken().uuidString.lowercased()
        payment.applicationUsername = token
        record.note("began \(token)")
        SKPaymentQueue.default().add(payment)
        record.note("added \(token)")
    }

    private func purchase() {
        let token = nextToken()
        let name = token.uuidString.lowercased()
        let (record, steps, id) = (record, steps, product)
        purchases.append(
            Task.detached {
                do {
                    guard let product = try await Product.products(for: [id]).first else { return }
                    record.note("began \(name)")
                    switch try await product.purchase(options: [.appAccountToken(token)]) {
                    case .success(let result): await Self.take(result, from: "purchase", record, steps)
                    case .userCancelled: record.note("failed \(name)")
                    default: break
                    }
                } catch {
                    steps.tell("thrown \(error)")
                    record.note("failed \(name)")
                }
            })
    }

    private nonisolated static func take(
        _ result: VerificationResult<Transaction>, from source: String, _ record: DeliveryRecord, _ steps: BuyerSteps
    ) async {
        guard let transaction = try? result.payloadValue else {
            record.note("unverified \(source)")
            return
        }
        let token = transaction.appAccountToken?.uuidString.lowercased() ?? "none"
        record.note("told \(source) \(transaction.id) \(token)")
        steps.take("told \(source)")
        record.deliver("\(transaction.id)")
        steps.take("delivered")
        await transaction.finish()
        record.note("finished \(transaction.id)")
        steps.take("finished")
    }
}

extension MixedApp: @MainActor SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            let token = transaction.payment.applicationUsername ?? "none"
            switch transaction.transactionState {
            case .purchased:
                let id = transaction.transactionIdentifier ?? "none"
                record.note("told queue \(id) \(token)")
                steps.take("told queue")
                record.deliver(id)
                steps.take("delivered")
                queue.finishTransaction(transaction)
                record.note("finished \(id)")
                steps.take("finished")
            case .failed:
                steps.tell("failed \(String(describing: transaction.error))")
                record.note("failed \(token)")
                queue.finishTransaction(transaction)
            default: break
            }
        }
    }
}
