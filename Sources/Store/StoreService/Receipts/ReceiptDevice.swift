import StoreDatabase
import StoreModel

/// What a receipt says of the device it is for, and of the app there.
struct ReceiptDevice {
    let appID: AppID
    let bundleID: BundleID
    let customerID: CustomerID?
    let identifier: [UInt8]
    let vendorIdentifier: String
    let appVersion: String
    let originalAppVersion: String
    let appTransactionID: AppTransactionID
    let registeredAt: Instant

    init(_ id: DeviceID, in transaction: any ReadTransaction) throws {
        self = try transaction.one(
            "SELECT \(Self.columns) FROM device WHERE id = $1", id, row: ReceiptDevice.init)
    }

    /// What stands in the place of a device where an operator asks: an identifier of zeros, which no device has.
    init(ofOperatorFor purchased: StoreTransaction) throws {
        appID = purchased.appID
        bundleID = purchased.bundleID
        customerID = purchased.customerID
        identifier = [UInt8](repeating: 0, count: 16)
        vendorIdentifier = "00000000-0000-0000-0000-000000000000"
        appVersion = "1.0"
        originalAppVersion = "1.0"
        appTransactionID = try AppTransactionID(number: 0)
        registeredAt = purchased.purchaseDate
    }

    private static let columns: SQL = """
        app_id, bundle_id, customer_id, identifier, vendor_identifier, app_version, original_app_version,
        app_transaction_id, registered_at
        """

    private init(_ row: Row) throws {
        var cells = row.cells
        appID = try cells.next()
        bundleID = try cells.next()
        customerID = try cells.next()
        identifier = try cells.next()
        vendorIdentifier = try cells.next()
        appVersion = try cells.next()
        originalAppVersion = try cells.next()
        appTransactionID = try cells.next()
        registeredAt = try cells.next()
    }
}
