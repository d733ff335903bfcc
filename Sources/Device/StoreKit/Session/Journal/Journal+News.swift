package import StoreModel
import StoreSQLite

/// What a process has to know of the journal to bring its queue up to date, read at one moment.
package struct JournalNews: Hashable, Sendable {
    /// All payments.
    package var payments: [JournalPayment]
    /// All transactions that wait for the app.
    package var waiting: Set<TransactionID>
    /// The transactions that changed.
    package var changed: [JournalTransaction]
    /// The last change that is in here.
    package var change: Int64
}

extension Journal {
    /// What is new after a change; everything that waits for the app if there is none.
    package func news(after change: Int64?) throws -> JournalNews {
        try use { database in
            // One transaction, so that nobody writes between the readings.
            try database.reading { database in
                let ids = try database.query("SELECT id FROM bought WHERE state = 'waiting'") {
                    try TransactionID(number: $0.integer(0))
                }
                return JournalNews(
                    payments: try database.payments(), waiting: Set(ids),
                    changed: try database.transactions(changedAfter: change), change: try database.lastNumber())
            }
        }
    }
}
