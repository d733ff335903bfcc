package import StoreModel
package import StoreRules

/// What a reviewer decides about: a product, an item of the storefront, or a version of an app.
// Closed: these are the things that are reviewed.
package enum ReviewTarget: Hashable, Sendable {
    case product(ProductPath)
    case version(String, BundleID)

    package var app: BundleID {
        switch self {
        case .product(let path): path.app
        case .version(_, let bundle): bundle
        }
    }
}

/// One thing of a submission that differs from what production has.
package struct ReviewChange: Hashable, Sendable {
    /// Such as `title.de`, `picture` or `facts.copyright`.
    package let field: String
    /// As it was approved; nil for what is new.
    package let before: String?
    /// As it was submitted; nil for what is taken away.
    package let after: String?
    /// The longest that the text may be, where it is one for customers.
    package let limit: Int?

    init(_ field: String, _ before: String?, _ after: String?, limit: Int? = nil) {
        (self.field, self.before, self.after, self.limit) = (field, before, after, limit)
    }

    package var difference: WordDifference { WordDifference(from: before ?? "", to: after ?? "") }
}

/// Something that waits for a decision or is being reviewed, with what it would change.
package struct ReviewCase: Hashable, Sendable {
    package let target: ReviewTarget
    package let app: CatalogueApp
    /// What its developer calls it; the number of a version.
    package let name: String
    /// Whether a reviewer has taken it up.
    package let isTakenUp: Bool
    /// Whether production has nothing of it yet.
    package let isNew: Bool
    /// What differs from what was approved; all of it for what is new.
    package let changes: [ReviewChange]
    /// When it was changed last, by which a decision knows what was seen.
    package let changedAt: Instant
    /// Nil for a version.
    package let product: CatalogueProduct?
    /// The store id of an item of the storefront.
    package let item: Int64?
    /// The content that is reviewed with a product.
    package let content: HostedContent?
    /// How far the version is that a product was submitted with; nil without one.
    package var version: AppVersion?
    /// Whether the reviewer sees a picture of where it is bought.
    package var hasScreenshot = false
    /// Everything that happened to a product; only where one is asked for.
    package var history: [ProductReviews.Entry] = []

    /// Whether nobody can approve it yet, because its developer has not submitted the version that it goes with.
    package var awaitsVersion: Bool { version.map { !$0.review.isSubmitted } ?? false }

    /// What is not to be changed by the decision, in words, for what production sells.
    package static let fixed = ["kind", "product id", "period", "group"]
}

extension ReviewCase {
    /// What an edition of a product has of everything that is reviewed.
    struct Edition {
        var texts: [String: ProductText] = [:]
        var picture: ProductImage?
        var facts: [String: String] = [:]
        var files: [String: String] = [:]
        var content: String?
    }

    /// What differs between two editions.
    static func changes(from old: Edition, to new: Edition, of kind: ProductKind, isItem: Bool) -> [ReviewChange] {
        let (title, description) =
            isItem
            ? (ItemLimits.name, ItemLimits.description) : (CatalogueLimits.title, CatalogueLimits.description)
        var changes: [ReviewChange] = []
        for language in Set(old.texts.keys).union(new.texts.keys).sorted() {
            let (before, after) = (old.texts[language], new.texts[language])
            changes.append(ReviewChange("title.\(language)", before?.title, after?.title, limit: title))
            changes.append(
                ReviewChange("description.\(language)", before?.description, after?.description, limit: description))
        }
        changes.append(ReviewChange("picture", old.picture?.words, new.picture?.words))
        if old.picture?.blob != new.picture?.blob, old.picture?.words == new.picture?.words {
            // Two pictures of one size are two pictures.
            changes[changes.count - 1] = ReviewChange(
                "picture", old.picture?.words, new.picture.map { "\($0.words), another" })
        }
        for (name, old, new) in [("facts", old.facts, new.facts), ("file", old.files, new.files)] {
            for key in Set(old.keys).union(new.keys).sorted() {
                changes.append(ReviewChange("\(name).\(key)", old[key], new[key]))
            }
        }
        changes.append(ReviewChange("content", old.content, new.content))
        return changes.filter { $0.before != $0.after && !($0.before ?? "" == $0.after ?? "") }
    }
}

extension ProductImage {
    /// What it is, for those who do not see it.
    package var words: String {
        "\(width) × \(height), \(mediaType.split(separator: "/").last?.uppercased() ?? mediaType)"
    }
}
