import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules
import StoreSigning

/// The codes of an environment by which customers get offers of the kind `code`.
///
/// They come in batches: many that are good once each, or one that is good for a number of customers. A customer redeems one
/// code of a batch. Codes are unique in an app, and are compared without regard to case.
package enum OfferCodes {
    /// The most of one batch.
    package static let most = 10_000
    /// The most redemptions of a custom code.
    package static let mostRedemptions = 1_000_000
    package static let longestCustom = 64
    /// The letters and digits of a one-time code.
    package static let length = 18
    /// The most months for which one-time codes are good.
    package static let mostMonths = 6
    /// The most batches that a list has.
    package static let longestList = 1_000

    private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

    /// Codes that were made together.
    package struct Batch: Hashable, Sendable {
        package let id: OfferCodeBatchID
        package let app: AppID
        package let item: ItemID
        package let product: ProductID
        /// The offer they are for, which is also what receipts call them.
        package let offer: String
        /// The one code of a batch that has one.
        package let code: String?
        package let total: Int
        package let used: Int
        package let createdAt: Instant
        package let expiresAt: Instant?
        package let isActive: Bool

        fileprivate static let selection: SQL = """
            SELECT offer_code_batch.id, app_id, item_id, product_id, offer_id, is_custom, total, created_at, expires_at,
                is_active, (SELECT sum(used) FROM offer_code WHERE batch_id = offer_code_batch.id),
                (SELECT min(code) FROM offer_code WHERE batch_id = offer_code_batch.id)
            FROM offer_code_batch
            """

        fileprivate init(_ row: Row) throws {
            var cells = row.cells
            (id, app, item) = (try cells.next(), try cells.next(), try cells.next())
            (product, offer) = (try cells.next(), try cells.next())
            let isCustom = try cells.next(as: Bool.self)
            (total, createdAt, expiresAt) = (try cells.next(), try cells.next(), try cells.next())
            isActive = try cells.next()
            used = try cells.next(as: Int?.self) ?? 0
            let first = try cells.next(as: String?.self)
            code = isCustom ? first : nil
        }

        /// Why its codes are not good any more; nil while they are.
        package func obstacle(at now: Instant) -> Obstacle? {
            if !isActive { return .deactivated }
            if let expiresAt, expiresAt <= now { return .expired(expiresAt) }
            return used >= total ? .spent : nil
        }
    }

    /// Why a code is not good any more.
    // Closed: each has its sentence.
    package enum Obstacle: Hashable, Sendable, CustomStringConvertible {
        case deactivated, spent
        case expired(Instant)

        package var description: String {
            switch self {
            case .deactivated: "it was deactivated"
            case .expired(let end): "it expired at \(end.rfc3339)"
            case .spent: "it was redeemed as often as it may be"
            }
        }

        func refusal(parameter: String) -> ServiceError {
            ServiceError(
                self == .spent ? .codeSpent : .codeExpired, "the code is not good any more: \(self)",
                parameter: parameter)
        }
    }

    /// One code of a batch.
    package struct Code: Hashable, Sendable {
        package let code: String
        package let used: Int
        package let most: Int
    }

    // MARK: Making them

    /// What a batch is to be.
    package struct Draft: Sendable {
        let app: AppID
        let item: ItemID
        let product: ProductID
        let offer: String
        let codes: [String]
        let isCustom: Bool
        let total: Int
        let expiresAt: Instant?
    }

    /// New one-time codes, drawn.
    static func drawn(_ count: Int, _ random: RandomBytes) throws -> [String] {
        guard (1...most).contains(count) else {
            throw ServiceError(.valueInvalid, "a batch has 1 to \(most) codes", parameter: "count")
        }
        return try (0..<count).map { _ in
            String(try random(length).map { letters[Int($0) % letters.count] })
        }
    }

    /// A custom code as it is kept.
    static func custom(_ text: String) throws -> String {
        guard let code = normal(text) else {
            throw ServiceError(
                .valueInvalid, "a code has 1 to \(longestCustom) letters of the Latin alphabet and digits",
                parameter: "code")
        }
        return code
    }

    /// A code as it is kept, from what somebody typed; nil if it is none.
    package static func normal(_ text: String) -> String? {
        let typed = text.uppercased().filter { $0 != "-" && $0 != " " }
        let isGood = typed.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return isGood && (1...longestCustom).contains(typed.utf8.count) ? typed : nil
    }

    static func insert(_ draft: Draft, as id: OfferCodeBatchID, at now: Instant, in transaction: any WriteTransaction)
        throws
    {
        try transaction.insert(
            into: "offer_code_batch",
            [
                "id": id, "app_id": draft.app, "item_id": draft.item, "product_id": draft.product,
                "offer_id": draft.offer, "is_custom": draft.isCustom, "total": draft.total, "created_at": now,
                "expires_at": draft.expiresAt, "is_active": true,
            ])
        for code in draft.codes {
            let isNew = try transaction.insertIfNew(
                into: "offer_code",
                [
                    "app_id": draft.app, "code": code, "batch_id": id, "most": draft.isCustom ? draft.total : 1,
                    "used": 0,
                ])
            guard isNew else {
                throw ServiceError(.nameTaken, "the app has a code \(code) already", parameter: "code")
            }
        }
    }

    // MARK: Looking at them

    package static func list(of app: AppID, in transaction: any ReadTransaction) throws -> [Batch] {
        try transaction.query(
            "\(Batch.selection) WHERE app_id = $1 ORDER BY offer_code_batch.id DESC LIMIT $2", app, longestList,
            row: Batch.init)
    }

    package static func batch(_ id: OfferCodeBatchID, of app: AppID, in transaction: any ReadTransaction) throws
        -> Batch
    {
        guard let found = try find(id, of: app, in: transaction) else {
            throw ServiceError(.nameUnknown, "the app has no codes of this number", parameter: "batchId")
        }
        return found
    }

    private static func find(_ id: OfferCodeBatchID, of app: AppID, in transaction: any ReadTransaction) throws
        -> Batch?
    {
        try transaction.optional(
            "\(Batch.selection) WHERE offer_code_batch.id = $1 AND app_id = $2", id, app, row: Batch.init)
    }

    package static func codes(of batch: Batch, in transaction: any ReadTransaction) throws -> [Code] {
        try transaction.query(
            "SELECT code, used, most FROM offer_code WHERE batch_id = $1 ORDER BY code LIMIT $2", batch.id, most
        ) { row in
            var cells = row.cells
            return try Code(code: cells.next(), used: cells.next(), most: cells.next())
        }
    }

    /// The batch of a code; nil if the app has no such code.
    package static func find(_ code: String, of app: AppID, in transaction: any ReadTransaction) throws -> Batch? {
        let id = try transaction.optional(
            "SELECT batch_id FROM offer_code WHERE app_id = $1 AND code = $2", app, code
        ) { try $0.value(0, as: OfferCodeBatchID.self) }
        return try id.flatMap { try find($0, of: app, in: transaction) }
    }

    /// The apps that have a code, in the order of their numbers.
    static func apps(with code: String, in transaction: any ReadTransaction) throws -> [AppID] {
        try transaction.query(
            "SELECT app_id FROM offer_code WHERE code = $1 ORDER BY app_id LIMIT $2", code, mostApps
        ) { try $0.value(0) }
    }

    /// The most apps that are told to have one code.
    private static let mostApps = 20

    static func deactivate(_ id: OfferCodeBatchID, of app: AppID, in transaction: any WriteTransaction) throws -> Batch
    {
        _ = try batch(id, of: app, in: transaction)
        try transaction.execute("UPDATE offer_code_batch SET is_active = 0 WHERE id = $1", id)
        return try batch(id, of: app, in: transaction)
    }

    // MARK: Redeeming them

    /// Throws why a customer cannot redeem a code.
    static func require(
        _ code: String, for scope: CustomerScope, at now: Instant, in transaction: any ReadTransaction
    ) throws {
        guard let batch = try find(code, of: scope.app, in: transaction) else { throw unknown }
        let spent = try transaction.value(
            "SELECT count(*) FROM offer_code WHERE app_id = $1 AND code = $2 AND used >= most", scope.app, code,
            as: Int.self)
        guard spent == 0 else { throw redeemed }
        if let obstacle = batch.obstacle(at: now) { throw obstacle.refusal(parameter: "offerCode") }
        let own = try transaction.value(
            """
            SELECT count(*) FROM purchase_offer JOIN offer_code
                ON offer_code.app_id = purchase_offer.app_id AND offer_code.code = purchase_offer.code
            WHERE offer_code.batch_id = $1 AND purchase_offer.customer_id = $2 AND purchase_offer.state = 'used'
            """, batch.id, scope.customer, as: Int.self)
        guard own == 0 else {
            throw ServiceError(
                .codeSpent, "the customer has redeemed a code of this batch already", parameter: "offerCode")
        }
    }

    private static let redeemed = ServiceError(
        .codeSpent, "the code is not good any more: it was redeemed already", parameter: "offerCode")
    static let unknown = ServiceError(.codeUnknown, "the app has no such code", parameter: "offerCode")

    /// Counts a redemption; throws if there is none left.
    static func take(_ code: String, of app: AppID, in transaction: any WriteTransaction) throws {
        let count = try transaction.execute(
            "UPDATE offer_code SET used = used + 1 WHERE app_id = $1 AND code = $2 AND used < most", app, code)
        guard count == 1 else { throw redeemed }
    }

    static func giveBack(_ code: String, of app: AppID, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "UPDATE offer_code SET used = used - 1 WHERE app_id = $1 AND code = $2 AND used > 0", app, code)
    }
}

extension NumberSeries {
    static let codeBatches = NumberSeries("offer_code_batch", block: 10)
}
