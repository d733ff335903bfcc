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
            """
            SELECT app_id, bundle_id, customer_id, identifier, vendor_identifier, app_version, original_app_version,
                app_transaction_id, registered_at
            FROM device WHERE id = $1
            """, id, row: ReceiptDevice.init)
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

    private init(_ row: Row) throws {
        appID = try row.value(0)
        bundleID = try row.value(1)
        customerID = try row.value(2)
        identifier = try row.value(3)
        vendorIdentifier = try row.value(4)
        appVersion = try row.value(5)
        originalAppVersion = try row.value(6)
        appTransactionID = try row.value(7)
        registeredAt = try row.value(8)
    }
}
