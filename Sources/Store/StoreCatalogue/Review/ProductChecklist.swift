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
    /// The versions of the app that it can be submitted with, the newest last.
    package let openVersions: [String]
    /// Whether it is the first of its kind in the app, and so goes with a version.
    package let needsVersion: Bool

    /// What is left to do.
    package var missing: [Entry] { entries.filter { !$0.isDone && !$0.isOptional } }
    package var canBeSubmitted: Bool { missing.isEmpty && state == .readyToSubmit }
    /// The newest version of the app that it can be submitted with; nil where none is open.
    package var openVersion: String? { openVersions.last }
}

extension ProductReviews {
    /// What a product has of all that a submission needs, which is what refuses one: ``requireNothingMissing(of:with:in:)``.
    static func checklist(
        of product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> ProductChecklist {
        let completeness = try completeness(of: product.itemID, in: transaction)
        let isItem = try ItemShelf.item(of: product.itemID, in: transaction) != nil
        var entries: [ProductChecklist.Entry] = [
            .init(
                need: .text, isDone: !completeness.missing.contains(ProductChecklist.text),
                sentence: "A title, in one language at least")
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
        let open = try AppVersions.list(of: product.appID, in: transaction).filter(\.review.isOpen).map(\.version)
        let needsVersion = try !product.review.isLive && isFirstOfKind(product, in: transaction)
        if needsVersion {
            entries.append(
                .init(
                    need: .version, isDone: !open.isEmpty || product.review.version != nil,
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
            state: product.state, entries: entries, openVersions: open, needsVersion: needsVersion)
    }

    /// Throws if something is missing that a submission needs.
    ///
    /// - Parameter version: that it is submitted with; nil without one.
    static func requireNothingMissing(
        of product: CatalogueProduct, with version: String?, in transaction: any ReadTransaction
    ) throws {
        guard let product = try Catalogue.product(product.itemID, in: transaction) else { return }
        let list = try checklist(of: product, in: transaction)
        let others = list.missing.filter { $0.need != .version }
        guard others.isEmpty else {
            let words = others.map { $0.sentence.prefix(1).lowercased() + $0.sentence.dropFirst() }
            throw CatalogueError(
                .stateWrong,
                "\(product.productID) cannot be submitted, because it lacks \(words.joined(separator: "; "))")
        }
        guard list.needsVersion, version == nil else { return }
        let way = list.openVersion.map { "name one, such as \($0)" } ?? "enter one for the app, then name it here"
        throw CatalogueError(
            .stateWrong,
            "the first product of its kind goes with a version of the app that is not approved yet: \(way)",
            field: "version")
    }

    /// Throws if a product cannot be submitted with a version of its app.
    static func requireOpen(
        _ version: AppVersion, for product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws {
        if version.review.isOpen { return }
        let state = version.review.state.rawValue.replacing("_", with: " ")
        let way =
            if version.review.state == .approved {
                try isFirstOfKind(product, in: transaction)
                    ? ", and the first product of its kind goes with one that is not: enter another one for the app"
                    : "; submit the product without it"
            } else {
                "; submit the version again, then the product with it"
            }
        throw CatalogueError(.stateWrong, "version \(version.version) is \(state)\(way)", field: "version")
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
