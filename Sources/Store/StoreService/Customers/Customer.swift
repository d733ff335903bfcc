import StoreDatabase
package import StoreModel

/// Somebody with an account in one environment.
package struct Customer: Hashable, Sendable {
    package let id: CustomerID
    /// Empty once the account was deleted.
    package let email: String
    package let kind: Kind
    package let firstName: String
    package let lastName: String
    package let storefront: StorefrontCode
    /// Whether the account may buy.
    package let purchasesAllowed: Bool
    /// Whether each of its purchases is interrupted once, which is a control for tests.
    package let interruptsPurchases: Bool
    package let createdAt: Instant
    package let deletedAt: Instant?
    /// The number of the last event that its devices were told.
    package let eventNumber: Int64

    /// What kind of account it is; more may be added.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody who buys with real money.
        package static let customer = Kind(rawValue: "customer")
        /// An account of the sandbox, made by a developer.
        package static let tester = Kind(rawValue: "tester")

        package init(_ environment: StoreEnvironment) {
            self = environment == .production ? .customer : .tester
        }
    }

    static let columns: SQL = """
        id, email, kind, first_name, last_name, storefront, purchases_allowed, interrupts_purchases, created_at,
        deleted_at, event_number
        """

    init(_ row: Row) throws {
        id = try row.value(0)
        email = try row.value(1)
        kind = Kind(rawValue: try row.value(2))
        firstName = try row.value(3)
        lastName = try row.value(4)
        storefront = try row.value(5)
        purchasesAllowed = try row.value(6)
        interruptsPurchases = try row.value(7)
        createdAt = try row.value(8)
        deletedAt = try row.value(9)
        eventNumber = try row.value(10)
    }
}
