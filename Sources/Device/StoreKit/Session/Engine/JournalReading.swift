import StoreModel

/// What the rules of a queue have to be told after the journal was read.
struct JournalReading {
    private let news: JournalNews
    private let rules: PaymentQueue
    private let presence: ProcessPresence
    private let verifier: TransactionVerifier

    init(_ news: JournalNews, _ rules: PaymentQueue, presence: ProcessPresence, verifier: TransactionVerifier) {
        self.news = news
        self.rules = rules
        self.presence = presence
        self.verifier = verifier
    }

    /// - Parameters:
    ///   - isResponsible: whether this process tells of transactions that came of no payment of a living process.
    ///   - isFirst: whether everything that waits was read, not what changed: revocations are changes.
    ///   - isHeldBack: whether what must not be delivered twice waits for the store's word.
    func events(isResponsible: Bool, isFirst: Bool, isHeldBack: Bool) -> [PaymentQueue.Event] {
        settledPayments + gone + arrivals(isResponsible, isHeldBack) + (isFirst ? [] : revocations)
    }

    /// Open payments of this process that have their transaction, or have failed.
    private var settledPayments: [PaymentQueue.Event] {
        let open = Set(rules.entries.filter(\.isOpen).map(\.key))
        return news.payments.filter { $0.owner == presence.name && open.contains(.payment($0.key)) }
            .compactMap { payment in
                if payment.state == .failed, let failure = payment.failure { return .failed(payment.key, failure) }
                guard payment.state == .purchased, let id = payment.transaction,
                    let bought = news.changed.first(where: { $0.id == id }).flatMap(bought)
                else { return nil }
                // What was taken back before the app heard of it is not delivered.
                if news.changed.contains(where: { $0.id == id && $0.isRevoked }) {
                    return .failed(payment.key, .revoked)
                }
                return .arrived(bought, of: payment.key)
            }
    }

    /// Transactions in the queue that wait for the app no more.
    private var gone: [PaymentQueue.Event] {
        let known = Set(rules.entries.compactMap { $0.bought?.id })
        return known.subtracting(news.waiting).sorted { $0.number < $1.number }.map { .settled($0) }
    }

    /// Transactions that wait for the app and came of no payment that a living process looks after.
    private func arrivals(_ isResponsible: Bool, _ isHeldBack: Bool) -> [PaymentQueue.Event] {
        guard isResponsible else { return [] }
        let known = Set(rules.entries.compactMap { $0.bought?.id })
        let owners = Dictionary(grouping: news.payments) { $0.transaction }
        return news.changed.filter { $0.state == .waiting && !$0.isRevoked && !known.contains($0.id) }
            .filter { transaction in
                let payments = owners[transaction.id] ?? []
                return !payments.contains { isLookedAfter($0) } && !(isHeldBack && isForOneDevice(transaction))
            }
            .compactMap { bought($0).map { .arrived($0, of: nil) } }
    }

    private func isForOneDevice(_ transaction: JournalTransaction) -> Bool {
        (try? verifier.verified(transaction.signed))?.payload.isForOneDevice == true
    }

    private func isLookedAfter(_ payment: JournalPayment) -> Bool {
        payment.owner == presence.name
            ? rules.entries.contains { $0.key == .payment(payment.key) } : presence.isAlive(payment.owner)
    }

    private var revocations: [PaymentQueue.Event] {
        let products = news.changed.filter { $0.isRevoked && $0.wasHad }.compactMap { bought($0)?.payment.product }
        return products.isEmpty ? [] : [.revoked(products)]
    }

    /// What a transaction says, if its signature is good: the journal is a file that others could write to.
    private func bought(_ transaction: JournalTransaction) -> BoughtTransaction? {
        guard let verified = try? verifier.verified(transaction.signed),
            verified.payload.transactionId == transaction.id
        else { return nil }
        let payload = verified.payload
        let original = transaction.originalSigned.flatMap { try? verifier.verified($0).payload }
        return BoughtTransaction(
            id: transaction.id, number: transaction.number, verified: verified,
            payment: Payment(
                payload.productId.text, quantity: payload.quantity,
                username: transaction.username ?? payload.appAccountToken?.description),
            date: payload.purchaseDate, isRestored: original != nil,
            original: Self.original(payload, original, transaction.originalReceipt), receipt: transaction.receipt,
            content: transaction.content)
    }

    private static func original(
        _ payload: TransactionPayload, _ restored: TransactionPayload?, _ receipt: [UInt8]?
    ) -> BoughtTransaction.Original? {
        if let restored, restored.transactionId != payload.transactionId {
            return .init(
                id: restored.transactionId, date: restored.purchaseDate, quantity: restored.quantity, receipt: receipt)
        }
        guard payload.originalTransactionId != payload.transactionId else { return nil }
        return .init(
            id: payload.originalTransactionId, date: payload.originalPurchaseDate, quantity: payload.quantity)
    }
}
