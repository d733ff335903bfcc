package import StoreDatabase
package import StoreModel

extension Catalogue {
    /// A product of an app, also one that was removed.
    package static func product(
        _ id: ProductID, of app: AppID, in transaction: any ReadTransaction
    ) throws -> CatalogueProduct? {
        try transaction.optional(
            "SELECT \(CatalogueProduct.columns) FROM product WHERE app_id = $1 AND product_id = $2", app, id,
            row: CatalogueProduct.init)
    }

    /// A product by its number, also one that was removed.
    package static func product(_ id: ItemID, in transaction: any ReadTransaction) throws -> CatalogueProduct? {
        try transaction.optional(
            "SELECT \(CatalogueProduct.columns) FROM product WHERE item_id = $1", id, row: CatalogueProduct.init)
    }

    /// The products of an app after a product id, in order of their ids; without those that were removed.
    package static func products(
        of app: AppID, after id: ProductID? = nil, limit: Int, in transaction: any ReadTransaction
    ) throws -> [CatalogueProduct] {
        try transaction.query(
            """
            SELECT \(CatalogueProduct.columns) FROM product WHERE app_id = $1 AND product_id > $2 AND removed_at IS NULL
            ORDER BY product_id LIMIT $3
            """, app, id?.text ?? "", limit, row: CatalogueProduct.init)
    }

    /// A product with its texts and prices.
    package static func details(
        of product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> ProductDetails {
        var texts: [String: ProductText] = [:]
        var prices: [StorefrontCode: Money] = [:]
        try transaction.forEachRow(
            "SELECT language, title, description FROM product_text WHERE item_id = $1",
            binding: [product.itemID.databaseValue]
        ) { row in
            var cells = row.cells
            texts[try cells.next()] = try ProductText(title: cells.next(), description: cells.next())
        }
        try transaction.forEachRow(
            "SELECT storefront, amount, currency FROM product_price WHERE item_id = $1",
            binding: [product.itemID.databaseValue]
        ) { row in
            var cells = row.cells
            prices[try cells.next()] = try cells.nextMoney()
        }
        return ProductDetails(product: product, texts: texts, prices: prices)
    }
}
