package import StoreModel
import StoreSQLite

/// A transaction as the journal has it: what was signed, and what the app has done with it.
package struct JournalTransaction: Hashable, Sendable {
    // Closed: the states are those of the journal's own file.
    package enum State: String, Hashable, Sendable {
        /// The app has not finished it.
        case waiting
        /// It was finished, here or elsewhere.
        case finished
    }

    package let id: TransactionID
    /// Rises with every payment and every transaction of the journal.
    package var number: Int64
    /// The JWS, verified before it came here.
    package var signed: String
    /// Of a restored one: the one it stands for, or itself where that is not to be had. What has none was not restored.
    package var originalSigned: String?
    /// Its receipt in the form of iOS 6.
    package var receipt: [UInt8]?
    /// Of a restored one: the receipt of the one it stands for.
    package var originalReceipt: [UInt8]?
    /// The payment of this device that it came of.
    package var payment: PurchaseKey?
    /// The user name that the app gave with the payment or the restore.
    package var username: String?
    package var state: State
    package var isRevoked: Bool
    /// Whether the app has had it here: it was told of it, or found it in the receipt. Of what was taken back before, or was used
    /// up on another device, it hears nothing when that is taken back.
    package var wasHad: Bool
    /// What the store hosts for it.
    package var content: DownloadableContent?
    /// Whether it is to be told to the modern API though it does not wait for the app.
    package var isNews = false

    package init(
        id: TransactionID, number: Int64 = 0, signed: String, originalSigned: String? = nil, receipt: [UInt8]? = nil,
        payment: PurchaseKey? = nil, username: String? = nil, state: State, isRevoked: Bool = false,
        wasHad: Bool = true, content: DownloadableContent? = nil
    ) {
        self.id = id
        self.number = number
        self.signed = signed
        self.originalSigned = originalSigned
        self.receipt = receipt
        self.payment = payment
        self.username = username
        self.state = state
        self.isRevoked = isRevoked
        self.wasHad = wasHad && !isRevoked
        self.content = content
    }
}

/// What a process has to know of the journal to bring its queue up to date, read at one moment.
package struct JournalNews: Hashable, Sendable {
    /// All payments.
    package var payments: [JournalPayment]
    /// All transactions that wait for the app.
    package var waiting: Set<TransactionID>
    /// The transactions that changed.
    package var changed: [JournalTransaction]
    /// All downloads.
    package var downloads: [DownloadEntry]
    /// The last change that is in here.
    package var change: Int64
}

extension Journal {
    /// What is new after a change; with nil, everything that waits for the app.
    package func news(after change: Int64?) throws -> JournalNews {
        try use { database in
            // One transaction, so that nothing is written between the readings.
            try database.reading { database in
                let ids = try database.query("SELECT id FROM bought WHERE state = 'waiting'") {
                    try TransactionID(number: $0.integer(0))
                }
                return JournalNews(
                    payments: try database.payments(), waiting: Set(ids),
                    changed: try database.transactions(changedAfter: change),
                    downloads: try database.downloads(), change: try database.lastNumber())
            }
        }
    }

    package func transaction(_ id: TransactionID) throws -> JournalTransaction? {
        try use { try $0.transaction(id) }
    }
}

extension Journal {
    /// Keeps transactions that were verified, and with them the place in the events, in one transaction.
    ///
    /// What is known already stays as it is, but for what was signed anew; a payment that waited for its transaction has it
    /// now. What this app has finished stays finished.
    ///
    /// - Parameters:
    ///   - cursor: the place after them; nil where they come of something else than the events.
    ///   - former: the place they were asked for after; nothing is kept if another process has gone on meanwhile.
    ///   - withdrawn: what another device has for itself; it waits here no more.
    ///   - isPriceHigher: whether the customer has to agree to a higher price.
    ///   - unverified: what came with them and could not be verified.
    package func store(
        _ transactions: [JournalTransaction], withdrawn: [TransactionID] = [], cursor: String? = nil,
        after former: String? = nil, isPriceHigher: Bool = false, unverified: [UnverifiedTransaction] = []
    ) throws {
        // What a power failure takes is told by the store again, and to the app again, which has not finished it: that is kept
        // durably, and all that came before with it.
        try change(isDurable: false) { database in
            if cursor != nil, try database.value(.cursor) != former { return }
            for transaction in transactions { try database.store(transaction) }
            for id in withdrawn { try database.withdraw(id) }
            let gone = Set(transactions.map(\.id)).union(withdrawn)
            try database.changeUnverified(with: unverified, without: gone)
            if isPriceHigher { try database.changePriceConsents { $0.tell() } }
            try database.endDownloads()
            if let cursor { try database.set(.cursor, cursor) }
        }
    }

