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
    static let columns: SQL = """
        product.item_id, app_id, product_id, kind, reference_name, state, is_cleared_for_sale, is_family_shareable,
        period, group_id, created_at, changed_at, removed_at
        """

    init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    init(_ cells: inout RowCells) throws {
        itemID = try cells.next()
        appID = try cells.next()
        productID = try cells.next()
        kind = try cells.next()
        referenceName = try cells.next()
        state = try cells.next()
        isClearedForSale = try cells.next()
        isFamilyShareable = try cells.next()
        period = try cells.next()
        groupID = try cells.next()
        createdAt = try cells.next()
        changedAt = try cells.next()
        removedAt = try cells.next()
    }
}

extension ProductState: ColumnValue {}
