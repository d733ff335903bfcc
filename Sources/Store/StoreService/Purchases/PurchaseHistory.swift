package import StoreDatabase
package import StoreModel

/// One line of a purchase's history.
package struct PurchaseHistoryEntry: Hashable, Sendable {
    package let number: Int64
    package let at: Instant
    package let event: String
    package let state: String
    package let detail: String?
    /// The request that brought it about, if one did.
    package let request: String?
}

extension Purchases {
    /// Everything that happened to a purchase, in its order.
    package static func history(
        of id: PurchaseID, in transaction: any ReadTransaction
    ) throws -> [PurchaseHistoryEntry] {
        try transaction.query(
            """
            SELECT number, at, event, state, detail, request_id FROM purchase_history
            WHERE purchase_id = $1 ORDER BY number
            """, id
        ) { row in
            PurchaseHistoryEntry(
                number: try row.value(0), at: try row.value(1), event: try row.value(2), state: try row.value(3),
                detail: try row.value(4), request: try row.value(5))
        }
    }

    /// The purchase that a request had to do with.
    package static func find(request: String, in transaction: any ReadTransaction) throws -> StoredPurchase? {
        let id = try transaction.query(
            "SELECT purchase_id FROM purchase_history WHERE request_id = $1 ORDER BY purchase_id LIMIT 1", request
        ) { try $0.value(0, as: PurchaseID.self) }.first
        return try id.flatMap { try find($0, in: transaction) }
    }

    /// Purchases after one, in their order; of a customer, if one is named.
    package static func list(
        of customer: CustomerID?, after id: PurchaseID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoredPurchase] {
        guard let customer else {
            return try transaction.query(
                "SELECT \(StoredPurchase.columns) FROM purchase WHERE id > $1 ORDER BY id LIMIT $2", id?.number ?? 0,
                limit, row: StoredPurchase.init)
        }
        return try transaction.query(
            "SELECT \(StoredPurchase.columns) FROM purchase WHERE customer_id = $1 AND id > $2 ORDER BY id LIMIT $3",
            customer, id?.number ?? 0, limit, row: StoredPurchase.init)
    }

    /// The word that names the newest purchase.
    package static let last = "last"

    private static func newest(in transaction: any ReadTransaction) throws -> StoredPurchase? {
        try transaction.query(
            "SELECT \(StoredPurchase.columns) FROM purchase ORDER BY id DESC LIMIT 1", row: StoredPurchase.init
        ).first
    }

    /// The purchase that a name means: its number, the number of its transaction, its code, a request about it, or the newest.
    package static func named(_ name: String, in transaction: any ReadTransaction) throws -> StoredPurchase {
        var found: StoredPurchase?
        if name == last {
            found = try newest(in: transaction)
        } else if let id = TransactionID(name), id.environment != nil {
            found = try Transactions.find(id, in: transaction)?.purchaseID.flatMap { try find($0, in: transaction) }
        } else if let id = PurchaseID(name) {
            found = try find(id, in: transaction)
        } else if let code = Confirmation.code(typed: name) {
            found = try find(code: code, in: transaction)
        } else {
            found = try find(request: name, in: transaction)
        }
        guard let found else {
            throw ServiceError(
                .purchaseUnknown,
                "there is no purchase of this name; a purchase is named by its number, that of its transaction, its code, "
                    + "the id of a request, or the word last", parameter: "name")
        }
        return found
    }
}
