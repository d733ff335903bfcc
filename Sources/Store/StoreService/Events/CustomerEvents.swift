import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// What the devices of a customer are told, in the order in which it happened.
///
/// Events are numbered for each customer and app in the transaction of what they tell, so none can be missing between two
/// others, and no app learns from a gap that there is another. The last one is always kept.
package enum CustomerEvents {
    /// Writes an event and wakes those who wait for it. Without a device it is for all devices.
    static func append(
        _ kind: CustomerEventKind, to customer: CustomerID, app: AppID, device: DeviceID?, purchase: PurchaseID?,
        transaction id: TransactionID?, _ change: Change
    ) throws {
        // Two that append at once do so one after the other.
        try Customers.claim(customer, in: change.transaction)
        try change.transaction.insertNumbered(
            into: "customer_event",
            [
                "device_id": device, "kind": kind, "purchase_id": purchase, "transaction_id": id,
                "at": change.commerce, "written_at": change.wall,
            ], within: ["customer_id": customer, "app_id": app])
        try wake(customer, in: change.transaction)
    }

    /// Makes the events about something say nothing, and keep their numbers.
    static func empty(_ column: SQL, _ id: some ColumnValue, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE customer_event SET kind = $2, purchase_id = NULL, transaction_id = NULL WHERE \(column) = $1
            """, id, CustomerEventKind.forgotten)
    }

    /// Removes what was written before an instant, of customers after one, but for the last event of each app. Returns the
    /// customer to go on after; nil if there is no other.
    static func remove(
        writtenBefore instant: Instant, after customer: CustomerID?, limit: Int, in transaction: any WriteTransaction
    ) throws -> CustomerID? {
        let customers = try transaction.query(
            "SELECT id FROM customer WHERE id > $1 ORDER BY id LIMIT $2", customer?.number ?? 0, limit
        ) { try $0.value(0, as: CustomerID.self) }
        guard let last = customers.last else { return nil }
        for customer in customers {
            for app in try apps(of: customer, in: transaction) {
                try remove(writtenBefore: instant, of: customer, in: app, transaction)
            }
        }
        return customers.count == limit ? last : nil
    }

    /// Removes what comes before the first event that is to be kept, or before the last one. The clock may have been set
    /// back, and no gap may come of that.
    private static func remove(
        writtenBefore instant: Instant, of customer: CustomerID, in app: AppID, _ transaction: any WriteTransaction
    ) throws {
        let kept = try transaction.optional(
            """
            SELECT number FROM customer_event WHERE customer_id = $1 AND app_id = $2 AND written_at >= $3
            ORDER BY number LIMIT 1
            """, customer, app, instant
        ) { try $0.value(0, as: Int64.self) }
        let first = try kept ?? numbers(of: customer, app: app, in: transaction).last
        try transaction.execute(
            "DELETE FROM customer_event WHERE customer_id = $1 AND app_id = $2 AND number < $3", customer, app, first)
    }

    /// The apps in which something has happened to a customer; each is one step in the index, however much it was.
    static func apps(of customer: CustomerID, in transaction: any ReadTransaction) throws -> [AppID] {
        var apps: [AppID] = []
        while let next = try transaction.optional(
            "SELECT app_id FROM customer_event WHERE customer_id = $1 AND app_id > $2 ORDER BY app_id LIMIT 1",
            customer, apps.last?.number ?? 0, row: { try $0.value(0, as: AppID.self) })
        {
            apps.append(next)
        }
        return apps
    }

    /// Lets devices look again that wait for news of a customer: there are some, or another customer is signed in there now.
    static func wake(_ customer: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.signal(Signal(.customerEvents, subject: customer.description))
    }

    /// Events of a scope after a place, and the place after them.
    ///
    /// - Parameter cursor: the place; nil for the oldest event that is kept.
    package static func page(
        after cursor: EventCursor?, of scope: CustomerScope, on device: DeviceID, limit: Int,
        in transaction: any ReadTransaction
    ) throws -> (events: [CustomerEvent], cursor: EventCursor) {
        let customer = scope.customer
        let (first, last) = try numbers(of: customer, app: scope.app, in: transaction)
        let epoch = try epoch(in: transaction)
        let cursor = cursor ?? EventCursor(epoch: epoch, customer: customer, number: max(first, 1) - 1)
        guard cursor.customer == customer, cursor.number <= last, epoch == cursor.epoch else {
            throw ServiceError(
                .cursorVoid,
                "this place in the events is not of this account, or of another life of the store; read all "
                    + "transactions again", parameter: "after")
        }
        guard cursor.number + 1 >= first else {
            throw ServiceError(
                .cursorVoid, "the events after this place are not kept any more; read all transactions again",
                parameter: "after")
        }
        let events = try transaction.query(
            CustomerEvent.selection + """
                 WHERE customer_event.customer_id = $1 AND customer_event.app_id = $3 AND customer_event.number > $2
                ORDER BY customer_event.number LIMIT $5
                """, customer, cursor.number, scope.app, device, limit, row: CustomerEvent.init)
        // A page that is full ends at its last event; one that is not has seen all there is.
        let reached = events.count == limit ? (events.last?.number ?? last) : last
        return (events, EventCursor(epoch: cursor.epoch, customer: customer, number: reached))
    }

    /// What devices were told of a transaction, as far as it is kept, the oldest first.
    static func told(
        of sold: StoreTransaction, limit: Int, in transaction: any ReadTransaction
    ) throws -> [ToldEvent] {
        // Customer and app are named because what others were told is not theirs.
        try transaction.query(
            """
            SELECT number, kind, device_id, at FROM customer_event
            WHERE customer_id = $1 AND app_id = $2 AND transaction_id = $3 ORDER BY number DESC LIMIT $4
            """, sold.customerID, sold.appID, sold.id, limit
        ) { row in
            var cells = row.cells
            return try ToldEvent(number: cells.next(), kind: cells.next(), device: cells.next(), at: cells.next())
        }.reversed()
    }

    /// The life of the database; one that has none yet is in its first.
    package static func epoch(in transaction: any ReadTransaction) throws -> String {
        try StoreProperty.epoch(in: transaction) ?? ""
    }

    /// The place after everything that has happened so far.
    package static func end(of scope: CustomerScope, in transaction: any ReadTransaction) throws -> EventCursor {
        EventCursor(
            epoch: try epoch(in: transaction), customer: scope.customer,
            number: try numbers(of: scope.customer, app: scope.app, in: transaction).last)
    }

    /// The numbers of the first event that is kept and of the last; 0 where there is none.
    private static func numbers(
        of customer: CustomerID, app: AppID, in transaction: any ReadTransaction
    ) throws -> (first: Int64, last: Int64) {
        // Each end alone is one look into the key.
        let found = try transaction.optional(
            """
            SELECT (SELECT min(number) FROM customer_event WHERE customer_id = $1 AND app_id = $2),
                (SELECT max(number) FROM customer_event WHERE customer_id = $1 AND app_id = $2)
            """, customer, app
        ) { row in
            var cells = row.cells
            return (try cells.next(as: Int64?.self) ?? 0, try cells.next(as: Int64?.self) ?? 0)
        }
        return found ?? (0, 0)
    }
}

extension SignalTopic {
    /// Something was written for a customer, whose number is the subject.
    package static let customerEvents = SignalTopic("customer_events")
    /// A purchase stands otherwise; the subject is its number.
    package static let purchases = SignalTopic("purchases")
    /// Something is due at once.
    package static let work = SignalTopic("due_work")
}

/// That devices were told something, without what it was about.
package struct ToldEvent: Hashable, Sendable {
    /// Its place among all that the customer's devices are told of the app.
    package let number: Int64
    package let kind: CustomerEventKind
    /// The device that it concerns; nil for all.
    package let device: DeviceID?
    package let at: Instant
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

    private let holder: DeviceHold.Holder

    package var transaction: TransactionID? { told?.id }

    /// Whether what it tells of may be delivered on a device.
    package func place(on device: DeviceID, at wall: Instant, _ patience: Duration) -> DeviceHold.Place {
        guard let told, kind != .revocation else { return .here }
        return DeviceHold.place(of: told, isFinished: isFinished, holder, on: device, at: wall, patience)
    }

    /// Events and what they are about, for the device `$4`.
    static let selection: SQL = """
        SELECT customer_event.number, customer_event.kind, customer_event.device_id, customer_event.purchase_id,
            customer_event.at, transaction_finish.transaction_id, purchase.purchase_key, \(DeviceHold.columns),
            customer_event.transaction_id, \(StoreTransaction.columns)
        FROM customer_event
            LEFT JOIN store_transaction ON store_transaction.id = customer_event.transaction_id
            LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
            LEFT JOIN transaction_upgrade ON transaction_upgrade.transaction_id = store_transaction.id
            LEFT JOIN transaction_finish ON transaction_finish.transaction_id = store_transaction.id
            \(DeviceHold.join)
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
        holder = try DeviceHold.Holder(&cells)
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
