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
