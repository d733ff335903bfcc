import StoreDatabase
import StoreModel

/// Reads products by their ids, a page of them with one statement.
///
/// A statement is text that was written once, so a page has a fixed width; what it has too many is filled with its last id.
struct ProductPage {
    /// A product, and its price in one storefront.
    struct Entry {
        let product: CatalogueProduct
        let price: Money?
    }

    static let width = 32

    /// The products of these ids, at most ``width`` of them, by id.
    static func entries(
        _ ids: ArraySlice<ProductID>, of app: AppID, _ storefront: StorefrontRecord,
        in transaction: any ReadTransaction
    ) throws -> [ProductID: Entry] {
        var entries: [ProductID: Entry] = [:]
        let values = [app.databaseValue, .text(storefront.alpha3)]
        try transaction.forEachRow(
            ids.count == 1 ? product : products, binding: values + padded(ids.map(\.databaseValue))
        ) { row in
            var cells = row.cells
            let product = try CatalogueProduct(&cells)
            entries[product.productID] = Entry(product: product, price: try cells.nextMoneyIfAny())
        }
        return entries
    }

    /// The texts of these products, at most ``width`` of them, by language.
    static func texts(
        of items: [ItemID], in transaction: any ReadTransaction
    ) throws -> [ItemID: [String: ProductText]] {
        var found: [ItemID: [String: ProductText]] = [:]
        guard !items.isEmpty else { return found }
        try transaction.forEachRow(
            items.count == 1 ? text : texts, binding: padded(items.map(\.databaseValue))
        ) { row in
            var cells = row.cells
            let (item, language) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            found[item, default: [:]][language] = try ProductText(title: cells.next(), description: cells.next())
        }
        return found
    }

    private static func padded(_ values: [DatabaseValue]) -> [DatabaseValue] {
        guard values.count > 1, let last = values.last else { return values }
        return values + Array(repeating: last, count: width - values.count)
    }

    private static let selection: SQL = """
        SELECT \(CatalogueProduct.columns), amount, currency
        FROM product LEFT JOIN product_price
            ON product_price.item_id = product.item_id AND product_price.storefront = $2
        """

    private static let product: SQL = "\(selection) WHERE app_id = $1 AND product_id = $3"

    private static let products: SQL = """
        \(selection) WHERE app_id = $1 AND product_id IN (
            $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
            $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34)
        """

    private static let text: SQL = "SELECT item_id, language, title, description FROM product_text WHERE item_id = $1"

    private static let texts: SQL = """
        SELECT item_id, language, title, description FROM product_text WHERE item_id IN (
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)
        """
}
