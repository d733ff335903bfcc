import StoreDatabase
import StoreModel
import StoreService

/// Signs customers in on devices, and goes on with the purchases that waited for it.
struct SignIn: Sendable {
    let store: EnvironmentStore

    init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// - Parameters:
    ///   - passwordHash: the hash that a password was compared with; nil where somebody else vouches for the customer.
    ///   - waiting: the purchases of the device that wait for somebody to sign in.
    @discardableResult
    func signIn(
        _ customer: Customer, provenBy passwordHash: String? = nil, on scope: DeviceScope, waiting: [StoredPurchase],
        request: String?
    ) async throws -> DeviceScope {
        let (signedIn, late) = try await goOn(
            with: waiting, as: customer, pricedIn: customer.storefront, scope, request
        ) { transaction in
            try Devices.signIn(customer, provenBy: passwordHash, on: scope, in: transaction)
        }
        // What was opened since the others were read; or all, if the account has moved to another storefront since.
        if !late.isEmpty {
            _ = try await goOn(
                with: late, as: customer, pricedIn: signedIn.storefront, signedIn, request
            ) { transaction in
                try DeviceScope.of(scope.device, in: transaction)
            }
        }
        return signedIn
    }

    /// Lets purchases go on in the scope that a transaction gives; answers with it and with those that wait all the same.
    /// From then on none is opened on the device that waits for this.
    private func goOn(
        with waiting: [StoredPurchase], as customer: Customer, pricedIn storefront: StorefrontCode,
        _ scope: DeviceScope, _ request: String?,
        _ signedIn: @escaping @Sendable (any WriteTransaction) throws -> DeviceScope?
    ) async throws -> (DeviceScope, [StoredPurchase]) {
        let items = try await items(of: waiting, in: storefront, scope)
        let times = store.clocks.now
        return try await store.database.write { transaction in
            guard let current = try signedIn(transaction), current.customer == customer.id else { return (scope, []) }
            guard current.storefront == storefront else { return (current, waiting) }
            for purchase in waiting {
                try Purchases.signedIn(
                    purchase, as: current, item: items[purchase.product], at: times, request: request,
                    in: transaction)
            }
            return (current, try Purchases.waitingForSignIn(on: current, in: transaction))
        }
    }

    /// What the purchases that wait come to in a storefront.
    private func items(
        of purchases: [StoredPurchase], in storefront: StorefrontCode, _ scope: DeviceScope
    ) async throws -> [ProductID: SoldItem] {
        let found = try await DeviceRoutes(store).offers(
            purchases.map(\.product.text), scope, storefront: storefront)
        return Dictionary(
            found.offers.map { ($0.product.productID, SoldItem($0, storefront)) }
        ) { first, _ in first }
    }
}
