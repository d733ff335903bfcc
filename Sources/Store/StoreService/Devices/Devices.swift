import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreSigning

/// The devices of an environment: one row for an app on a device.
package enum Devices {
    /// What a registration is made of that was drawn before its transaction.
    package struct Drawn: Sendable {
        package let id: DeviceID
        package let appTransaction: AppTransactionID
        package let token: DeviceToken

        package init(id: DeviceID, appTransaction: AppTransactionID, token: DeviceToken) {
            self.id = id
            self.appTransaction = appTransaction
            self.token = token
        }
    }

    /// Takes a device in, or gives one that is known a new token. Its proof was judged before.
    ///
    /// A key that turns up with another device identifier was copied: it starts anew, and nobody is signed in there.
    package static func register(
        _ order: RegistrationRequest, app: AppID, profileRevision: Int?, _ drawn: Drawn, at wallTime: Instant,
        in transaction: any WriteTransaction
    ) throws -> DeviceScope {
        let key = try order.publicKey.derRepresentation
        let keyHash = try DigestAlgorithm.sha256.digest(key)
        let expiry = wallTime + DeviceToken.lifetime
        let known = try transaction.optional(
            "SELECT id, identifier FROM device WHERE app_id = $1 AND key_hash = $2", app, keyHash
        ) { row in
            var cells = row.cells
            return (try cells.next(as: DeviceID.self), try cells.next(as: [UInt8].self))
        }
        guard let (id, identifier) = known else {
            try insert(order, app: app, profileRevision, drawn, key, keyHash, expiry, wallTime, transaction)
            return try require(drawn.id, transaction)
        }
        try transaction.update(
            "device",
            [
                "token_hash": drawn.token.hash, "token_expires_at": expiry,
                "vendor_identifier": order.vendorIdentifier, "language": order.language,
                "app_version": order.appVersion, "is_simulator": order.isSimulator, "seen_at": wallTime,
                "profile_revision": profileRevision,
            ], where: ["id": id])
        if identifier != order.identifier {
            try DeviceRecord.signOut(id, at: wallTime, in: transaction)
            try transaction.execute("UPDATE device SET identifier = $2 WHERE id = $1", id, order.identifier)
        }
        return try require(id, transaction)
    }

    /// Removes devices on which nobody ever signed in or asked for anything that is still kept, and which were not seen since
    /// an instant. Returns how many there were.
    static func removeIdle(seenBefore instant: Instant, limit: Int, in transaction: any WriteTransaction) throws -> Int
    {
        let idle = try transaction.query(
            """
            SELECT id FROM device
            WHERE was_used = 0 AND customer_id IS NULL AND seen_at < $1
                AND NOT EXISTS (SELECT 1 FROM purchase WHERE purchase.device_id = device.id)
            ORDER BY seen_at LIMIT $2
            """, instant, limit
        ) { try $0.value(0, as: DeviceID.self) }
        for device in idle {
            try transaction.execute("DELETE FROM forgotten_purchase WHERE device_id = $1", device)
            try transaction.execute("DELETE FROM device WHERE id = $1", device)
        }
        return idle.count
    }

    /// Makes one of two transactions fail that both decide by who is signed in on a device.
    static func claim(_ id: DeviceID, in transaction: any WriteTransaction) throws {
        try transaction.execute("UPDATE device SET customer_id = customer_id WHERE id = $1", id)
    }

    private static func insert(
        _ order: RegistrationRequest, app: AppID, _ profileRevision: Int?, _ drawn: Drawn, _ key: [UInt8],
        _ keyHash: [UInt8], _ expiry: Instant, _ wallTime: Instant, _ transaction: any WriteTransaction
    ) throws {
        try transaction.insert(
            into: "device",
            [
                "id": drawn.id, "app_id": app, "bundle_id": order.bundle, "public_key": key, "key_hash": keyHash,
                "identifier": order.identifier, "vendor_identifier": order.vendorIdentifier,
                "token_hash": drawn.token.hash, "token_expires_at": expiry,
                "storefront": StorefrontCode(order.storefront), "language": order.language,
                "app_version": order.appVersion, "original_app_version": order.appVersion,
                "app_transaction_id": drawn.appTransaction, "purchases_allowed": true,
                "is_simulator": order.isSimulator, "registered_at": wallTime, "seen_at": wallTime,
                "profile_revision": profileRevision,
            ])
    }

    private static func require(_ id: DeviceID, _ transaction: any ReadTransaction) throws -> DeviceScope {
        guard let scope = try DeviceScope.of(id, in: transaction) else {
            throw ServiceError(.deviceUnknown, "there is no device \(id)")
        }
        return scope
    }

    /// What a person sets on the device; nil leaves it as it is.
    package static func set(
        purchasesAllowed: Bool?, language: String?, of scope: DeviceScope, in transaction: any WriteTransaction
    ) throws -> DeviceScope {
        if let purchasesAllowed {
            try transaction.execute(
                "UPDATE device SET purchases_allowed = $2 WHERE id = $1", scope.device, purchasesAllowed)
        }
        if let language {
            try transaction.execute("UPDATE device SET language = $2 WHERE id = $1", scope.device, language)
        }
        return try require(scope.device, transaction)
    }

    /// Signs a customer in on a device, which then is in the storefront of the account.
    ///
    /// - Parameter passwordHash: the hash that a password was compared with, which takes long: the account must still have
    ///   it. Nil where somebody else vouches for the customer.
    package static func signIn(
        _ known: Customer, provenBy passwordHash: String? = nil, on scope: DeviceScope, at wall: Instant,
        in transaction: any WriteTransaction
    ) throws -> DeviceScope {
        let customer = try Customers.require(known.id, in: transaction)
        if let passwordHash, try Customers.passwordHash(of: known.id, in: transaction) != passwordHash {
            throw ServiceError(
                .credentialsWrong, "the account was deleted, or got another password, a moment ago",
                parameter: "password")
        }
        guard customer.deletedAt == nil else {
            throw ServiceError(.customerUnknown, "the account \(customer.id) was deleted", parameter: "customer")
        }
        try customer.requireUnspent(parameter: passwordHash == nil ? "customer" : "email")
        // Since the scope was read, somebody else may have been signed in.
        try DeviceRecord.leave(scope.device, unless: customer.id, at: wall, in: transaction)
        try transaction.update(
            "device", ["customer_id": customer.id, "storefront": customer.storefront, "was_used": true],
            where: ["id": scope.device])
        try AppDownload.note(customer.id, on: scope, in: transaction)
        return try require(scope.device, transaction)
    }

    /// Signs the customer of a device out.
    package static func signOut(
        _ scope: DeviceScope, at wall: Instant, in transaction: any WriteTransaction
    ) throws -> DeviceScope {
        try DeviceRecord.signOut(scope.device, at: wall, in: transaction)
        return try require(scope.device, transaction)
    }

    /// Moves a device to another storefront. Where somebody is signed in, the account moves with it.
    package static func setStorefront(
        _ storefront: StorefrontRecord, of scope: DeviceScope, in transaction: any WriteTransaction
    ) throws -> DeviceScope {
        if let customer = scope.customer {
            try Customers.setStorefront(storefront, of: customer, in: transaction)
        } else {
            try transaction.execute(
                "UPDATE device SET storefront = $2 WHERE id = $1", scope.device, StorefrontCode(storefront))
        }
        return try require(scope.device, transaction)
    }
}

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
    /// The revision of the app's capabilities in its profile; nil for a profile for many apps.
    package let profileRevision: Int?

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
        profileRevision = try cells.next()
    }

    private static let columns: SQL = """
        id, bundle_id, customer_id, storefront, language, app_version, purchases_allowed, is_simulator, registered_at,
        seen_at, profile_revision
        """

    /// By what devices are sorted.
    // Closed: each has its condition.
    package enum Order: String, Sendable {
        case device, seen
    }

    /// Whose devices are meant.
    // Closed: each has its column.
    package enum Owner: Hashable, Sendable {
        case app(BundleID)
        case customer(CustomerID)
    }

    /// Devices in an order.
    ///
    /// - Parameter id: only those that follow this one.
    package static func search(
        _ owner: Owner? = nil, by order: Order = .seen, isDescending: Bool = true,
        seenIn period: ReportPeriod = .always, after id: DeviceID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [DeviceRecord] {
        let isMeant: SQL =
            switch owner {
            case nil: "$1 = 0"
            case .app: "bundle_id = $1"
            case .customer: "customer_id = $1"
            }
        let value: DatabaseValue =
            switch owner {
            case nil: .integer(0)
            case .app(let bundle): bundle.databaseValue
            case .customer(let customer): customer.databaseValue
            }
        let isFirst = id == nil
        let following: SQL =
            switch (order, isDescending) {
            case _ where isFirst: "$2 = 0"
            case (.device, true): "id < $2"
            case (.device, false): "id > $2"
            case (.seen, true): "(seen_at, id) < (SELECT seen_at, id FROM device WHERE id = $2)"
            case (.seen, false): "(seen_at, id) > (SELECT seen_at, id FROM device WHERE id = $2)"
            }
        let end: SQL =
            switch (order, isDescending) {
            case (.device, true): "id DESC"
            case (.device, false): "id"
            case (.seen, true): "seen_at DESC, id DESC"
            case (.seen, false): "seen_at, id"
            }
        return try transaction.query(
            """
            SELECT \(columns) FROM device WHERE \(isMeant) AND \(following) AND seen_at >= $4 AND seen_at < $5
            ORDER BY \(end) LIMIT $3
            """, value, id?.number ?? 0, limit, period.bounds.first, period.bounds.end, row: DeviceRecord.init)
    }

    /// The hash of the token that a device shows.
    package static func bearer(of id: DeviceID, in transaction: any ReadTransaction) throws -> [UInt8]? {
        try transaction.optional("SELECT token_hash FROM device WHERE id = $1", id) { try $0.value(0) }
    }

    /// The same of the devices of an app that were heard of last.
    package static func bearers(
        of bundle: BundleID, limit: Int, in transaction: any ReadTransaction
    ) throws -> Set<[UInt8]> {
        Set(
            try transaction.query(
                "SELECT token_hash FROM device WHERE bundle_id = $1 ORDER BY seen_at DESC LIMIT $2", bundle, limit
            ) { try $0.value(0, as: [UInt8].self) })
    }

    /// The device that shows a token of this hash.
    package static func showing(
        _ bearer: [UInt8], in transaction: any ReadTransaction
    ) throws -> DeviceRecord? {
        try transaction.optional(
            "SELECT \(columns) FROM device WHERE token_hash = $1", bearer, row: DeviceRecord.init)
    }

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

    /// The newest device with an app on which a customer is signed in.
    static func newest(
        of customer: CustomerID, with bundle: BundleID, in transaction: any ReadTransaction
    ) throws -> DeviceRecord? {
        try transaction.optional(
            "SELECT \(columns) FROM device WHERE customer_id = $1 AND bundle_id = $2 ORDER BY id DESC LIMIT 1",
            customer,
            bundle, row: DeviceRecord.init)
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

    /// Offers to the other devices of its customer what a device has for itself, before another is signed in there or nobody.
    static func leave(
        _ id: DeviceID, unless next: CustomerID?, at wall: Instant, in transaction: any WriteTransaction
    ) throws {
        let customer = try transaction.optional("SELECT customer_id FROM device WHERE id = $1", id) {
            try $0.value(0, as: CustomerID?.self)
        }
        guard let customer = customer ?? nil else { return }
        try CustomerEvents.wake(customer, in: transaction)
        if customer != next { try DeviceHold.release(of: id, customer, at: wall, in: transaction) }
    }

    package static func signOut(_ id: DeviceID, at wall: Instant, in transaction: any WriteTransaction) throws {
        try leave(id, unless: nil, at: wall, in: transaction)
        try transaction.execute("UPDATE device SET customer_id = NULL WHERE id = $1", id)
    }
}
