import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules

/// A subscription that a customer has or had in an app, as it stands: what developers' servers and devices are told of it.
struct CustomerStanding: Sendable {
    /// The newest period.
    let newest: StoreTransaction
    let standing: SubscriptionStanding

    /// Whether the offers by which the customer may come back can be asked for.
    var isOver: Bool { standing.status == .expired && newest.sharedFrom == nil }

    /// The group of the product; the product itself where that is in none.
    var group: String { newest.groupID?.text ?? newest.productID.text }

    /// Those of a customer, those that a family shares too; the oldest first.
    static func all(
        of scope: CustomerScope, at now: Instant, in transaction: any ReadTransaction
    ) throws -> [CustomerStanding] {
        let own = try Subscriptions.all(of: scope, in: transaction)
        let newest = try Transactions.find(all: own.map(\.latest), in: transaction)
        let bought = own.compactMap { stored in
            newest[stored.latest].map { CustomerStanding(newest: $0, standing: SubscriptionStanding(stored, at: now)) }
        }
        let shared = try shared(with: scope, in: transaction).compactMap { newest in
            try SubscriptionStanding(of: newest, at: now, in: transaction).map {
                CustomerStanding(newest: newest, standing: $0)
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
}

extension OfferLookup {
    /// The offers by which a customer may come back to a subscription that is over: those of its product first, then those of the
    /// others in its group; nil if there are none.
    func openWinBacks(of newest: StoreTransaction, _ customer: CustomerID, app bundle: BundleID) async -> [String]? {
        let offers = try? await eligibility(
            of: customer.description, app: bundle, product: newest.groupID == nil ? newest.productID : nil,
            group: newest.groupID)
        let eligible = (offers ?? []).filter { $0.offer.kind == .winBack && $0.verdict.isEligible }
        let (own, others) = (
            eligible.filter { $0.product == newest.productID }, eligible.filter { $0.product != newest.productID }
        )
        // Two products may have offers of one name.
        let open = (own + others).map(\.offer.id).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return open.isEmpty ? nil : open
    }
}
