import Foundation
import StoreModel

extension PaymentRecord {
    /// An entry of the queue as the original API shows it.
    init(_ entry: QueueEntry) {
        let state: SKPaymentTransactionState =
            switch entry.state {
            case .purchasing: .purchasing
            case .deferred: .deferred
            case .purchased: .purchased
            case .restored: .restored
            case .failed: .failed
            }
        let order = PaymentOrder(
            productIdentifier: entry.product, quantity: entry.quantity, applicationUsername: entry.username)
        self.init(key: PaymentKey(entry.key), state: state, order: order)
        error = entry.failure.map { SKError($0) }
        guard let bought = entry.bought else { return }
        transactionIdentifier = bought.id.description
        date = bought.date.date
        receipt = bought.receipt.map { Data($0) }
        original = bought.original.map { original in
            var order = order
            order.quantity = original.quantity
            return Original(
                order: order, transactionIdentifier: original.id.description, date: original.date.date)
        }
    }
}
