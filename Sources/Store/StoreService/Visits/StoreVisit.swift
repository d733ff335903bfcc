import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// A page of the store that an app shows on a device.
package struct StoreVisit: Hashable, Sendable {
    package let id: VisitID
    package let device: DeviceID
    /// The app that shows it.
    package let app: AppID
    package let bundle: BundleID
    /// The item that it began with.
    package let storeID: Int64
    /// The product of the app that it is to begin with.
    package let product: ProductID?
    package let openedAt: Instant
    /// When it ends by itself.
    package let expiresAt: Instant
    /// How it ended; nil while it is open.
    package private(set) var end: VisitState?
    /// The product of the app that was chosen.
    package private(set) var chosen: ProductID?
    /// What the person is buying on the page, or has bought.
    package private(set) var purchase: PurchaseID?

    static let table = RowTable<StoreVisit>("app_visit") {
        Column("id", .key) { $0.id }
        Column("device_id") { $0.device }
        Column("app_id") { $0.app }
        Column("bundle_id") { $0.bundle }
        Column("store_id") { $0.storeID }
        Column("product_id") { $0.product }
        Column("opened_at") { $0.openedAt }
        Column("expires_at") { $0.expiresAt }
        Column("ended", .changing) { $0.end?.rawValue }
        Column("chosen_product_id", .changing) { $0.chosen }
        Column("purchase_id", .changing) { $0.purchase }
    }

    init(
        id: VisitID, by scope: DeviceScope, of storeID: Int64, beginningWith product: ProductID?, at wall: Instant
    ) {
        self.id = id
        (device, app, bundle) = (scope.device, scope.app, scope.bundle)
        (self.storeID, self.product) = (storeID, product)
        (openedAt, expiresAt) = (wall, wall + VisitLimits.life)
    }

    init(_ row: Row) throws {
        var cells = row.cells
        (id, device, app, bundle) = (try cells.next(), try cells.next(), try cells.next(), try cells.next())
        (storeID, product) = (try cells.next(), try cells.next())
        (openedAt, expiresAt) = (try cells.next(), try cells.next())
        end = (try cells.next(as: String?.self)).map(VisitState.init(rawValue:))
        (chosen, purchase) = (try cells.next(), try cells.next())
    }

    /// How it stands at a moment of the wall clock, as far as it knows itself.
    package func state(at wall: Instant) -> VisitState { end ?? (wall < expiresAt ? .open : .expired) }

    /// Ends it, unless it is over.
    mutating func finish(_ end: VisitState, choosing product: ProductID? = nil, at wall: Instant) {
        guard state(at: wall) == .open else { return }
        (self.end, chosen) = (end, product)
    }

    /// Notes what is being bought on the page.
    mutating func note(_ purchase: PurchaseID) { self.purchase = purchase }
}

/// How long visits last, and how many there may be.
package enum VisitLimits {
    /// How long a page that an app shows may be used.
    package static let life = Duration.seconds(60 * 60)
    /// The most visits of a device that are open at once; the oldest makes room.
    package static let open = 20
    /// How long after its end a visit is known to the app that is to hear of it.
    package static let memory = Duration.seconds(24 * 60 * 60)
}

/// The visits of an environment.
enum VisitTables {
    static let statements: [SQL] = [
        """
        CREATE TABLE app_visit (
            id \(.integer) NOT NULL PRIMARY KEY, device_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL,
            bundle_id \(.text) NOT NULL, store_id \(.integer) NOT NULL, product_id \(.text),
            opened_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL, ended \(.text),
            chosen_product_id \(.text), purchase_id \(.integer)
        ) \(.table)
        """,
        "CREATE INDEX app_visit_of_device ON app_visit (device_id, id)",
        "CREATE INDEX app_visit_by_end ON app_visit (expires_at)",
        "CREATE INDEX app_visit_by_purchase ON app_visit (purchase_id) WHERE purchase_id IS NOT NULL",
    ]
}

extension StoreVisit {
    static func find(_ id: VisitID, in transaction: any ReadTransaction) throws -> StoreVisit? {
        try transaction.optional(
            "SELECT \(table.columns) FROM app_visit WHERE id = $1", id, row: StoreVisit.init)
    }

    /// A visit by its number.
    static func require(_ id: VisitID, in transaction: any ReadTransaction) throws -> StoreVisit {
        guard let found = try find(id, in: transaction) else { throw ServiceError.noVisit }
        return found
    }

    /// A visit of a device; those of others are unknown.
    static func require(
        _ id: VisitID, of scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> StoreVisit {
        let found = try require(id, in: transaction)
        guard found.device == scope.device else { throw ServiceError.noVisit }
        return found
    }

    /// Ends the oldest visits of a device, so that there is room for one more.
    static func makeRoom(on device: DeviceID, at wall: Instant, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE app_visit SET ended = $4 WHERE device_id = $1 AND ended IS NULL AND id NOT IN (
                SELECT id FROM app_visit WHERE device_id = $1 AND ended IS NULL AND expires_at > $2
                ORDER BY id DESC LIMIT $3)
            """, device, wall, VisitLimits.open - 1, VisitState.expired.rawValue)
    }

    /// Removes visits that were over before an instant. Returns how many there were.
    static func remove(expiredBefore instant: Instant, limit: Int, in transaction: any WriteTransaction) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM app_visit WHERE id IN (
                SELECT id FROM app_visit WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)
            """, instant, limit)
    }
}

extension ServiceError {
    static let noVisit = ServiceError(.visitUnknown, "there is no such visit, or not any more", parameter: "visitId")
}

extension NumberSeries {
    package static let visits = NumberSeries("visit")
}

extension SignalTopic {
    /// A visit of an app stands otherwise; the subject is its number.
    package static let visits = SignalTopic("visits")
}