    /// Puts everything that the store has of the customer in the place of everything that the journal has.
    ///
    /// Payments stay, because they are of this device, but for those whose transaction the customer does not have: it was of
    /// another one, or of another life of the store. What the store was still to be told as finished stays so.
    ///
    /// - Parameters:
    ///   - isWhole: whether the transactions are all that the store has; otherwise every payment stays.
    ///   - change: the last change before the store was asked: what came after it, by another process or as the answer to a
    ///     payment, need not be among the transactions, and stays.
    ///   - unverified: what of it could not be verified.
    package func replaceAll(
        _ transactions: [JournalTransaction], isWhole: Bool = true, cursor: String, since change: Int64,
        unverified: [UnverifiedTransaction] = []
    ) throws {
        try self.change { database in
            let ids = Set(transactions.map(\.id.number))
            let former = try database.query("SELECT id FROM bought WHERE number <= $1", .integer(change)) {
                try $0.integer(0)
            }
            for id in former where !ids.contains(id) {
                try database.execute("DELETE FROM bought WHERE id = $1", .integer(id))
                if isWhole { try database.execute("DELETE FROM payment WHERE transaction_id = $1", .integer(id)) }
            }
            for transaction in transactions { try database.store(transaction) }
            try database.changeUnverified(with: unverified, isEverything: true)
            // What the events told of it is not told again.
            try database.changePriceConsents { $0.tell() }
            try database.endDownloads()
            try database.set(.cursor, cursor)
            _ = try database.nextNumber()
        }
    }

    /// Forgets everything of a customer who has signed out.
    package func forgetCustomer() throws {
        try change { database in
            // Who signs in again hears of what was taken back meanwhile.
            try database.execute("INSERT OR IGNORE INTO had SELECT id FROM bought WHERE was_had = 1 AND is_revoked = 0")
            try database.execute("DELETE FROM bought")
            try database.execute("DELETE FROM finishing")
            try database.execute("DELETE FROM payment WHERE state IN ('purchased', 'failed')")
            try database.endDownloads()
            try database.set(.cursor, nil)
            try database.set(.restoredName, nil)
            try database.set(.priceConsents, nil)
            try database.set(.unverified, nil)
            try database.set(.subscriptions, nil)
            try database.set(.appTransaction, nil)
            _ = try database.nextNumber()
        }
    }

    /// Keeps that the app has finished a transaction, and that the store is to be told.
    ///
    /// - Parameter process: the one of the app; its downloads end with their transactions.
    package func finish(_ id: TransactionID, by process: String? = nil) throws {
        try change { database in
            let change = try database.nextNumber()
            try database.execute(
                "UPDATE bought SET state = 'finished', change = $2 WHERE id = $1", .integer(id.number),
                .integer(change))
            try database.execute("DELETE FROM payment WHERE transaction_id = $1", .integer(id.number))
            try database.execute("INSERT OR IGNORE INTO finishing (id) VALUES ($1)", .integer(id.number))
            try database.changeUnverified(without: [id])
            try database.endDownloads(by: process)
        }
    }

    /// What the store is still to be told as finished, the oldest first.
    package func finishes() throws -> [TransactionID] {
        try use { database in
            try database.query("SELECT id FROM finishing ORDER BY id") { try TransactionID(number: $0.integer(0)) }
        }
    }

    /// The store knows that a transaction was finished.
    package func acknowledge(_ id: TransactionID) throws {
        // Telling the store twice does no harm.
        try change(isDurable: false) { database in
            _ = try database.execute("DELETE FROM finishing WHERE id = $1", .integer(id.number))
        }
    }

    /// What the modern API has not told yet and does not wait for the app: what was taken back, what came back, and what was
    /// finished on another device.
    package func announcements() throws -> [JournalTransaction] {
        try use { try $0.announcements() }
    }

