package import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// Something that a customer pays with, as the processor knows it.
package struct PaymentMethod: Hashable, Sendable {
    /// The most methods that one account has at a time.
    package static let limit = 20

    package let id: PaymentMethodID
    /// The processor that knows the token.
    package let processor: String
    /// What the processor knows it by; never the number of a card.
    package let token: String
    /// What the customer knows it by.
    package let label: String

    static let columns: SQL = "id, processor, token, label"

    init(_ id: PaymentMethodID, processor: String, token: String, label: String) {
        self.id = id
        self.processor = processor
        self.token = token
        self.label = label
    }

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        processor = try cells.next()
        token = try cells.next()
        label = try cells.next()
    }
}

extension Customers {
    /// Adds a method, which is the one that is used from now on.
    package static func add(
        _ id: PaymentMethodID, processor: String, token: String, label: String, to customer: CustomerID,
        at now: Instant,
        in transaction: any WriteTransaction
    ) throws {
        for (name, text) in [("token", token), ("label", label)]
        where text.isEmpty || text.utf8.count > NewCustomer.longestText {
            throw InvalidValue(
                .outOfRange, subject: name, value: text, rule: "has 1 to \(NewCustomer.longestText) bytes")
        }
        guard try paymentMethods(of: customer, in: transaction).count < PaymentMethod.limit else {
            throw ServiceError(.tooMany, "an account has at most \(PaymentMethod.limit) payment methods")
        }
        try transaction.insert(
            into: "payment_method",
            [
                "id": id, "customer_id": customer, "processor": processor, "token": token, "label": label,
                "created_at": now,
            ])
    }

    /// Adds a method that is used once: it is not among those of the account.
    static func addOnce(
        _ id: PaymentMethodID, processor: String, token: String, label: String, to customer: CustomerID,
        at now: Instant, in transaction: any WriteTransaction
    ) throws -> PaymentMethod {
        try transaction.insert(
            into: "payment_method",
            [
                "id": id, "customer_id": customer, "processor": processor, "token": token, "label": label,
                "created_at": now, "removed_at": now,
            ])
        return PaymentMethod(id, processor: processor, token: token, label: label)
    }

    /// The methods of a customer; the last one is used.
    package static func paymentMethods(
        of customer: CustomerID, in transaction: any ReadTransaction
    ) throws -> [PaymentMethod] {
        try transaction.query(
            """
            SELECT \(PaymentMethod.columns) FROM payment_method WHERE customer_id = $1 AND removed_at IS NULL
            ORDER BY id
            """, customer, row: PaymentMethod.init)
    }

    /// The methods of these customers; the last one is used.
    static func paymentMethods(
        ofAll customers: some Sequence<CustomerID>, in transaction: any ReadTransaction
    ) throws -> [CustomerID: [PaymentMethod]] {
        let found = try transaction.query(
            """
            SELECT \(PaymentMethod.columns), customer_id FROM payment_method
            WHERE customer_id IN \(.numbers) AND removed_at IS NULL ORDER BY id
            """, of: customers
        ) { row in (customer: try row.value(4, as: CustomerID.self), method: try PaymentMethod(row)) }
        return Dictionary(grouping: found, by: \.customer).mapValues { $0.map(\.method) }
    }

    /// A method by its number, also one that was removed since.
    static func paymentMethod(_ id: PaymentMethodID, in transaction: any ReadTransaction) throws -> PaymentMethod? {
        try transaction.optional(
            "SELECT \(PaymentMethod.columns) FROM payment_method WHERE id = $1", id, row: PaymentMethod.init)
    }

    /// Removes a method; says whether there was one.
    package static func removePaymentMethod(
        _ id: PaymentMethodID, of customer: CustomerID, at now: Instant, in transaction: any WriteTransaction
    ) throws -> Bool {
        try transaction.execute(
            "UPDATE payment_method SET removed_at = $3 WHERE id = $1 AND customer_id = $2 AND removed_at IS NULL", id,
            customer, now) == 1
    }
}

extension PaymentForm {
    /// Whether something is among what there is to choose from.
    func has(_ token: String) -> Bool {
        if case .choices(let choices) = self { choices.contains { $0.token == token } } else { false }
    }

    /// Refuses a token that is misspelt, where it is known which there are.
    package func require(_ token: String, parameter: String) throws(ServiceError) {
        guard case .choices(let choices) = self, !has(token) else { return }
        let known = choices.map(\.token)
        let meant = NearestName.of(token, among: known).map { "did you mean \($0)?" }
        throw ServiceError(
            .valueInvalid,
            "the test processor has no such token; \(meant ?? "it has \(known.joined(separator: ", "))")",
            parameter: parameter)
    }
}
