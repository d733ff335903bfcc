import StoreDatabase
import StoreModel
package import StoreRules

/// What a product has, and what it still lacks before it can be submitted.
package struct ProductChecklist: Hashable, Sendable {
    static let text = "a text in one language"
    static let price = "a price"

    /// One thing that a submission needs.
    package struct Entry: Hashable, Sendable {
        package let need: Need
        package let isDone: Bool
        /// What it is, and what is wrong with it if it is not done.
        package let sentence: String
        /// Whether the product is submitted without it as well.
        package var isOptional = false
    }

    /// What a submission can need; more may be added.
    package struct Need: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let text = Need(rawValue: "text")
        package static let price = Need(rawValue: "price")
        /// A file, of an item of the storefront.
        package static let files = Need(rawValue: "files")
        package static let content = Need(rawValue: "content")
        package static let category = Need(rawValue: "category")
        package static let delivers = Need(rawValue: "delivers")
        package static let version = Need(rawValue: "version")
        package static let screenshot = Need(rawValue: "review_screenshot")
        package static let known: Set<Need> = [
            .text, .price, .files, .content, .category, .delivers, .version, .screenshot,
        ]
    }

    package let state: ProductState
    package let entries: [Entry]
    /// A version of the app that it can be submitted with; nil where none is open.
    package let openVersion: String?
    /// Whether it is the first of its kind in the app, and so goes with a version.
    package let needsVersion: Bool

    /// What is left to do.
    package var missing: [Entry] { entries.filter { !$0.isDone && !$0.isOptional } }
    package var canBeSubmitted: Bool { missing.isEmpty && state == .readyToSubmit }
}

extension ProductReviews {
    /// What a product has of all that a submission needs.
    static func checklist(
        of product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> ProductChecklist {
        let completeness = try completeness(of: product.itemID, in: transaction)
        let isItem = try ItemShelf.item(of: product.itemID, in: transaction) != nil
        var entries: [ProductChecklist.Entry] = [
            .init(
                need: .text, isDone: !completeness.missing.contains(ProductChecklist.text),
                sentence: "A title and a description, in one language at least")
        ]
        if isItem {
            entries += completeness.missing.filter { $0 != ProductChecklist.text }.map {
                .init(need: .files, isDone: false, sentence: $0.prefix(1).uppercased() + $0.dropFirst())
            }
        } else {
            entries.append(
                .init(need: .price, isDone: !completeness.missing.contains(ProductChecklist.price), sentence: "A price")
            )
        }
        if let content = completeness.content { entries.append(entry(of: content)) }
        entries += [
            .init(need: .category, isDone: product.category != nil, sentence: "Its category"),
            .init(
                need: .delivers, isDone: !(product.delivers ?? "").isEmpty, sentence: "What is delivered, in words"),
        ]
        let open = try AppVersions.list(of: product.appID, in: transaction).last {
            $0.review.state != .approved && $0.review.state != .rejected
        }
        let needsVersion = try !product.review.isLive && isFirstOfKind(product, in: transaction)
        if needsVersion {
            entries.append(
                .init(
                    need: .version, isDone: open != nil || product.review.version != nil,
                    sentence: "A version of the app to go with: it is the first of its kind"))
        }
        if !isItem {
            let images = try ProductImages.list(of: product.itemID, in: transaction)
            entries.append(
                .init(
                    need: .screenshot, isDone: images.contains { $0.kind == .reviewScreenshot },
                    sentence: "A picture of where it is bought, for the reviewer", isOptional: true))
        }
        return ProductChecklist(
            state: product.state, entries: entries, openVersion: open?.version, needsVersion: needsVersion)
    }

    private static func entry(of content: ProductReview.Completeness.Content) -> ProductChecklist.Entry {
        let sentence =
            switch content {
            case .awaited: "Its content, of which nothing was uploaded"
            case .processing: "Its content, which is being looked at"
            case .ready: "Its content"
            }
        return .init(need: .content, isDone: content == .ready, sentence: sentence)
    }

    /// Throws if somebody reviews by what these facts would change.
    static func requireOpen(_ facts: ReviewFacts, of product: CatalogueProduct) throws(CatalogueError) {
        let isChange =
            facts.category.map { $0 != product.category } ?? false
            || facts.delivers.map { $0 != product.delivers ?? "" } ?? false
            || facts.note.map { $0 != product.reviewNote ?? "" } ?? false
        guard isChange, [.waitingForReview, .inReview, .pendingBinaryApproval].contains(product.review.stage) else {
            return
        }
        throw CatalogueError(
            .stateWrong,
            "\(product.productID) is \(product.state.rawValue.replacing("_", with: " ")): take the submission back before "
                + "its reviewer is told something else")
    }
}

extension CatalogueEditing {
    /// What a product has and lacks before it can be submitted.
    package func checklist(of path: ProductPath) async throws -> ProductChecklist {
        try await read { try ProductReviews.checklist(of: product(path, in: $0), in: $0) }
    }

    /// Keeps what reviewers will be told of a product, without submitting it.
    package func keep(_ facts: ReviewFacts, of path: ProductPath) async throws -> ReviewedProduct {
        var edit = ProductEdit()
        edit.facts = facts
        _ = try await change(edit, of: path)
        return try await review(of: path)
    }
}
