import StoreDatabase
import StoreModel
package import StoreRules

/// What is to become of a product's words and settings; what is nil or missing stays. Kind, period and group never change.
package struct ProductEdit: Hashable, Sendable {
    package var referenceName: String?
    package var isFamilyShareable: Bool?
    /// By language.
    package var texts: [String: ProductText] = [:]
    package var taxCategory: TaxCategory?
    package var facts = ReviewFacts()

    package init() {}
}

extension Catalogue {
    /// Changes the words and settings of a product: all or nothing, and one change of the audit.
    static func change(_ product: CatalogueProduct, by edit: ProductEdit, _ change: CatalogueChange) throws {
        let texts = try edit.texts.reduce(into: [String: ProductText]()) { texts, entry in
            let (language, text) = entry
            let field = "texts.\(language)"
            let tag = try CatalogueText.language(language, field: field)
            texts[tag] = ProductText(
                title: try CatalogueText.line(text.title, atMost: CatalogueLimits.title, field: field + ".title"),
                description: try CatalogueText.lines(
                    text.description, atMost: CatalogueLimits.description, field: field + ".description"))
        }
        let facts = try edit.facts.checked(for: product.kind)
        try ProductReviews.requireOpen(facts, of: product)
        var draft = try ProductDraft(
            product.productID, product.kind, referenceName: edit.referenceName ?? product.referenceName,
            isFamilyShareable: edit.isFamilyShareable ?? product.isFamilyShareable, period: product.period,
            isOfTestFile: true, groupID: product.groupID, texts: texts)
        draft.rest.taxCategory = edit.taxCategory
        (draft.rest.category, draft.rest.delivers, draft.rest.reviewNote) = (
            facts.category, facts.delivers, facts.note
        )
        _ = try put(
            draft, of: product.appID, number: { product.itemID }, isApproved: false, change)
    }

    /// Takes a product its text in a language: the one that waits for its approval, or else the one that is shown.
    static func removeText(
        _ language: String, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let details = try details(of: product, in: change.transaction)
        let waits = details.textChanges[language] != nil
        guard waits || details.texts[language] != nil else {
            throw CatalogueError(.nameUnknown, "the product has no text in this language", field: "language")
        }
        let isShown = product.review.isLive && !waits
        guard !isShown || details.texts.count > 1 else {
            throw CatalogueError(
                .stateWrong, "production sells it by this text alone; enter another one first", field: "language")
        }
        // One that waits was never in production; the one that is shown is gone from there at once.
        if isShown { try change.actor.requireReach(of: .production) }
        try Self.change(product, "text in \(language) removed", change) {
            if waits {
                try change.transaction.execute(
                    "DELETE FROM product_text_change WHERE item_id = $1 AND language = $2", product.itemID, language)
            } else {
                try change.transaction.execute(
                    "DELETE FROM product_text WHERE item_id = $1 AND language = $2", product.itemID, language)
            }
            // What production has shown is reviewed once; that it is gone needs no reviewer.
            if !isShown { try ProductReviews.advance(.edited, product.itemID, change) }
        }
    }
}

extension CatalogueEditing {
    /// Changes the words and settings of a product.
    package func change(_ edit: ProductEdit, of path: ProductPath) async throws -> ProductDetails {
        try await change(path) { try Catalogue.change($0, by: edit, $1) }
    }

    /// Takes a product its text in a language.
    package func removeText(_ language: String, of path: ProductPath) async throws -> ProductDetails {
        try await change(path) { try Catalogue.removeText(language, of: $0, $1) }
    }
}
