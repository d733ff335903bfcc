package import StoreDatabase
package import StoreModel

/// A device as those see it who look after the store.
package struct DeviceRecord: Hashable, Sendable {
    package let id: DeviceID
    package let bundle: BundleID
    package let customer: CustomerID?
    package let storefront: StorefrontCode
    package let language: String
    package let appVersion: String
    package let purchasesAllowed: Bool
    package let isSimulator: Bool
    package let registeredAt: Instant
    package let seenAt: Instant

    private init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        bundle = try cells.next()
        customer = try cells.next()
        storefront = try cells.next()
        language = try cells.next()
        appVersion = try cells.next()
        purchasesAllowed = try cells.next()
        isSimulator = try cells.next()
        registeredAt = try cells.next()
        seenAt = try cells.next()
    }

    private static let columns: SQL = """
        id, bundle_id, customer_id, storefront, language, app_version, purchases_allowed, is_simulator, registered_at,
        seen_at
        """

    package static func find(_ id: DeviceID, in transaction: any ReadTransaction) throws -> DeviceRecord {
        let found = try transaction.optional(
            "SELECT \(columns) FROM device WHERE id = $1", id, row: DeviceRecord.init)
        guard let found else { throw ServiceError(.deviceUnknown, "there is no device \(id)", parameter: "device") }
        return found
    }

    /// Devices after one, in the order in which they came; of one customer, if it is named.
    package static func list(
        of customer: CustomerID?, after id: DeviceID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [DeviceRecord] {
        guard let customer else {
            return try transaction.query(
                "SELECT \(columns) FROM device WHERE id > $1 ORDER BY id LIMIT $2", id?.number ?? 0, limit,
                row: DeviceRecord.init)
        }
        return try transaction.query(
            "SELECT \(columns) FROM device WHERE customer_id = $1 AND id > $2 ORDER BY id LIMIT $3", customer,
            id?.number ?? 0, limit, row: DeviceRecord.init)
    }

    package static func setPurchasesAllowed(
        _ isAllowed: Bool, on id: DeviceID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("UPDATE device SET purchases_allowed = $2 WHERE id = $1", id, isAllowed)
    }

    package static func setSimulator(
        _ isSimulator: Bool, on id: DeviceID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("UPDATE device SET is_simulator = $2 WHERE id = $1", id, isSimulator)
    }

    package static func signOut(_ id: DeviceID, in transaction: any WriteTransaction) throws {
        try CustomerEvents.wakeCustomer(of: id, in: transaction)
        try transaction.execute("UPDATE device SET customer_id = NULL WHERE id = $1", id)
    }
}
