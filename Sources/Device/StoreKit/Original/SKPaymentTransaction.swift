import StoreModel
import Synchronization

/// A purchase in the payment queue.
///
/// The same object stands for a transaction as long as the app runs: its state changes on the main queue, right before
/// the observers are told.
// Safe: everything that changes is behind a mutex.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private struct State {
        var entry: QueueEntry
        var original: SKPaymentTransaction?
        var isFinished = false
        var download: SKDownload?
    }

    private let state: Mutex<State>
    private let ordered: SKPayment
    /// What the journal knows it by; nil for those that tests make, and for originals.
    let key: QueueEntry.Key?

    /// Makes a transaction without content, to be subclassed in tests.
    public override init() {
        state = Mutex(State(entry: .unkept(Payment(""))))
        ordered = SKPayment(Payment(""))
        key = nil
        super.init()
    }

    init(_ entry: QueueEntry, isOriginal: Bool = false) {
        state = Mutex(State(entry: entry, original: Self.original(of: entry)))
        ordered = SKPayment(entry.payment)
        key = isOriginal ? nil : entry.key
        super.init()
        updateDownload(entry)
    }

    /// The transaction that an entry goes back to.
    private static func original(of entry: QueueEntry) -> SKPaymentTransaction? {
        guard let original = entry.bought?.original else { return nil }
        var payment = entry.payment
        payment.quantity = original.quantity
        let bought = BoughtTransaction(
            id: original.id, number: 0, payment: payment, date: original.date, receipt: original.receipt)
        return SKPaymentTransaction(QueueEntry(bought), isOriginal: true)
    }

    /// Why the purchase failed; nil otherwise.
    open var error: (any Error)? { state.withLock { $0.entry.failure.map { SKError($0) } } }

    /// The transaction that this one restores, or the first one of what was renewed; nil of a first purchase.
    ///
    /// Of what was restored it has payment, date, identifier and receipt: of a subscription those of the period that came back.
    open var original: SKPaymentTransaction? { state.withLock { $0.original } }

    /// The payment, as it was when it was added.
    open var payment: SKPayment { ordered }

    /// The hosted content of the product, once it is purchased or restored; empty without any.
    ///
    /// The store has one download for a product. It is the same object as long as the transaction is.
    open var downloads: [SKDownload] { [download].compactMap(\.self) }

    /// When it was purchased or restored; nil otherwise.
    open var transactionDate: Date? { state.withLock { $0.entry.bought?.date.date } }

    /// What the store calls it; nil unless purchased or restored.
    open var transactionIdentifier: String? { state.withLock { $0.entry.bought?.id.description } }

    /// The receipt of this transaction alone; nil unless purchased or restored.
    open var transactionReceipt: Data? { state.withLock { $0.entry.bought?.receipt.map { Data($0) } } }

    /// How far the transaction has come.
    open var transactionState: SKPaymentTransactionState {
        switch state.withLock({ $0.entry.state }) {
        case .purchasing: .purchasing
        case .deferred: .deferred
        case .purchased: .purchased
        case .restored: .restored
        case .failed: .failed
        }
    }

    /// Takes over what the journal says now.
    func update(_ entry: QueueEntry) {
        state.withLock { state in
            let isSameOriginal = entry.bought?.original == state.entry.bought?.original
            state.entry = entry
            if !isSameOriginal { state.original = Self.original(of: entry) }
        }
        updateDownload(entry)
    }

    var download: SKDownload? { state.withLock { $0.download } }

    private func updateDownload(_ entry: QueueEntry) {
        guard let news = entry.download else { return }
        if let download { return download.update(news) }
        let made = SKDownload(news, of: self, entry)
        state.withLock { state in state.download = state.download ?? made }
    }

    /// Whether the app has finished it.
    var isFinished: Bool {
        get { state.withLock { $0.isFinished } }
        set { state.withLock { $0.isFinished = newValue } }
    }
}
