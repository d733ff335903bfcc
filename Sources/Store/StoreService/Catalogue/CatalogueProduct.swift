import StoreDatabase
package import StoreModel
package import StoreRules

/// A product, without its texts and prices.
package struct CatalogueProduct: Hashable, Sendable {
    /// The number by which links and receipts name it.
    package let itemID: ItemID
    package let appID: AppID
    package let productID: ProductID
    /// Never changes.
    package let kind: ProductKind
    /// What its developer calls it; customers never see it.
    package let referenceName: String
    package let state: ProductState
    package let isClearedForSale: Bool
    package let isFamilyShareable: Bool
    /// Of a subscription that renews.
    package let period: BillingPeriod?
    /// Of a subscription that renews.
    package let groupID: SubscriptionGroupID?
    package let createdAt: Instant
    package let changedAt: Instant
    /// A product that was removed keeps its row, so that its id is never used again.
    package let removedAt: Instant?
}

extension CatalogueProduct {
    static let columnCount = 13

    init(_ row: Row) throws {
        itemID = try row.value(0)
        appID = try row.value(1)
        productID = try row.value(2)
        kind = try row.value(3)
        referenceName = try row.value(4)
        state = try row.value(5)
        isClearedForSale = try row.value(6)
        isFamilyShareable = try row.value(7)
        period = try row.value(8)
        groupID = try row.value(9)
        createdAt = try row.value(10)
        changedAt = try row.value(11)
        removedAt = try row.value(12)
    }
}

extension ProductState: ColumnValue {}
