package import StoreDatabase
import StoreModel
package import StoreRules

extension Catalogue {
    /// Says what a product is to a tax office.
    package static func setTaxCategory(
        _ category: TaxCategory, of product: CatalogueProduct, _ cause: CatalogueCause,
        in transaction: any WriteTransaction
    ) throws {
        guard category.isKnown else {
            let known = TaxCategory.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "it is one of \(known)", field: "taxCategory")
        }
        guard category != product.taxCategory ?? .standard else { return }
        try change(product, "tax category \(category)", cause, in: transaction) {
            try transaction.execute(
                "UPDATE product SET tax_category = $2 WHERE item_id = $1", product.itemID, category.rawValue)
        }
    }

    /// Lets the store host the content of a product, or not. It can be decided until the product goes live.
    package static func setHosting(
        _ isHosted: Bool, of product: CatalogueProduct, _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws {
        guard product.kind == .nonConsumable else {
            throw CatalogueError(.valueInvalid, "the store hosts content of non-consumables only", field: "hosting")
        }
        guard !product.review.isLive else {
            throw CatalogueError(
                .stateWrong,
                "\(product.productID) is or was on sale, and whether the store hosts content stays as it is")
        }
        guard isHosted != product.hostsContent else { return }
        try change(product, isHosted ? "hosting on" : "hosting off", cause, in: transaction) {
            try transaction.execute(
                "UPDATE product SET hosts_content = $2 WHERE item_id = $1", product.itemID, isHosted)
            try ProductReviews.advance(.edited, product.itemID, cause, in: transaction)
        }
    }
}
