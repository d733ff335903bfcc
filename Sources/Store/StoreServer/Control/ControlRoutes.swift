import StoreDatabase
package import StoreHTTP
import StoreModel
import StoreService

/// Everything that an operator and his tests can do by HTTP, in one environment: `/control/v1/…`.
///
/// The same routes are served twice: on the listener of the environment for whoever has an operator's token, and to the
/// commands of the operator, over the admin socket or in memory, under the name of the environment.
package struct ControlRoutes: Sendable {
    private let store: ControlStore

    package init(_ store: ControlStore) {
        self.store = store
    }

    /// For a listener: with an operator's token only.
    package var guarded: [Route] {
        let store = store
        return all.map { route in
            route.guarded(by: "operatorToken", hasForm: OperatorTokens.isWellFormed) { token in
                try await store.databases.catalogue.read { try OperatorTokens.name(of: token, in: $0) } != nil
            }
        }
    }

    /// For whoever owns the store anyway: `/sandbox/control/v1/…`.
    package var owned: [Route] { all.map { $0.mounted(under: "/\(store.environment.rawValue)") } }

    /// The topics of the interface; a new one gets its line here.
    private var all: [Route] {
        var topics: [[Route]] = [CatalogueRoutes(store).routes, ProvisioningRoutes(store).routes]
        if let sales = store.sales {
            topics += [CustomerRoutes(sales).routes, DeviceControlRoutes(sales).routes, SaleRoutes(sales).routes]
        }
        return topics.flatMap(\.self)
    }
}
