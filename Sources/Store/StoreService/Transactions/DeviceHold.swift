package import StoreDatabase
package import StoreModel

/// Which device of a customer an unfinished transaction is for, where it must not be delivered twice: a consumable or a
/// subscription that does not renew itself.
///
/// It is for the device that bought it, and what no device bought is for the first that takes it. Another gets it only when
/// that one is gone, because somebody else or nobody is signed in there or it is not known any more, or was not heard of for
/// a while. Whoever takes it over has it from then on, and all others are told so.
package enum DeviceHold {
    /// The kind of work that offers a transaction to the others.
    package static let work = "handover"

    /// What there is about a transaction on a device that asks for it.
    // Closed: whoever delivers has to know all.
    package enum Place: Hashable, Sendable {
        /// It may be delivered there.
        case here
        /// It may be, once it is noted whose it is now.
        case free
        /// Another device has it, at least until then.
        case elsewhere(until: Instant)
    }

    static let tables: [SQL] = [
        """
        CREATE TABLE transaction_holder (
            transaction_id \(.integer) NOT NULL PRIMARY KEY, device_id \(.integer) NOT NULL, held_since \(.integer) NOT NULL
        ) \(.table)
        """
    ]

    /// Joins what is known of who has a transaction; ``columns`` are read from it.
    static let join: SQL = """
         LEFT JOIN transaction_holder ON transaction_holder.transaction_id = store_transaction.id
         LEFT JOIN device AS holder ON holder.id = coalesce(transaction_holder.device_id, store_transaction.device_id)
        """
    static let columns: SQL = """
        coalesce(transaction_holder.device_id, store_transaction.device_id), holder.customer_id, holder.seen_at
        """

    /// The condition that a transaction that is not finished may be told to the device `device` of its customer.
    ///
    /// - Parameter silentSince: the place of when the other must have been heard of last.
    static func isOpen(to device: SQL, silentSince: SQL) -> SQL {
        """
        (store_transaction.kind NOT IN ('Consumable', 'Non-Renewing Subscription')
            OR transaction_finish.transaction_id IS NOT NULL OR transaction_revocation.transaction_id IS NOT NULL
            OR holder.id IS NULL OR holder.id = \(device) OR holder.customer_id IS NULL
            OR holder.customer_id <> store_transaction.customer_id OR holder.seen_at <= \(silentSince))
        """
    }

    /// Who has a transaction, as ``columns`` tell.
    struct Holder: Hashable, Sendable {
        let device: DeviceID?
        let customer: CustomerID?
        let seenAt: Instant?

        init(_ cells: inout RowCells) throws {
            device = try cells.next()
            customer = try cells.next()
            seenAt = try cells.next()
        }

        /// When another device may have the transaction at the earliest, if the holder stays silent; nil if it is gone.
        func end(of found: StoreTransaction, _ patience: Duration) -> Instant? {
            guard customer == found.customerID, let seenAt else { return nil }
            return seenAt + patience
        }
    }

    static func place(
        of found: StoreTransaction, isFinished: Bool, _ holder: Holder, on device: DeviceID, at wall: Instant,
        _ patience: Duration
    ) -> Place {
        guard !found.kind.isRestored, !isFinished, found.revocation == nil, holder.device != device else {
            return .here
        }
        guard let end = holder.end(of: found, patience), end > wall else { return .free }
        return .elsewhere(until: end)
    }

    /// The holder of a transaction.
    private static func holder(of id: TransactionID, in transaction: any ReadTransaction) throws -> Holder? {
        try transaction.optional(
            "SELECT \(columns) FROM store_transaction \(join) WHERE store_transaction.id = $1", id
        ) { row in
            var cells = row.cells
            return try Holder(&cells)
        }
    }

    /// The place of a transaction that is there.
    static func place(
        of found: StoreTransaction, on device: DeviceID, at wall: Instant, _ patience: Duration,
        in transaction: any ReadTransaction
    ) throws -> Place {
        guard !found.kind.isRestored, let holder = try holder(of: found.id, in: transaction) else { return .here }
        let isFinished = try Transactions.isFinished(found.id, in: transaction)
        return place(of: found, isFinished: isFinished, holder, on: device, at: wall, patience)
    }

    /// What of a customer's in an app other devices have for themselves.
    package static func elsewhere(
        for scope: CustomerScope, on device: DeviceID, silentSince: Instant, in transaction: any ReadTransaction
    ) throws -> [TransactionID] {
        try transaction.query(
            """
            SELECT store_transaction.id FROM \(StoreTransaction.tables)
                LEFT JOIN transaction_finish ON transaction_finish.transaction_id = store_transaction.id
                \(join)
            WHERE store_transaction.customer_id = $1 AND store_transaction.app_id = $2
                AND NOT \(isOpen(to: "$3", silentSince: "$4"))
            """, scope.customer, scope.app, device, silentSince
        ) { try $0.value(0) }
    }

    /// Notes that a device takes what is free, and has what is elsewhere offered once it is not held any more.
    package static func take(
        _ ids: [TransactionID], on scope: DeviceScope, _ patience: Duration, _ change: Change
    ) throws {
        for id in ids {
            let found = try Transactions.require(id, of: scope.requireCustomerScope(), in: change.transaction)
            switch try place(of: found, on: scope.device, at: change.wall, patience, in: change.transaction) {
            case .here: break
            case .elsewhere(let end):
                try WorkTable.ensure(Work(work, id.description, dueAt: end, clock: .wall), in: change.transaction)
            case .free:
                let isTakenOver = try holder(of: id, in: change.transaction)?.device != nil
                try change.transaction.insertOrUpdate(
                    "transaction_holder", ["device_id": scope.device, "held_since": change.wall],
                    key: ["transaction_id": id])
                // The former holder, if it comes back, finds out before it tells its app.
                if isTakenOver { try tellAll(found, change) }
            }
        }
    }

    /// Offers a transaction to all devices, if its holder is gone. Returns when to look again; nil if it is settled.
    static func offer(_ id: TransactionID, _ patience: Duration, _ change: Change) throws -> Instant? {
        guard let found = try Transactions.find(id, in: change.transaction), found.revocation == nil,
            try !Transactions.isFinished(id, in: change.transaction),
            let holder = try holder(of: id, in: change.transaction), holder.device != nil
        else { return nil }
        if let end = holder.end(of: found, patience), end > change.wall { return end }
        try tellAll(found, change)
        return nil
    }

    /// Has what a device holds offered at once, because nobody is signed in there any more.
    static func release(
        of device: DeviceID, _ customer: CustomerID, at wall: Instant, in transaction: any WriteTransaction
    ) throws {
        let held = try transaction.query(
            """
            SELECT store_transaction.id FROM store_transaction
                LEFT JOIN transaction_holder ON transaction_holder.transaction_id = store_transaction.id
            WHERE store_transaction.customer_id = $1
                AND store_transaction.kind IN ('Consumable', 'Non-Renewing Subscription')
                AND coalesce(transaction_holder.device_id, store_transaction.device_id) = $2
                AND NOT EXISTS (SELECT 1 FROM transaction_finish WHERE transaction_id = store_transaction.id)
                AND NOT EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = store_transaction.id)
            """, customer, device
        ) { try $0.value(0, as: TransactionID.self) }
        for id in held {
            try WorkTable.schedule(Work(work, id.description, dueAt: wall, clock: .wall), in: transaction)
        }
    }

    static func tellAll(_ found: StoreTransaction, _ change: Change) throws {
        try CustomerEvents.append(
            .transaction, to: found.customerID, app: found.appID, device: nil, purchase: found.orderID?.purchase,
            transaction: found.id, change)
    }
}
