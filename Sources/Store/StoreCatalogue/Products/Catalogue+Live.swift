package import StoreDatabase
package import StoreModel
import StoreRules

/// What of the catalogue production sells. A change of it concerns customers who pay; anything else is still a draft.
///
/// A product is live from its first approval until it is removed for good. One that is off the shelves for a while stays live,
/// because it comes back as it was approved. One whose removal was not published is live too.
extension Catalogue {
    package static func isLive(_ product: CatalogueProduct) -> Bool {
        product.review.isLive && (product.removedAt == nil || product.awaitsRemoval)
    }

    /// Whether any product of an app is live.
    package static func isLive(_ app: AppID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.optional("SELECT 1 FROM product WHERE app_id = $1 AND \(live) LIMIT 1", app) { _ in true }
            ?? false
    }

    /// Whether any product of a subscription group is live.
    package static func isLive(
        _ group: SubscriptionGroupID, of app: AppID, in transaction: any ReadTransaction
    ) throws -> Bool {
        try transaction.optional(
            "SELECT 1 FROM product WHERE app_id = $1 AND group_id = $2 AND \(live) LIMIT 1", app, group
        ) { _ in true } ?? false
    }

    /// Whether any product of any app of a team is live.
    package static func isLive(_ team: TeamID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.optional(
            """
            SELECT 1 FROM product JOIN app ON app.app_id = product.app_id WHERE app.team_id = $1 AND \(live) LIMIT 1
            """, team
        ) { _ in true } ?? false
    }

    private static let live: SQL =
        "product.is_live = 1 AND (product.removed_at IS NULL OR product.drafted_at IS NOT NULL)"
}
