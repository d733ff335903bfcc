package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// An account as it comes to an app to buy: where, with which device, and whether it may.
package struct Shopper: Sendable {
    package let email: String
    package let storefront: StorefrontRecord
    /// The newest device with the app on which the account is signed in; nil if there is none.
    package let device: DeviceRecord?
    /// What keeps the account from buying anything; nil if nothing does.
    package let obstacle: ProductObstacle?

    fileprivate init(_ customer: Customer, _ device: DeviceRecord?) throws {
        (email, self.device) = (customer.email, device)
        storefront = try customer.storefront.known(parameter: "customer")
        obstacle =
            !customer.purchasesAllowed
            ? .accountForbidden : device?.purchasesAllowed == false ? .deviceForbidden : nil
    }
}

extension Accounts {
    /// How the account of a number or an address comes to an app.
    package func shopper(named name: String, of bundle: BundleID, _ actor: Actor) async throws -> Shopper {
        try actor.require(.customers, change: false, in: .environment(store.environment))
        return try await store.database.read { transaction in
            let customer = try Customers.named(name, in: transaction)
            return try Shopper(customer, DeviceRecord.newest(of: customer.id, with: bundle, in: transaction))
        }
    }
}
