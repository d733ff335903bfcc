package import StoreDatabase
package import StoreModel

/// Work that is due by the clock of a customer, and moves to another clock with the customer.
package struct CustomerWork: Sendable {
    package typealias Subjects = @Sendable (CustomerID, any ReadTransaction) throws -> [String]

    package let kind: String
    /// What the work of a customer is done to.
    package let subjects: Subjects

    package init(_ kind: String, subjects: @escaping Subjects) {
        self.kind = kind
        self.subjects = subjects
    }

    /// All of it; what belongs to a customer and is due by the wall clock is none of it.
    package static let all = [
        CustomerWork(Subscriptions.work) { customer, transaction in
            try transaction.query(
                "SELECT original_id FROM subscription WHERE customer_id = $1 ORDER BY original_id", customer
            ) { try $0.value(0, as: TransactionID.self).description }
        },
        CustomerWork(Purchases.work) { customer, transaction in
            try Purchases.waitingForApproval(of: customer, limit: .max, in: transaction).map(\.id.description)
        },
        CustomerWork(NotificationDeliveries.work) { customer, transaction in
            try NotificationDeliveries.resting(of: customer, in: transaction).map(\.description)
        },
    ]

    /// Lets the work of a customer be due by another clock, at the same instants.
    func move(
        of customer: CustomerID, from clock: ClockID, to other: ClockID, in transaction: any WriteTransaction
    ) throws {
        try WorkTable.move(kind, subjects(customer, transaction), from: clock, to: other, in: transaction)
    }
}