    /// Keeps that the app has heard of one, as it was then.
    package func noteAnnounced(_ transaction: JournalTransaction) throws {
        try change(isDurable: false) { database in
            _ = try database.execute(
                "UPDATE bought SET news = 0 WHERE id = $1 AND is_revoked = $2", .integer(transaction.id.number),
                .integer(transaction.isRevoked ? 1 : 0))
        }
    }

    /// Every transaction of the customer but those that a restore of the original API has made, the oldest first.
    package func history() throws -> [JournalTransaction] {
        try use { try $0.history() }
    }

    /// Keeps the receipt of a transaction that was not to be had before.
    package func set(receipt: [UInt8], of id: TransactionID) throws {
        try change { database in
            _ = try database.execute(
                "UPDATE bought SET receipt = $2 WHERE id = $1", .integer(id.number), .bytes(receipt))
        }
    }
}

extension JournalDatabase {
    fileprivate func store(_ transaction: JournalTransaction) throws {
        guard transaction.signed.utf8.count <= JournalLimits.signedBytes,
            (transaction.originalSigned?.utf8.count ?? 0) <= JournalLimits.signedBytes,
            (transaction.receipt?.count ?? 0) <= JournalLimits.receiptBytes,
            (transaction.originalReceipt?.count ?? 0) <= JournalLimits.receiptBytes
        else { throw SessionFailure(code: 0, reason: "transaction_too_large", text: "A transaction is too large.") }
        let payment = try transaction.payment.flatMap { try self.payment($0) }
        if let known = try self.transaction(transaction.id) {
            // A subscription that runs was finished long ago, and is the answer to a new payment all the same.
            let isAwaited = payment?.transaction == known.id && known.state == .waiting
            try update(known, with: transaction, isAwaited: isAwaited)
        } else {
            try insert(transaction, username: payment?.payment.username ?? transaction.username)
        }
        if let payment, payment.isOpen { try settle(payment, with: transaction.id) }
    }

    private func insert(_ transaction: JournalTransaction, username: String?) throws {
        let number = try nextNumber()
        // The app may have finished it while the store was still telling of it.
        let told = try query("SELECT id FROM finishing WHERE id = $1", .integer(transaction.id.number)) {
            try $0.integer(0)
        }
        let state = told.isEmpty ? transaction.state : .finished
        let had = try query("SELECT id FROM had WHERE id = $1", .integer(transaction.id.number)) { try $0.integer(0) }
        try execute(
            """
            INSERT INTO bought (
                id, number, signed, original_signed, receipt, payment_key, username, state, is_revoked, change,
                content_version, content_length, original_receipt, was_had, news)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $2, $10, $11, $12, $13, $14)
            """, .integer(transaction.id.number), .integer(number), .text(transaction.signed),
            .optional(transaction.originalSigned), .optional(transaction.receipt),
            .optional(transaction.payment?.description), .optional(username), .text(state.rawValue),
            .integer(transaction.isRevoked ? 1 : 0), .optional(transaction.content?.version),
            .optional(transaction.content?.length), .optional(transaction.originalReceipt),
            .integer(transaction.wasHad || !had.isEmpty ? 1 : 0),
            .integer(transaction.isRevoked ? (had.isEmpty ? 0 : 1) : transaction.isNews ? 1 : 0))
    }

