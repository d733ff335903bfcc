import Foundation
package import StoreDatabase
package import StoreModel
import StoreSigning

/// Who asks: an app on a device, in one environment, for whoever is signed in there.
///
/// Everything that concerns a customer's data from a device goes by it, and it is made only from a token. So no query can
/// name a customer or an app of its own.
package struct DeviceScope: Hashable, Sendable {
    package let device: DeviceID
    package let app: AppID
    package let bundle: BundleID
    /// Who is signed in.
    package let customer: CustomerID?
    package let storefront: StorefrontCode
    package let language: String
    package let appVersion: String
    package let appTransaction: AppTransactionID
    /// What the person set on the device.
    package let purchasesAllowed: Bool
    /// Whether it is a simulator, on which prices load and nothing can be bought.
    package let isSimulator: Bool
    /// How often the capabilities of the app had changed when its profile was made; nil for one that is for many apps.
    package let profileRevision: Int?

    private static let columns: SQL = """
        id, app_id, bundle_id, customer_id, storefront, language, app_version, app_transaction_id, purchases_allowed,
        is_simulator, profile_revision
        """

    private init(_ row: Row) throws {
        var cells = row.cells
        device = try cells.next()
        app = try cells.next()
        bundle = try cells.next()
        customer = try cells.next()
        storefront = try cells.next()
        language = try cells.next()
        appVersion = try cells.next()
        appTransaction = try cells.next()
        purchasesAllowed = try cells.next()
        isSimulator = try cells.next()
        profileRevision = try cells.next()
    }

    /// The scope that a token opens, by the wall clock.
    package static func resolve(
        token: DeviceToken, at wallTime: Instant, in transaction: any ReadTransaction
    ) throws -> DeviceScope {
        let found = try transaction.optional(
            "SELECT \(columns) FROM device WHERE token_hash = $1 AND token_expires_at > $2", token.hash, wallTime,
            row: DeviceScope.init)
        guard let found else {
            throw ServiceError(
                .tokenInvalid, "this device token is unknown or too old; register the device again",
                parameter: "Authorization")
        }
        return found
    }

    /// The scope of a device, for those who look after the store.
    package static func of(_ device: DeviceID, in transaction: any ReadTransaction) throws -> DeviceScope? {
        try transaction.optional(
            "SELECT \(columns) FROM device WHERE id = $1", device, row: DeviceScope.init)
    }

    /// The scope of those who look after the store and buy for a customer. There is no such device: its number is 0.
    package static func ofOperator(
        app: AppID, bundle: BundleID, customer: CustomerID, storefront: StorefrontCode
    ) throws -> DeviceScope {
        DeviceScope(
            device: try DeviceID(number: 0), app: app, bundle: bundle, customer: customer, storefront: storefront,
            language: "en-US", appVersion: "0", appTransaction: try AppTransactionID(number: 0),
            purchasesAllowed: true, isSimulator: false, profileRevision: .max)
    }

    /// Whether it is that of an operator.
    var isOperator: Bool { device.number == 0 }

    private init(
        device: DeviceID, app: AppID, bundle: BundleID, customer: CustomerID?, storefront: StorefrontCode,
        language: String, appVersion: String, appTransaction: AppTransactionID, purchasesAllowed: Bool,
        isSimulator: Bool, profileRevision: Int?
    ) {
        self.device = device
        self.app = app
        self.bundle = bundle
        self.customer = customer
        self.storefront = storefront
        self.language = language
        self.appVersion = appVersion
        self.appTransaction = appTransaction
        self.purchasesAllowed = purchasesAllowed
        self.isSimulator = isSimulator
        self.profileRevision = profileRevision
    }

    /// The customer, or the refusal of what takes one.
    package func requireCustomer() throws -> CustomerID {
        guard let customer else { throw ServiceError(.notSignedIn, "nobody is signed in on this device") }
        return customer
    }
}
