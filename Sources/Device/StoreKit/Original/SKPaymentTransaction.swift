import Synchronization

/// A purchase in the payment queue.
///
/// The same object stands for a transaction as long as the app runs: its state changes on the main queue, right before
/// the observers are told.
// Safe: everything that changes is behind a mutex.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private struct State {
        var record: PaymentRecord
        var original: SKPaymentTransaction?
        var isFinished = false
    }

    private let state: Mutex<State>
    private let ordered: SKPayment
    /// What the journal knows it by; nothing for those that tests make, and for originals.
    let key: PaymentKey?

    /// Makes a transaction without content, to be subclassed in tests.
    public override init() {
        let order = PaymentOrder(productIdentifier: "")
        state = Mutex(State(record: PaymentRecord(key: PaymentKey(""), state: .purchasing, order: order)))
        ordered = SKPayment(order: order)
        key = nil
        super.init()
    }

    init(record: PaymentRecord, isOriginal: Bool = false) {
        state = Mutex(State(record: record, original: record.original.map(SKPaymentTransaction.init(original:))))
        ordered = SKPayment(order: record.order)
        key = isOriginal ? nil : record.key
        super.init()
    }

    private convenience init(original: PaymentRecord.Original) {
        let record = PaymentRecord(
            key: PaymentKey(original.transactionIdentifier), state: .purchased, order: original.order,
            transactionIdentifier: original.transactionIdentifier, date: original.date, receipt: original.receipt)
        self.init(record: record, isOriginal: true)
    }

    /// Why the purchase failed; nothing otherwise.
    open var error: (any Error)? { state.withLock { $0.record.error } }

    /// The first transaction of what was restored or renewed.
    open var original: SKPaymentTransaction? { state.withLock { $0.original } }

    /// The payment, as it was when it was added.
    open var payment: SKPayment { ordered }

    /// The hosted content of the product; empty without any.
    open var downloads: [SKDownload] { [] }

    /// When it was purchased or restored; nothing otherwise.
    open var transactionDate: Date? { state.withLock { $0.record.date } }

    /// What the store calls it; nothing unless purchased or restored.
    open var transactionIdentifier: String? { state.withLock { $0.record.transactionIdentifier } }

    /// The receipt of this transaction alone; nothing unless purchased or restored.
    open var transactionReceipt: Data? { state.withLock { $0.record.receipt } }

    /// How far the transaction has come.
    open var transactionState: SKPaymentTransactionState { state.withLock { $0.record.state } }

    /// Takes over what the journal says now.
    func update(_ record: PaymentRecord) {
        state.withLock { state in
            state.record = record
            guard let original = record.original else {
                state.original = nil
                return
            }
            if state.original?.transactionIdentifier == original.transactionIdentifier { return }
            state.original = SKPaymentTransaction(original: original)
        }
    }

    /// Whether the app has finished it.
    var isFinished: Bool {
        get { state.withLock { $0.isFinished } }
        set { state.withLock { $0.isFinished = newValue } }
    }
}
