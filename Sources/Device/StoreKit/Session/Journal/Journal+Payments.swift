package import StoreModel
import StoreSQLite

extension Journal {
    /// Keeps a payment before anything of it is sent; gives it its number.
    package func keep(_ payment: JournalPayment) throws -> JournalPayment {
        guard (1...JournalLimits.textBytes).contains(payment.product.utf8.count),
            (payment.username?.utf8.count ?? 0) <= JournalLimits.textBytes
        else {
            throw SessionFailure(
                code: 3, reason: "text_too_long",
                text: "A product identifier has 1 to \(JournalLimits.textBytes) bytes, a user name at most as many.")
        }
        // Nobody is charged before it is confirmed, and that is kept durably, and this with it.
        return try change(isDurable: false) { database in
            let count = try database.query("SELECT count(*) FROM payment") { try $0.integer(0) }.first ?? 0
            guard count < JournalLimits.payments else {
                throw SessionFailure(
                    code: 0, reason: "too_many_payments",
                    text: "\(JournalLimits.payments) payments of this app wait to be finished already.")
            }
            var payment = payment
            payment.number = try database.nextNumber()
            try database.insert(payment)
            return payment
        }
    }

    /// Says how far a payment has come; nothing if it is gone, or is settled already.
    package func set(_ state: JournalPayment.State, of key: PurchaseKey) throws {
        try change { database in
            _ = try database.execute(
                "UPDATE payment SET state = $2, change = $3 WHERE key = $1 AND state IN ('added', 'confirmed')",
                .text(key.description), .text(state.rawValue), .integer(try database.nextNumber()))
        }
    }

    /// Keeps that a payment has come to nothing; false if it is settled already.
    package func fail(_ key: PurchaseKey, _ failure: SessionFailure) throws -> Bool {
        try change { database in
            try database.execute(
                """
                UPDATE payment SET state = 'failed', failure_code = $2, failure_reason = $3, failure_text = $4,
                    failure_request = $5, change = $6
                WHERE key = $1 AND state IN ('added', 'confirmed')
                """, .text(key.description), .integer(Int64(failure.code)), .text(failure.reason),
                .text(failure.text), .optional(failure.request), .integer(try database.nextNumber())) > 0
        }
    }

    /// Takes over a payment whose process has gone; false if another was faster.
    package func adopt(_ key: PurchaseKey, of former: String, by owner: String) throws -> Bool {
        try change { database in
            try database.execute(
                "UPDATE payment SET owner = $3, change = $4 WHERE key = $1 AND owner = $2", .text(key.description),
                .text(former), .text(owner), .integer(try database.nextNumber())) > 0
        }
    }

    /// Forgets a payment that has come to nothing.
    package func forget(_ key: PurchaseKey) throws {
        try change { database in
            _ = try database.execute("DELETE FROM payment WHERE key = $1", .text(key.description))
            _ = try database.nextNumber()
        }
    }

    /// All payments in their order.
    package func payments() throws -> [JournalPayment] {
        try use { try $0.payments() }
    }

    package func payment(_ key: PurchaseKey) throws -> JournalPayment? {
        try use { try $0.payment(key) }
    }
}

extension JournalDatabase {
    func payments() throws -> [JournalPayment] {
        try query("SELECT \(JournalPayment.columns) FROM payment ORDER BY number", row: JournalPayment.init)
    }

    func payment(_ key: PurchaseKey) throws -> JournalPayment? {
        try query(
            "SELECT \(JournalPayment.columns) FROM payment WHERE key = $1", .text(key.description),
            row: JournalPayment.init
        ).first
    }

    fileprivate func insert(_ payment: JournalPayment) throws {
        try execute(
            """
            INSERT INTO payment (key, number, product_id, quantity, username, state, owner, added_at, change)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $2)
            """, .text(payment.key.description), .integer(payment.number), .text(payment.product),
            .integer(Int64(payment.quantity)), .optional(payment.username), .text(payment.state.rawValue),
            .text(payment.owner), .integer(payment.addedAt.millisecondsSinceEpoch))
    }
}

extension JournalPayment {
    fileprivate static let columns = """
        key, number, product_id, quantity, username, state, failure_code, failure_reason, failure_text,
        failure_request, transaction_id, owner, added_at
        """

    fileprivate init(_ row: JournalRow) throws {
        var failure: SessionFailure?
        if let code = try row.optionalInteger(6) {
            failure = SessionFailure(
                code: Int(code), reason: try row.text(7), text: try row.text(8), request: try row.optionalText(9))
        }
        self.init(
            key: try row.value(0) { PurchaseKey($0) }, number: try row.integer(1), product: try row.text(2),
            quantity: Int(try row.integer(3)), username: try row.optionalText(4),
            state: try row.value(5, State.init(rawValue:)), failure: failure,
            transaction: try row.optionalInteger(10).map(TransactionID.init(number:)), owner: try row.text(11),
            addedAt: Instant(millisecondsSinceEpoch: try row.integer(12)))
    }
}
