package import StoreDatabase
package import StoreModel

/// What the devices of a customer are told, in the order in which it happened.
///
/// Events are numbered for each customer in the transaction of what they tell, so none can be missing between two others.
package enum CustomerEvents {
    /// Writes an event and wakes those who wait for it. Without a device it is for all devices.
    static func append(
        _ kind: CustomerEventKind, to customer: CustomerID, app: AppID, device: DeviceID?, purchase: PurchaseID?,
        transaction id: TransactionID?, at commerce: Instant, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("UPDATE customer SET event_number = event_number + 1 WHERE id = $1", customer)
        try transaction.execute(
            """
            INSERT INTO customer_event (customer_id, number, app_id, device_id, kind, purchase_id, transaction_id, at)
            VALUES ($1, (SELECT event_number FROM customer WHERE id = $1), $2, $3, $4, $5, $6, $7)
            """, customer, app, device, kind, purchase, id, commerce)
        try wake(customer, in: transaction)
    }

    /// Lets devices look again that wait for news of a customer: there are some, or another customer is signed in there now.
    static func wake(_ customer: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.signal(Signal(.customerEvents, subject: customer.description))
    }

    /// The same for the customer of a device who is about to be signed out there.
    static func wakeCustomer(of device: DeviceID, in transaction: any WriteTransaction) throws {
        let customer = try transaction.optional("SELECT customer_id FROM device WHERE id = $1", device) {
            try $0.value(0, as: CustomerID?.self)
        }
        if let customer = customer ?? nil { try wake(customer, in: transaction) }
    }

    /// Events of a scope after a place, and the place after them. Those of other apps are passed over.
    package static func page(
        after cursor: EventCursor, of scope: CustomerScope, on device: DeviceID, limit: Int,
        in transaction: any ReadTransaction
    ) throws -> (events: [CustomerEvent], cursor: EventCursor) {
        let customer = scope.customer
        let last = try transaction.value(
            "SELECT event_number FROM customer WHERE id = $1", customer, as: Int64.self)
        guard cursor.customer == customer, cursor.number <= last,
            try epoch(in: transaction) == cursor.epoch
        else {
            throw ServiceError(
                .cursorVoid,
                "this place in the events is not of this account, or of another life of the store; read all "
                    + "transactions again", parameter: "after")
        }
        let events = try transaction.query(
            CustomerEvent.selection + """
                 WHERE customer_event.customer_id = $1 AND customer_event.number > $2 AND customer_event.app_id = $3
                ORDER BY customer_event.number LIMIT $5
                """, customer, cursor.number, scope.app, device, limit, row: CustomerEvent.init)
        // A page that is full ends at its last event; one that is not has seen all there is.
        let reached = events.count == limit ? (events.last?.number ?? last) : last
        return (events, EventCursor(epoch: cursor.epoch, customer: customer, number: reached))
    }

    /// The life of the database; one that has none yet is in its first.
    package static func epoch(in transaction: any ReadTransaction) throws -> String {
        try StoreProperty.epoch(in: transaction) ?? ""
    }

    /// The place after everything that has happened so far.
    package static func end(of customer: CustomerID, in transaction: any ReadTransaction) throws -> EventCursor {
        EventCursor(
            epoch: try epoch(in: transaction), customer: customer,
            number: try transaction.value(
                "SELECT event_number FROM customer WHERE id = $1", customer, as: Int64.self))
    }
}

extension SignalTopic {
    /// Something was written for a customer; the subject is the customer's number.
    package static let customerEvents = SignalTopic("customer_events")
    /// A purchase stands otherwise; the subject is its number.
    package static let purchases = SignalTopic("purchases")
}

/// One thing that the devices of a customer are told, with what it is about as that stands now.
package struct CustomerEvent: Hashable, Sendable {
    package let number: Int64
    package let kind: CustomerEventKind
    /// The device that it concerns; nil for all.
    package let device: DeviceID?
    package let purchase: PurchaseID?
    package let at: Instant
    package let told: StoreTransaction?
    package let isFinished: Bool
    /// The key of the purchase, for the device that asked for it only.
    package let key: PurchaseKey?

    package var transaction: TransactionID? { told?.id }

    /// Events and what they are about, for the device `$4`.
    static let selection: SQL = """
        SELECT customer_event.number, customer_event.kind, customer_event.device_id, customer_event.purchase_id,
            customer_event.at, transaction_finish.transaction_id, purchase.purchase_key, customer_event.transaction_id,
            \(StoreTransaction.columns)
        FROM customer_event
            LEFT JOIN store_transaction ON store_transaction.id = customer_event.transaction_id
            LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
            LEFT JOIN transaction_finish ON transaction_finish.transaction_id = store_transaction.id
            LEFT JOIN purchase ON purchase.id = customer_event.purchase_id AND customer_event.device_id = $4
        """

    init(_ row: Row) throws {
        var cells = row.cells
        number = try cells.next()
        kind = try cells.next()
        device = try cells.next()
        purchase = try cells.next()
        at = try cells.next()
        isFinished = try cells.next(as: TransactionID?.self) != nil
        key = try cells.next()
        told = try cells.next(as: TransactionID?.self) == nil ? nil : StoreTransaction(&cells)
    }
}

/// A place in the events of a customer: everything up to a number was seen, in one life of the database.
package struct EventCursor: Hashable, Sendable {
    package let epoch: String
    package let customer: CustomerID
    package let number: Int64

    package init(epoch: String, customer: CustomerID, number: Int64) {
        self.epoch = epoch
        self.customer = customer
        self.number = number
    }

    /// As a device keeps it. Its form is ours alone.
    package var text: String { "\(epoch).\(customer).\(number)" }

    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 128, parts.count == 3, let customer = CustomerID(String(parts[1])),
            let number = Int64(parts[2]), number >= 0
        else { return nil }
        self.init(epoch: String(parts[0]), customer: customer, number: number)
    }
}
