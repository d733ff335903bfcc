import StoreModel

/// The table of what was done.
struct AuditTable {
    /// Finds the entries of a transaction.
    static let ofTransactions = SchemaStep(name: "audit of transactions") { _ in
        [
            """
            CREATE INDEX IF NOT EXISTS backend_audit_of_transaction ON backend_audit (environment, transaction_id, number)
            """
        ]
    }

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    /// Notes that something was done.
    func note(
        _ action: AuditEntry.Action, of userID: String? = nil, transaction: VerifiedTransaction? = nil,
        product: ProductID? = nil, _ detail: String = "", at now: Instant
    ) throws {
        let values: [SQLValue] = [
            SQLValue(now), .text(action.rawValue), SQLValue(userID),
            SQLValue(transaction?.environment.rawValue), SQLValue(transaction?.transactionID.number),
            SQLValue((product ?? transaction?.productID)?.text), .text(detail),
        ]
        try connection.run(
            """
            INSERT INTO backend_audit (noted_at, action, user_id, environment, transaction_id, product_id, detail)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, values)
    }

    /// The entries behind a number; of a user those that name it, and those about what it bought that name nobody.
    func entries(after number: Int64, of user: BackendUser?, atMost limit: Int) throws -> [AuditEntry] {
        let columns = """
            a.number, a.noted_at, a.action, a.user_id, a.environment, a.transaction_id, a.product_id, a.detail, u.name
            """
        let named = "LEFT JOIN backend_user u ON u.id = a.user_id"
        let rows =
            if let user {
                try connection.run(
                    """
                    SELECT \(columns) FROM backend_audit a \(named) WHERE a.number > $1 AND a.user_id = $2
                    UNION ALL
                    SELECT \(columns) FROM backend_owner o
                    JOIN backend_purchase p
                      ON p.environment = o.environment AND p.original_transaction_id = o.original_transaction_id
                    JOIN backend_audit a ON a.environment = p.environment AND a.transaction_id = p.transaction_id
                    \(named) WHERE a.number > $1 AND o.user_id = $2 AND COALESCE(a.user_id, '') = ''
                    ORDER BY number LIMIT $3
                    """, [.integer(number), .text(user.id), .integer(Int64(limit))])
            } else {
                try connection.run(
                    "SELECT \(columns) FROM backend_audit a \(named) WHERE a.number > $1 ORDER BY a.number LIMIT $2",
                    [.integer(number), .integer(Int64(limit))])
            }
        return try rows.map(AuditEntry.init)
    }
}

extension AuditEntry {
    init(_ row: SQLRow) throws {
        number = try row.requiredInteger(0)
        instant = try row.requiredInstant(1)
        action = Action(rawValue: try row.requiredText(2))
        userID = try row.text(3)
        environment = try row.text(4).flatMap(StoreEnvironment.init)
        transactionID = try row.integer(5).map(TransactionID.init(number:))
        productID = try row.text(6).map(ProductID.init(parsing:))
        detail = try row.requiredText(7)
        userName = try row.text(8)
    }
}
