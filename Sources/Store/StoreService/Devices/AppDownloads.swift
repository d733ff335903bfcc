package import StoreDatabase
package import StoreModel

/// A customer's download of an app: what server APIs call an app transaction, with one number for customer and app.
///
/// It begins with the first sign-in on a device that has the app, and takes over the number that the device had until then, or
/// with the first sale by the store. A customer who has nothing but what the family shares, and no device with the app, has none.
package struct AppDownload: Hashable, Sendable {
    package let customer: CustomerID
    package let app: AppID
    package let number: AppTransactionID
    /// The version of the app that was on the first device.
    package let version: String
    package let at: Instant

    private static let selection: SQL = "SELECT customer_id, app_id, app_transaction_id, version, at FROM app_download"

    private init(_ row: Row) throws {
        var cells = row.cells
        (customer, app, number) = (try cells.next(), try cells.next(), try cells.next())
        (version, at) = (try cells.next(), try cells.next())
    }

    package static func find(
        of customer: CustomerID, app: AppID, in transaction: any ReadTransaction
    ) throws -> AppDownload? {
        try transaction.optional(
            selection + " WHERE customer_id = $1 AND app_id = $2", customer, app, row: AppDownload.init)
    }

    /// The download of a number, if it is of this app.
    package static func find(
        _ number: AppTransactionID, of app: AppID, in transaction: any ReadTransaction
    ) throws -> AppDownload? {
        try transaction.optional(
            selection + " WHERE app_transaction_id = $1 AND app_id = $2", number, app, row: AppDownload.init)
    }

    /// Notes that a customer has the app of a device, if that is news.
    ///
    /// The number of the device is somebody else's where another customer was signed in there first.
    static func note(_ customer: CustomerID, on scope: DeviceScope, in transaction: any WriteTransaction) throws {
        guard try find(of: customer, app: scope.app, in: transaction) == nil else { return }
        let device = try ReceiptDevice(scope.device, in: transaction)
        let isTaken = try find(device.appTransactionID, of: scope.app, in: transaction) != nil
        let number = try isTaken ? next(like: device.appTransactionID, in: transaction) : device.appTransactionID
        try insert(number, customer, scope.app, device.originalAppVersion, at: device.registeredAt, transaction)
    }

    /// The same where the store sells something without a device.
    static func note(_ sold: StoreTransaction, in transaction: any WriteTransaction) throws {
        guard try find(of: sold.customerID, app: sold.appID, in: transaction) == nil else { return }
        let device = try ReceiptDevice(ofOperatorFor: sold)
        try insert(
            next(like: sold.id, in: transaction), sold.customerID, sold.appID, device.originalAppVersion,
            at: sold.purchaseDate, transaction)
    }

    private static func insert(
        _ number: AppTransactionID, _ customer: CustomerID, _ app: AppID, _ version: String, at instant: Instant,
        _ transaction: any WriteTransaction
    ) throws {
        try transaction.insert(
            into: "app_download",
            [
                "customer_id": customer, "app_id": app, "app_transaction_id": number, "version": version,
                "at": instant,
            ])
    }

    /// A number that no device has, of the environment of another one.
    private static func next(
        like number: some EnvironmentIdentifier, in transaction: any ReadTransaction
    ) throws -> AppTransactionID {
        let base = NumberSeries.firstAppTransaction(of: number.environment ?? .sandbox) + 100_000_000_000_000
        let last = try transaction.value(
            "SELECT coalesce(max(app_transaction_id), 0) FROM app_download", as: Int64.self)
        return try AppTransactionID(number: max(last, base) + 1)
    }

    /// The version of the app on the customer's newest device; that of the download where none is left.
    package func currentVersion(in transaction: any ReadTransaction) throws -> String {
        try transaction.optional(
            """
            SELECT app_version FROM device WHERE customer_id = $1 AND app_id = $2 ORDER BY seen_at DESC, id DESC LIMIT 1
            """, customer, app
        ) { try $0.value(0) } ?? version
    }

    /// What is signed of it, as it is at a moment.
    package func payload(
        of bundle: BundleID, in environment: StoreEnvironment, at commerce: Instant, _ transaction: any ReadTransaction
    ) throws -> AppTransactionPayload {
        Self.payload(
            number, app, bundle, environment, version: try currentVersion(in: transaction), first: version, since: at,
            at: commerce)
    }

    /// What is signed of the download that a device has: the customer's, or its own where nobody is signed in.
    static func payload(
        of scope: DeviceScope, in environment: StoreEnvironment, at commerce: Instant,
        _ transaction: any ReadTransaction
    ) throws -> AppTransactionPayload {
        if let known = try scope.customer.flatMap({ try find(of: $0, app: scope.app, in: transaction) }) {
            return payload(
                known.number, scope.app, scope.bundle, environment, version: scope.appVersion, first: known.version,
                since: known.at, at: commerce)
        }
        let device = try ReceiptDevice(scope.device, in: transaction)
        return payload(
            scope.appTransaction, scope.app, scope.bundle, environment, version: scope.appVersion,
            first: device.originalAppVersion, since: device.registeredAt, at: commerce)
    }

    private static func payload(
        _ number: AppTransactionID, _ app: AppID, _ bundle: BundleID, _ environment: StoreEnvironment, version: String,
        first: String, since begin: Instant, at commerce: Instant
    ) -> AppTransactionPayload {
        let isProduction = environment == .production
        return AppTransactionPayload(
            receiptType: WireEnvironment(environment), bundleId: bundle, applicationVersion: version,
            // The sandbox has it for all apps, as the App Store does.
            originalApplicationVersion: isProduction ? first : "1.0", originalPurchaseDate: begin,
            receiptCreationDate: commerce, appAppleId: isProduction ? app : nil, requestDate: commerce,
            appTransactionId: number)
    }
}
