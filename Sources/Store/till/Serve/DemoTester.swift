import StoreDatabase
import StoreModel
import StoreService

/// The tester of the demo, whose password everybody knows.
enum DemoTester {
    static let email = "tester@example.com"
    static let password = "monkeycredits"
    static let bundle = DemoCatalogue.bundleID
    static let product = "\(bundle).credits5"

    /// Makes the account in the sandbox, unless its address was ever used.
    static func enter(_ database: any Database, at now: Instant) async throws {
        let address = try EmailAddress(email)
        let isThere = try await database.read { try Customers.isKnown(address, in: $0) }
        guard !isThere, let storefront = StorefrontRecord.storefront(alpha3: "USA") else { return }
        let numbers = Numbers(database)
        let id = try CustomerID(number: await numbers.next(.customers))
        let method = try await numbers.next(.paymentMethods)
        let new = try NewCustomer(
            email: address, firstName: "Demo", lastName: "Tester", storefront: storefront,
            passwordHash: await PasswordGate().hash(password))
        try await database.write { transaction in
            _ = try Customers.create(new, as: id, of: .tester, at: now, in: transaction)
            try Customers.add(
                method, processor: "test", token: "test_approved", label: "test_approved", to: id, at: now,
                in: transaction)
        }
    }
}
