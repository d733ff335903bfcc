import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Higher prices that wait for the answer of a customer, as devices ask for them and answer.
package struct PriceConsents: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The subscriptions of a device's customer and app whose higher price waits for an answer, and the customer's time. Who
    /// asks before buying is asked about none: somebody else answers.
    package func waiting(
        as token: DeviceToken
    ) async throws -> (scope: DeviceScope, subscriptions: [StoredSubscription], now: Instant) {
        let clocks = store.clocks
        return try await store.read(as: token) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            let asks = try Customers.require(owner.customer, in: transaction).asksToBuy
            let found = try asks ? [] : Subscriptions.all(of: owner, in: transaction)
            return (
                scope, found.filter { $0.rules.openIncrease != nil }, clocks.now(by: scope.clock).commerce
            )
        }
    }

    /// Takes the answer that a customer gave on a device. Given again, it changes nothing.
    ///
    /// In production no app answers for its customer: it could without having asked.
    package func answer(
        _ id: SubscriptionID, _ answer: PriceConsentRequest, as token: DeviceToken, request: String?
    ) async throws {
        let owner = try await store.read(as: token) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            _ = try Subscriptions.require(id, of: owner, in: transaction)
            return owner
        }
        try store.requireSandbox("in production a higher price is agreed to outside the app")
        try await SubscriptionChanges(store).answerPrice(
            id, answer, of: owner, store.cause(.customer, request: request))
    }
}

extension Subscriptions {
    /// A subscription of the customer and the app of a scope; that of anybody else is unknown.
    static func require(
        _ id: SubscriptionID, of scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> StoredSubscription {
        let found = try require(id, in: transaction)
        guard found.scope.customer == scope.customer, found.scope.app == scope.app else {
            throw unknown(id)
        }
        return found
    }

    static func unknown(_ id: SubscriptionID) -> ServiceError {
        ServiceError(.subscriptionUnknown, "there is no subscription \(id)", parameter: "subscriptionId")
    }
}
