import Foundation
package import StoreModel
import StoreSQLite

/// A payment as the journal has it.
package struct JournalPayment: Hashable, Sendable {
    /// How far it has come.
    // Closed: the states are those of the journal's own file.
    package enum State: String, Hashable, Sendable {
        /// Nothing is known of what the store thinks of it.
        case added
        /// The customer said yes: from here on it may be paid.
        case confirmed
        /// There is a transaction for it.
        case purchased
        /// It has come to nothing.
        case failed
    }

    package let key: PurchaseKey
    /// Rises with every payment and every transaction of the journal.
    package var number: Int64
    package var payment: Payment
    package var state: State
    package var failure: SessionFailure?
    package var transaction: TransactionID?
    /// The process that looks after it.
    package var owner: String
    package var addedAt: Instant

    package init(
        key: PurchaseKey, number: Int64 = 0, payment: Payment, state: State = .added, failure: SessionFailure? = nil,
        transaction: TransactionID? = nil, owner: String, addedAt: Instant
    ) {
        self.key = key
        self.number = number
        self.payment = payment
        self.state = state
        self.failure = failure
        self.transaction = transaction
        self.owner = owner
        self.addedAt = addedAt
    }

    /// Whether it is not known yet what becomes of it.
    package var isOpen: Bool { state == .added || state == .confirmed }
}

extension Journal {
    /// Keeps a payment before anything of it is sent; gives it its number.
    package func keep(_ payment: JournalPayment) throws -> JournalPayment {
        guard (1...JournalLimits.textBytes).contains(payment.payment.product.utf8.count),
            (payment.payment.username?.utf8.count ?? 0) <= JournalLimits.textBytes
        else {
            throw SessionFailure(
                code: 3, reason: "text_too_long",
                text: "A product identifier has 1 to \(JournalLimits.textBytes) bytes, a user name at most as many.")
        }
        // Nothing is charged before it is confirmed; that is kept durably, and this with it.
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

    /// Says how far a payment has come; changes nothing if it is gone, or is settled already.
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
            INSERT INTO payment (key, number, payment, state, owner, added_at, change)
            VALUES ($1, $2, $3, $4, $5, $6, $2)
            """, .text(payment.key.description), .integer(payment.number),
            .text(String(decoding: try JSONEncoder().encode(payment.payment), as: UTF8.self)),
            .text(payment.state.rawValue), .text(payment.owner), .integer(payment.addedAt.millisecondsSinceEpoch))
    }
}

extension JournalPayment {
    fileprivate static let columns =
        "key, number, payment, state, failure_code, failure_reason, failure_text, failure_request, transaction_id, "
        + "owner, added_at"

    fileprivate init(_ row: JournalRow) throws {
        var failure: SessionFailure?
        if let code = try row.optionalInteger(4) {
            failure = SessionFailure(
                code: Int(code), reason: try row.text(5), text: try row.text(6), request: try row.optionalText(7))
        }
        self.init(
            key: try row.value(0) { PurchaseKey($0) }, number: try row.integer(1),
            payment: try row.value(2) { try? JSONDecoder().decode(Payment.self, from: Data($0.utf8)) },
            state: try row.value(3, State.init(rawValue:)), failure: failure,
            transaction: try row.optionalInteger(8).map(TransactionID.init(number:)), owner: try row.text(9),
            addedAt: Instant(millisecondsSinceEpoch: try row.integer(10)))
    }
}
