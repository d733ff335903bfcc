import StoreDatabase
package import StoreModel

/// Which transactions of a customer a developer's server asks for, and in which order.
package struct HistoryFilter: Hashable, Sendable {
    /// Bought at this moment or later.
    package var start: Instant?
    /// Bought before this moment.
    package var end: Instant?
    // What is empty leaves nothing out.
    package var products: Set<ProductID> = []
    package var kinds: Set<ProductKind> = []
    package var groups: Set<SubscriptionGroupID> = []
    package var ownership: OwnershipType?
    /// Only those that were taken back, or only the others.
    package var isRevoked: Bool?
    /// The last change first.
    package var isDescending = false
    /// Whether consumables are left out that an app has finished, as the first version of the interface did.
    package var leavesOutFinishedConsumables = false

    package init() {}

    package func includes(_ transaction: StoreTransaction, isFinished: Bool) -> Bool {
        if let start, transaction.purchaseDate < start { return false }
        if let end, transaction.purchaseDate >= end { return false }
        if !products.isEmpty, !products.contains(transaction.productID) { return false }
        if !kinds.isEmpty, !kinds.contains(transaction.kind) { return false }
        if !groups.isEmpty, !(transaction.groupID.map(groups.contains) ?? false) { return false }
        if let ownership, transaction.ownership != ownership { return false }
        if let isRevoked, (transaction.revocation != nil) != isRevoked { return false }
        return !(leavesOutFinishedConsumables && isFinished && transaction.kind == .consumable)
    }

    /// Whether it may leave anything out.
    var isNarrow: Bool {
        var all = HistoryFilter()
        all.isDescending = isDescending
        return self != all
    }

    /// The filter as a text, by which a page is told to be of another one.
    var text: String {
        let sets = [products.map(\.text), kinds.map(\.rawValue), groups.map(\.text)].map {
            $0.sorted().joined(separator: ",")
        }
        let values = [
            start.map { "\($0.millisecondsSinceEpoch)" }, end.map { "\($0.millisecondsSinceEpoch)" },
            ownership?.rawValue, isRevoked.map { "\($0)" }, isDescending ? "down" : nil,
            leavesOutFinishedConsumables ? "v1" : nil,
        ]
        return (sets + values.map { $0 ?? "" }).joined(separator: ";")
    }
}

/// A page of a customer's transactions.
///
/// A page is a look into one index from the place where the last one ended. With a filter at most ``most`` transactions are
/// looked at for a page, so that one that finds little costs no more; it then has fewer than there may be, says that there are
/// more, and its revision goes on where it ended.
struct TransactionHistory {
    /// The transactions of a page, and those that are looked at for it at most.
    static let (page, most) = (20, 1000)
    private static let step = 100

    let transactions: [StoreTransaction]
    /// The place of the last one that was looked at.
    let place: Int64
    let hasMore: Bool

    init(
        of scope: CustomerScope, _ filter: HistoryFilter, after place: Int64?, in transaction: any ReadTransaction
    ) throws {
        let isDescending = filter.isDescending
        var place = place ?? (isDescending ? .max : 0)
        var found: [StoreTransaction] = []
        let step = filter.isNarrow ? Self.step : Self.page + 1
        var (hasMore, seen) = (false, 0)
        scan: repeat {
            let rows = try TransactionRevisions.list(
                of: scope, after: place, isDescending: isDescending, limit: step, in: transaction)
            for row in rows {
                if filter.includes(row.transaction, isFinished: row.isFinished) {
                    hasMore = found.count == Self.page
                    if hasMore { break scan }
                    found.append(row.transaction)
                }
                place = row.revision
            }
            seen += rows.count
            hasMore = rows.count == step
        } while hasMore && seen < Self.most
        (transactions, self.place, self.hasMore) = (found, place, hasMore)
    }
}
