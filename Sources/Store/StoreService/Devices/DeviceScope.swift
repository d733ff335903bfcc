import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreSigning

/// The customer, the app and the storefront that something concerns.
///
/// Every query on customers' data takes one, so that none can read what belongs to another customer or app. Devices have one
/// while a customer is signed in; operators, pages and renewals make one without a device.
package struct CustomerScope: Hashable, Sendable {
    package let customer: CustomerID
    package let app: AppID
    package let bundle: BundleID
    package let storefront: StorefrontCode

    package init(customer: CustomerID, app: AppID, bundle: BundleID, storefront: StorefrontCode) {
        self.customer = customer
        self.app = app
        self.bundle = bundle
        self.storefront = storefront
    }
}

/// An app on a device, in one environment, and the customer who is signed in there.
///
/// It is made from a token only, so that no request can name a customer or an app of its own.
package struct DeviceScope: Hashable, Sendable {
    package let device: DeviceID
    package let app: AppID
    package let bundle: BundleID
    /// Who is signed in.
    package let customer: CustomerID?
    package let storefront: StorefrontCode
    package let language: String
    package let appVersion: String
    /// The customer's download of the app; that of the device where nobody is signed in.
    package let appTransaction: AppTransactionID
    /// What the person set on the device.
    package let purchasesAllowed: Bool
    /// Whether the account that is signed in may buy; true if there is none.
    package let accountMayBuy: Bool
    /// Whether it is a simulator, on which prices load and nothing can be bought.
    package let isSimulator: Bool
    /// What the device is called in receipts: signed payloads are tied to it. A UUID, or a hardware address.
    package let identifier: [UInt8]
    /// How often the capabilities of the app had changed when its profile was made; nil for one that is for many apps.
    package let profileRevision: Int?
    /// Whether purchases of the device were removed because nobody had confirmed them.
    let hasForgotten: Bool
    /// The clock of the customer who is signed in; nil for that of the environment.
    package let clock: CustomerClock?

    private static let selection: SQL = """
        SELECT device.id, device.app_id, device.bundle_id, device.customer_id, device.storefront, device.language,
            device.app_version, coalesce(app_download.app_transaction_id, device.app_transaction_id),
            device.purchases_allowed, device.is_simulator, device.identifier,
            device.profile_revision, device.has_forgotten, coalesce(customer.purchases_allowed, 1), \(CustomerClock.columns)
        FROM device LEFT JOIN customer ON customer.id = device.customer_id \(CustomerClock.join)
            LEFT JOIN app_download
                ON app_download.customer_id = device.customer_id AND app_download.app_id = device.app_id
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
        identifier = try cells.next()
        profileRevision = try cells.next()
        hasForgotten = try cells.next()
        accountMayBuy = try cells.next()
        clock = try CustomerClock(&cells)
    }

    /// The scope that a token opens, by the wall clock.
    package static func resolve(
        token: DeviceToken, at wallTime: Instant, in transaction: any ReadTransaction
    ) throws -> DeviceScope {
        let found = try transaction.optional(
            selection + " WHERE device.token_hash = $1 AND device.token_expires_at > $2", token.hash, wallTime,
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
        try transaction.optional(selection + " WHERE device.id = $1", device, row: DeviceScope.init)
    }

    /// The customer, or the refusal of what needs one.
    package func requireCustomer() throws -> CustomerID {
        guard let customer else { throw ServiceError(.notSignedIn, "no customer is signed in on this device") }
        return customer
    }

    /// The scope of the customer who is signed in, or the refusal of what needs one.
    package func requireCustomerScope() throws -> CustomerScope {
        CustomerScope(customer: try requireCustomer(), app: app, bundle: bundle, storefront: storefront)
    }
}

/// The secret that a device shows with each request. Only its hash is kept.
package struct DeviceToken: Hashable, Sendable {
    /// As the device has it.
    package let text: String
    let hash: [UInt8]

    private static let bytes = 32
    /// How long a token opens anything; a device renews it by registering again.
    package static let lifetime = Duration.seconds(90 * 24 * 60 * 60)

    /// A new one.
    package init(random: RandomBytes) throws {
        try self.init(text: Base64.encode(random(Self.bytes), .url))
    }

    /// One that somebody showed.
    package init(text: String) throws {
        self.text = text
        hash = try DigestAlgorithm.sha256.digest(text.utf8)
    }
}
