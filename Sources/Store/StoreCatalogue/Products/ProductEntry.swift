package import StoreModel
package import StoreRules

/// A product as somebody enters it on one form: what all kinds need, and what some do.
package struct ProductEntry: Hashable, Sendable {
    package let productID: ProductID
    package let kind: ProductKind
    /// What its developer calls it; its title without one.
    package var referenceName: String?
    /// Of title and description; that of the app without one.
    package var language: String?
    package let text: ProductText
    package var price: Money?
    /// Of a subscription that renews.
    package var period: BillingPeriod?
    package var groupID: SubscriptionGroupID?
    package var isFamilyShareable = false
    package var hostsContent = false
    package var facts = ReviewFacts()

    package init(_ productID: ProductID, _ kind: ProductKind, text: ProductText, price: Money? = nil) {
        self.productID = productID
        self.kind = kind
        self.text = text
        self.price = price
    }

    /// What it says, checked. Fields that its kind does not have are left out: a form shows them all where it cannot hide any.
    func draft(in app: CatalogueApp) throws -> ProductDraft {
        let renews = kind == .autoRenewable
        let title = try CatalogueText.line(text.title, atMost: CatalogueLimits.title, field: "title")
        let description = try CatalogueText.lines(
            text.description, atMost: CatalogueLimits.description, field: "description")
        let language = try CatalogueText.language(language ?? app.primaryLanguage, field: "language")
        var draft = try ProductDraft(
            productID, kind, referenceName: referenceName ?? title, isFamilyShareable: isFamilyShareable,
            period: renews ? period : nil, groupID: renews ? groupID : nil,
            texts: [language: ProductText(title: title, description: description)],
            basePrice: kind == .freeSubscription ? nil : price)
        let facts = try facts.checked(for: kind)
        (draft.rest.category, draft.rest.delivers, draft.rest.reviewNote) = (
            facts.category, facts.delivers, facts.note
        )
        if kind == .nonConsumable, hostsContent { draft.rest.hostsContent = true }
        return draft
    }
}

/// What reviewers are told of a product, as its developer keeps it until the product is submitted; what is nil of it stays.
package struct ReviewFacts: Hashable, Sendable {
    package var category: ProductCategory?
    package var delivers: String?
    package var note: String?

    package init(category: ProductCategory? = nil, delivers: String? = nil, note: String? = nil) {
        self.category = category
        self.delivers = delivers
        self.note = note
    }

    func checked(for kind: ProductKind) throws -> ReviewFacts {
        if let category { try category.check(for: kind) }
        return ReviewFacts(
            category: category,
            delivers: try delivers.map {
                try CatalogueText.lines($0, atMost: ProductReviews.longestDelivers, field: "delivers")
            },
            note: try note.map { try CatalogueText.lines($0, atMost: ProductReviews.longestNote, field: "note") })
    }
}

extension ProductCategory {
    /// Throws unless a product of this kind can be of the category.
    func check(for kind: ProductKind) throws(CatalogueError) {
        guard isKnown else {
            let known = Self.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "it is one of \(known)", field: "category")
        }
        let isSubscription = [.autoRenewable, .nonRenewing, .freeSubscription].contains(kind)
        guard (self == .subscription) == isSubscription else {
            throw CatalogueError(
                .valueInvalid,
                isSubscription ? "this product is a subscription" : "this product is no subscription", field: "category"
            )
        }
    }
}

extension Catalogue {
    /// Enters a product that is not there.
    static func enter(
        _ entry: ProductEntry, of app: CatalogueApp, as item: ItemID, at commerce: Instant, _ change: CatalogueChange
    ) throws -> ProductDetails {
        guard !app.isShelf else {
            throw CatalogueError(
                .valueInvalid, "an item of the storefront is entered by till items", field: "productId")
        }
        if let known = try product(entry.productID, of: app.id, in: change.transaction) {
            throw known.removedAt == nil
                ? CatalogueError(.nameTaken, "there is a product of this id", field: "productId")
                : CatalogueError(
                    .productRemoved, "the id belonged to a product that was removed, and is never used again",
                    field: "productId")
        }
        _ = try put(try entry.draft(in: app), of: app.id, number: { item }, isApproved: false, change)
        guard let entered = try product(entry.productID, of: app.id, in: change.transaction) else {
            throw CatalogueError(.productUnknown, "there is no product \(entry.productID)", field: "productId")
        }
        return try details(of: entered, at: commerce, in: change.transaction)
    }
}

extension CatalogueEditing {
    /// Enters a product of an app; one that is there is not changed.
    package func enter(_ entry: ProductEntry, of id: BundleID) async throws -> ProductDetails {
        _ = try await app(id)
        let (number, commerce) = (try await StoreNumbers.next(numbers, in: database), commerce())
        return try await change(id) { app, change in
            try Catalogue.enter(entry, of: app, as: ItemID(number: number), at: commerce, change)
        }
    }
}
