import StoreCatalogue
import StoreDatabase
package import StoreModel

/// The app and the customer that a call concerns, as far as they can be told before it is acted on.
package struct FaultSubject: Sendable {
    package fileprivate(set) var app: AppID?
    package fileprivate(set) var customer: CustomerID?

    /// What a call says of both.
    package struct Hints: Sendable {
        /// The app that a token or a receipt names.
        package var bundle: BundleID?
        package var app: AppID?
        /// A token that may be that of a device.
        package var token: String?
        /// The number or the address of an account.
        package var customer: String?
        package var transactions: [TransactionID] = []

        package init() {}
    }

    /// Looks up what hints lead to. What cannot be found is nobody's.
    package static func find(_ hints: Hints, in store: EnvironmentStore) async throws -> FaultSubject {
        var app = hints.app
        if app == nil, let bundle = hints.bundle {
            app = try await store.catalogue.lookUp { try Catalogue.app(bundle, in: $0)?.id }
        }
        let (known, wall) = (FaultSubject(app: app), store.clocks.wall())
        return try await store.database.read { transaction in
            var found = known
            if let token = hints.token, let scope = try? scope(token, at: wall, transaction) {
                (found.app, found.customer) = (scope.app, scope.customer)
            }
            for id in hints.transactions where found.app == nil || found.customer == nil {
                guard let sold = try Transactions.find(id, in: transaction) else { continue }
                found.app = found.app ?? sold.appID
                found.customer = found.customer ?? sold.customerID
            }
            if let name = hints.customer, let customer = try? Customers.named(name, in: transaction) {
                found.customer = customer.id
            }
            return found
        }
    }

    private static func scope(
        _ token: String, at wall: Instant, _ transaction: any ReadTransaction
    ) throws -> DeviceScope {
        try DeviceScope.resolve(token: DeviceToken(text: token), at: wall, in: transaction)
    }
}
