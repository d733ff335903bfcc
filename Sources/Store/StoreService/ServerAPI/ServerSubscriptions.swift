import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules
import StoreSigning

extension ServerTransactions {
    /// How a subscription of a customer stands, with its newest period.
    package struct SubscriptionStatus: Sendable {
        package let group: String
        package let status: WireSubscriptionStatus
        package let original: TransactionID
        package let signedTransaction: String
        package let signedRenewal: String
    }

    /// The subscriptions of a customer in an app, those that a family shares too; the oldest first.
    ///
    /// - Parameter statuses: those that are meant; all where it is empty.
    package func subscriptions(
        of id: String, in statuses: Set<WireSubscriptionStatus>, for caller: ServerCaller
    ) async throws -> [SubscriptionStatus] {
        let store = store
        let (customer, found, signing) = try await store.database.read { transaction in
            let scope = try Self.scope(of: id, for: caller, store, in: transaction)
            let signing = try Signing(of: scope.customer, app: scope.app, store, in: transaction)
            let found = try CustomerStanding.all(of: scope, at: signing.commerce, in: transaction)
            return (scope.customer, found, signing)
        }
        var told: [SubscriptionStatus] = []
        for one in found where statuses.isEmpty || statuses.contains(one.standing.status) {
            var renewal = one.standing.renewalInfo(
                in: store.environment, appTransaction: signing.download, signedAt: signing.commerce)
            if one.isOver {
                renewal.eligibleWinBackOfferIds = await OfferLookup(store).openWinBacks(
                    of: one.newest, customer, app: caller.bundle)
            }
            told.append(
                SubscriptionStatus(
                    group: one.group, status: one.standing.status,
                    original: one.newest.originalID, signedTransaction: try signing.sign(one.newest, store),
                    signedRenewal: try store.signers.jws.sign(encoding: renewal, at: signing.commerce)))
        }
        return told
    }
}
