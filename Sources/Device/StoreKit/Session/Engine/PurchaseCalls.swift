import StoreModel

/// What became of a purchase that `Product.purchase(options:)` has asked for.
// Closed: the caller has to answer each.
package enum PurchaseOutcome: Sendable {
    case bought(BoughtTransaction)
    /// It was bought, and what the store signed of it cannot be verified.
    case unverified(String)
    /// Something has to happen elsewhere; what comes of it is told to all.
    case pending
    case failed(SessionFailure)
}

/// Who has asked for the payments of this process, and who waits for what becomes of them.
///
/// | who has asked | who is told of what was bought |
/// |---|---|
/// | `purchase(options:)`, which waits | the caller alone |
/// | `purchase(options:)`, which has answered that it is pending | observers of the queue, and `Transaction.updates` |
/// | the queue of the original API | its observers alone |
/// | an earlier process, another device, the store | observers of the queue, and `Transaction.updates` |
///
/// What is unfinished is in `SKPaymentQueue.transactions` and in `Transaction.unfinished`, whoever was told.
struct PurchaseCalls {
    /// What the queue of the original API has added.
    var added: Set<PurchaseKey> = []
    /// What a caller waits for, or has been answered with a transaction.
    private var answered: Set<PurchaseKey> = []
    private var waiting: [PurchaseKey: CheckedContinuation<PurchaseOutcome, Never>] = [:]
    /// What decides whether a purchase goes on in another storefront.
    private(set) var questions: [PurchaseKey: @Sendable (StorefrontAnswer) -> Bool] = [:]
    private var isOver = false

    /// Somebody waits for what becomes of a payment.
    mutating func wait(
        for key: PurchaseKey, question: (@Sendable (StorefrontAnswer) -> Bool)?,
        _ continuation: CheckedContinuation<PurchaseOutcome, Never>
    ) {
        guard !isOver else { return continuation.resume(returning: .failed(.ended)) }
        answered.insert(key)
        waiting[key] = continuation
        questions[key] = question
    }

    /// The one who waits for a payment, if somebody does, and whom somebody else answers.
    mutating func take(_ key: PurchaseKey) -> CheckedContinuation<PurchaseOutcome, Never>? {
        questions[key] = nil
        return waiting.removeValue(forKey: key)
    }

    func audience(of entry: QueueEntry) -> QueueEntry.Audience {
        guard case .payment(let key) = entry.key else { return .both }
        if answered.contains(key) { return .modern }
        if added.contains(key) { return .original }
        return entry.payment.source == .modern && entry.bought == nil ? .modern : .both
    }

    /// Answers those who wait for entries that are decided now.
    mutating func answer(_ entries: [QueueEntry]) {
        for entry in entries {
            guard case .payment(let key) = entry.key, let outcome = Self.outcome(of: entry),
                let continuation = waiting.removeValue(forKey: key)
            else { continue }
            questions[key] = nil
            if case .pending = outcome { answered.remove(key) }
            continuation.resume(returning: outcome)
        }
    }

    private static func outcome(of entry: QueueEntry) -> PurchaseOutcome? {
        switch entry.state {
        case .purchasing: nil
        case .deferred: .pending
        case .failed: .failed(entry.failure ?? .ended)
        case .purchased, .restored: entry.bought.map { .bought($0) }
        }
    }

    /// Answers everybody: the session ends, and what is under way is in the journal.
    mutating func end() {
        isOver = true
        for continuation in waiting.values { continuation.resume(returning: .failed(.ended)) }
        waiting = [:]
    }
}