    /// Takes in the present state of a known transaction. What is finished never waits again.
    private func update(_ known: JournalTransaction, with news: JournalTransaction, isAwaited: Bool) throws {
        let isFinished = known.state == .finished || news.state == .finished && !isAwaited
        let state: JournalTransaction.State = isFinished ? .finished : .waiting
        let isTold = known.state == state && known.isRevoked == news.isRevoked
        try execute(
            """
            UPDATE bought SET signed = $2, original_signed = coalesce($3, original_signed),
                receipt = coalesce($4, receipt), payment_key = coalesce(payment_key, $5),
                username = coalesce(username, $6), state = $7, is_revoked = $8,
                change = CASE WHEN $9 = 1 THEN change ELSE $10 END,
                content_version = coalesce($11, content_version), content_length = coalesce($12, content_length),
                original_receipt = coalesce($13, original_receipt), was_had = max(was_had, $14),
                news = CASE WHEN is_revoked <> $8 AND was_had = 1 AND original_signed IS NULL THEN 1 ELSE news END
            WHERE id = $1
            """, .integer(known.id.number), .text(news.signed), .optional(news.originalSigned),
            .optional(news.receipt), .optional(news.payment?.description), .optional(news.username),
            .text(state.rawValue), .integer(news.isRevoked ? 1 : 0), .integer(isTold ? 1 : 0),
            .integer(try nextNumber()), .optional(news.content?.version), .optional(news.content?.length),
            .optional(news.originalReceipt), .integer(news.wasHad ? 1 : 0))
        if state == .finished, known.state == .waiting {
            try execute("DELETE FROM payment WHERE transaction_id = $1", .integer(known.id.number))
        }
    }

    /// Forgets what another device has for itself now, unless the app has finished it here.
    fileprivate func withdraw(_ id: TransactionID) throws {
        guard try transaction(id)?.state == .waiting else { return }
        try execute("DELETE FROM bought WHERE id = $1", .integer(id.number))
        try execute("DELETE FROM payment WHERE transaction_id = $1", .integer(id.number))
        _ = try nextNumber()
    }

    /// A payment has its transaction. One that was finished already, because it came of an earlier payment, waits again.
    private func settle(_ payment: JournalPayment, with id: TransactionID) throws {
        try execute(
            """
            UPDATE bought SET state = 'waiting', change = $2,
                was_had = CASE WHEN is_revoked = 1 THEN was_had ELSE 1 END WHERE id = $1
            """, .integer(id.number), .integer(try nextNumber()))
        try execute("DELETE FROM finishing WHERE id = $1", .integer(id.number))
        try execute(
            "UPDATE payment SET state = 'purchased', transaction_id = $2, change = $3 WHERE key = $1",
            .text(payment.key.description), .integer(id.number), .integer(try nextNumber()))
    }
}

extension JournalDatabase {
    /// Transactions that changed after a change; without one, those that wait for the app. In the order in which they came.
    func transactions(changedAfter change: Int64?) throws -> [JournalTransaction] {
        guard let change else {
            return try query(
                "SELECT \(JournalTransaction.columns) FROM bought WHERE state = 'waiting' ORDER BY number",
                row: JournalTransaction.init(row:))
        }
        return try query(
            "SELECT \(JournalTransaction.columns) FROM bought WHERE change > $1 ORDER BY number", .integer(change),
            row: JournalTransaction.init(row:))
    }

    func announcements() throws -> [JournalTransaction] {
        try query(
            "SELECT \(JournalTransaction.columns) FROM bought WHERE news = 1 ORDER BY number",
            row: JournalTransaction.init(row:))
    }

    func history() throws -> [JournalTransaction] {
        try query(
            "SELECT \(JournalTransaction.columns) FROM bought WHERE original_signed IS NULL ORDER BY number",
            row: JournalTransaction.init(row:))
    }

    func transaction(_ id: TransactionID) throws -> JournalTransaction? {
        try query(
            "SELECT \(JournalTransaction.columns) FROM bought WHERE id = $1", .integer(id.number),
            row: JournalTransaction.init(row:)
        ).first
    }
}

extension JournalTransaction {
    fileprivate static let columns =
        "id, number, signed, original_signed, receipt, payment_key, username, state, is_revoked, "
        + "content_version, content_length, original_receipt, was_had"

    fileprivate init(row: JournalRow) throws {
        let length = try row.optionalInteger(10)
        let content = try row.optionalText(9).flatMap { version in
            length.map { DownloadableContent(version: version, length: $0) }
        }
        self.init(
            id: try TransactionID(number: row.integer(0)), number: try row.integer(1), signed: try row.text(2),
            originalSigned: try row.optionalText(3), receipt: try row.optionalBytes(4),
            payment: try row.optionalText(5).flatMap { PurchaseKey($0) }, username: try row.optionalText(6),
            state: try row.value(7, State.init(rawValue:)), isRevoked: try row.integer(8) != 0,
            content: content)
        originalReceipt = try row.optionalBytes(11)
        wasHad = try row.integer(12) != 0
    }
}
