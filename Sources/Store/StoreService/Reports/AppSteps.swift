package import StoreDatabase
package import StoreModel
import Synchronization

/// What an app and its server were seen doing for the first time: how far the work on selling in it has come.
///
/// What the books tell is read from there. What leaves no trace in them is kept here, each step once for an app, with what was
/// seen last.
package final class AppSteps: Sendable {
    /// A step, by its name in interfaces.
    // Closed: each has a text, and its place in the list.
    package enum Step: String, CaseIterable, Sendable {
        /// A device has registered with a profile of the app.
        case profile
        /// The app has asked for products.
        case products
        /// Every id that it asked for was one that is sold. The step is taken back by an id that is not.
        case valid = "valid_products"
        /// A device with the app has bought something; what the operator sells is no work of the app.
        case purchase
        case finish
        case restore
        /// A server has had a receipt of the app verified.
        case receipt
        /// The app was told that something was taken back.
        case refund
    }

    /// How far an app is with a step.
    package struct Entry: Hashable, Sendable {
        package let step: Step
        /// When it was seen for the first time; nil if it was not, or was not right the last time.
        package let at: Instant?
        /// What was seen, or what was wrong.
        package let detail: String?
    }

    static let tables: [SQL] = [
        """
        CREATE TABLE app_step (
            app_id \(.integer) NOT NULL, step \(.text) NOT NULL, at \(.integer), detail \(.text),
            PRIMARY KEY (app_id, step)
        ) \(.keyedTable)
        """
    ]

    /// How often a step that is seen again is written again.
    private static let pace = Duration.seconds(10)

    private struct Key: Hashable {
        let app: AppID
        let step: Step
    }

    private let database: any Database
    private let now: @Sendable () -> Instant
    private let known = Mutex<[Key: (at: Instant, detail: String?)]>([:])

    init(_ database: any Database, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.now = now
    }

    /// Keeps that a step was seen. It is a note beside the work of the store, which goes on whether it can be kept or not.
    ///
    /// - Parameter wrong: what was wrong with it.
    package func see(_ step: Step, of app: AppID, wrong: String? = nil) async {
        let (now, key) = (now(), Key(app: app, step: step))
        let isNews = known.withLock { known in
            if let last = known[key], last.detail == wrong || now < last.at + Self.pace { return false }
            known[key] = (now, wrong)
            return true
        }
        guard isNews else { return }
        _ = try? await database.write(isolation: .snapshot) { transaction in
            let first = try transaction.optional(
                "SELECT at FROM app_step WHERE app_id = $1 AND step = $2 AND at IS NOT NULL", app, step.rawValue
            ) { try $0.value(0, as: Instant.self) }
            try transaction.insertOrUpdate(
                "app_step", ["at": wrong == nil ? first ?? now : nil, "detail": wrong],
                key: ["app_id": app, "step": step.rawValue])
        }
    }

    /// All steps of an app, in their order.
    package func list(of app: AppID) async throws -> [Entry] {
        try await database.read { try Self.list(of: app, in: $0) }
    }

    package static func list(of app: AppID, in transaction: any ReadTransaction) throws -> [Entry] {
        var kept: [Step: (Instant?, String?)] = [:]
        try transaction.forEachRow(
            "SELECT step, at, detail FROM app_step WHERE app_id = $1", binding: [app.databaseValue]
        ) { row in
            var cells = row.cells
            guard let step = Step(rawValue: try cells.next()) else { return }
            kept[step] = (try cells.next(as: Instant?.self), try cells.next(as: String?.self))
        }
        return try Step.allCases.map { step in
            let booked: Instant? =
                switch step {
                case .products, .valid, .receipt, .refund: nil
                case .profile: try first("SELECT min(registered_at) FROM device WHERE app_id = $1", app, transaction)
                case .purchase:
                    try first(
                        """
                        SELECT purchase_date FROM store_transaction
                        WHERE app_id = $1 AND device_id IS NOT NULL AND restored_id IS NULL ORDER BY id LIMIT 1
                        """, app, transaction)
                case .finish:
                    try first(
                        """
                        SELECT transaction_finish.finished_at FROM transaction_finish
                            JOIN store_transaction ON store_transaction.id = transaction_finish.transaction_id
                        WHERE store_transaction.app_id = $1 AND transaction_finish.device_id IS NOT NULL
                        ORDER BY transaction_finish.transaction_id LIMIT 1
                        """, app, transaction)
                case .restore:
                    try first(
                        """
                        SELECT purchase_date FROM store_transaction
                        WHERE app_id = $1 AND restored_id IS NOT NULL ORDER BY id LIMIT 1
                        """, app, transaction)
                }
            return Entry(step: step, at: booked ?? kept[step]?.0, detail: kept[step]?.1)
        }
    }

    private static func first(_ sql: SQL, _ app: AppID, _ transaction: any ReadTransaction) throws -> Instant? {
        try transaction.query(sql, app) { try $0.value(0, as: Instant?.self) }.first ?? nil
    }
}
