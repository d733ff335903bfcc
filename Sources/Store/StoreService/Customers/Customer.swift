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
        var cells = row.cells
        id = try cells.next()
        email = try cells.next()
        kind = Kind(rawValue: try cells.next())
        firstName = try cells.next()
        lastName = try cells.next()
        storefront = try cells.next()
        purchasesAllowed = try cells.next()
        interruptsPurchases = try cells.next()
        createdAt = try cells.next()
        deletedAt = try cells.next()
        eventNumber = try cells.next()
    }
}
