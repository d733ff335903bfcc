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

    /// A subscription as it was read, before it is signed.
    private struct Standing: Sendable {
        let newest: StoreTransaction
        let standing: SubscriptionStanding

        /// The offers by which the customer may come back can be asked for.
        var isOver: Bool { standing.status == .expired && newest.sharedFrom == nil }
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
            let found = try Self.standings(of: scope, at: signing.commerce, in: transaction)
            return (scope.customer, found, signing)
        }
        var told: [SubscriptionStatus] = []
        for one in found where statuses.isEmpty || statuses.contains(one.standing.status) {
            var renewal = one.standing.renewalInfo(
                in: store.environment, appTransaction: signing.download, signedAt: signing.commerce)
            if one.isOver {
                renewal.eligibleWinBackOfferIds = try await winBacks(of: one.newest.productID, customer, caller)
            }
            told.append(
                SubscriptionStatus(
                    group: one.newest.groupID?.text ?? one.newest.productID.text, status: one.standing.status,
                    original: one.newest.originalID, signedTransaction: try signing.sign(one.newest, store),
                    signedRenewal: try store.signers.jws.sign(encoding: renewal, at: signing.commerce)))
        }
        return told
    }

    private static func standings(
        of scope: CustomerScope, at now: Instant, in transaction: any ReadTransaction
    ) throws -> [Standing] {
        let own = try Subscriptions.all(of: scope, in: transaction)
        let newest = try Transactions.find(all: own.map(\.latest), in: transaction)
        let bought = own.compactMap { stored in
            newest[stored.latest].map { Standing(newest: $0, standing: SubscriptionStanding(stored, at: now)) }
        }
        let shared = try shared(with: scope, in: transaction).compactMap { newest in
            try SubscriptionStanding(of: newest, at: now, in: transaction).map {
                Standing(newest: newest, standing: $0)
            }
        }
        return (bought + shared).sorted { $0.newest.originalID < $1.newest.originalID }
    }

    /// The newest period of each series that somebody in the family shares, or has shared, with a customer.
    private static func shared(
        with scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        let series = try transaction.query(
            """
            SELECT DISTINCT original_id FROM store_transaction
            WHERE customer_id = $1 AND app_id = $2 AND shared_from IS NOT NULL AND restored_id IS NULL
                AND kind = 'Auto-Renewable Subscription'
            """, scope.customer, scope.app
        ) { try $0.value(0, as: TransactionID.self) }
        return try series.compactMap { try Subscriptions.newest(of: $0, in: transaction) }
    }

    /// The offers by which a customer may come back to a product; nil if there are none.
    private func winBacks(
        of product: ProductID, _ customer: CustomerID, _ caller: ServerCaller
    ) async throws -> [String]? {
        let offers = try? await OfferLookup(store).eligibility(
            of: customer.description, app: caller.bundle, product: product)
        let open = (offers ?? []).filter { $0.offer.kind == .winBack && $0.verdict.isEligible }.compactMap(\.offer.id)
        return open.isEmpty ? nil : open
    }
}
