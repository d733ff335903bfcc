import Foundation

/// A transaction as the journal has it.
package struct PaymentRecord: Sendable {
    package var key: PaymentKey
    package var state: SKPaymentTransactionState
    package var order: PaymentOrder
    /// What the store calls it; nothing unless purchased or restored.
    package var transactionIdentifier: String?
    /// In the time of the environment; nothing unless purchased or restored.
    package var date: Date?
    /// Why it failed; nothing otherwise.
    package var error: SKError?
    /// The first transaction of what is restored or renewed.
    package var original: Original?
    /// The receipt of this transaction alone; nothing unless purchased or restored.
    package var receipt: Data?

    package init(
        key: PaymentKey, state: SKPaymentTransactionState, order: PaymentOrder, transactionIdentifier: String? = nil,
        date: Date? = nil, error: SKError? = nil, original: Original? = nil, receipt: Data? = nil
    ) {
        self.key = key
        self.state = state
        self.order = order
        self.transactionIdentifier = transactionIdentifier
        self.date = date
        self.error = error
        self.original = original
        self.receipt = receipt
    }

    /// The transaction that another one goes back to.
    package struct Original: Sendable {
        package var order: PaymentOrder
        package var transactionIdentifier: String
        package var date: Date
        package var receipt: Data?

        package init(order: PaymentOrder, transactionIdentifier: String, date: Date, receipt: Data? = nil) {
            self.order = order
            self.transactionIdentifier = transactionIdentifier
            self.date = date
            self.receipt = receipt
        }
    }
}
