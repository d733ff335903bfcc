import StoreFoundation
package import StoreModel
import StoreRules

/// A product as somebody wants the catalogue to have it; nothing in it breaks a rule.
package struct ProductDraft: Hashable, Sendable {
    package private(set) var productID: ProductID
    package let kind: ProductKind
    package let referenceName: String
    package let isFamilyShareable: Bool
    package let period: BillingPeriod?
    package let groupID: SubscriptionGroupID?
    package let texts: [String: ProductText]
    /// What every storefront sells it for, or what this comes to there; nil keeps the one that it has.
    package let basePrice: Money?
    /// The prices of single storefronts, which win.
    package let prices: [StorefrontCode: Money]
    package var rest = Rest()

    /// What else a file says of a product; nil is what it says nothing of, which stays as it is.
    package struct Rest: Hashable, Sendable {
        /// In its group, 1 for the highest service.
        package var level: Int?
        /// All offers of the kinds that are here.
        package var offers: [OfferKind: [SubscriptionOffer]] = [:]
        var taxCategory: TaxCategory?
        var hostsContent: Bool?
        var isClearedForSale: Bool?
        /// All storefronts that it is taken out of.
        var withdrawn: Set<StorefrontCode>?
        /// All prices that were set beforehand.
        var priceChanges: [PriceChange]?
        /// Whether ``ProductDraft/prices`` are all prices of single storefronts.
        var hasAllPrices = false
        /// What reviewers were told.
        var category: ProductCategory?
        var delivers: String?
        var reviewNote: String?
        /// Whether the file calls it approved.
        var isApproved: Bool?
        /// The digests of its images.
        var images: [ProductImage.Kind: String] = [:]
        /// What a file of Xcode had of it.
        var original: JSONNode?
        /// Where in the file it is.
        var place = ""

        var saysAnything: Bool {
            var rest = self
            (rest.place, rest.isApproved, rest.images, rest.hasAllPrices) = ("", nil, [:], false)
            return rest != Self()
        }
    }

    /// Throws ``CatalogueError`` with the name of the field that breaks a rule.
    ///
    /// - Parameters:
    ///   - texts: by language; `en_US` is taken for `en-US`.
    ///   - isOfTestFile: whether it comes of a `.storekit` file, in which periods are that only the sandbox sells.
    ///   - longestDescription: how many characters the text of a language may have, and its title.
    ///   - basePrice: in the currency of any storefront.
    ///   - prices: by storefront, in its currency.
    package init(
        _ productID: ProductID, _ kind: ProductKind, referenceName: String, isFamilyShareable: Bool = false,
        period: BillingPeriod? = nil, isOfTestFile: Bool = false, groupID: SubscriptionGroupID? = nil,
        texts: [String: ProductText], longestDescription: Int = CatalogueLimits.description,
        longestTitle: Int = CatalogueLimits.title, basePrice: Money? = nil, prices: [StorefrontCode: Money] = [:]
    ) throws(CatalogueError) {
        guard kind.isKnown else {
            throw CatalogueError(.valueInvalid, "it is none of the kinds of products", field: "type")
        }
        self.productID = productID
        self.kind = kind
        self.referenceName = try CatalogueText.line(
            referenceName, atMost: CatalogueLimits.referenceName, field: "referenceName")
        self.isFamilyShareable = isFamilyShareable
        self.period = period
        self.groupID = groupID
        self.texts = try Self.checked(texts, longestTitle, longestDescription)
        self.basePrice = kind == .freeSubscription ? basePrice ?? .zero(.usd) : basePrice
        self.prices = prices
        if let basePrice {
            try Self.check(basePrice, field: "price")
            try kind.checkFree(basePrice, field: "price")
        }
        try checkPrices()
        try checkSubscription(isOfTestFile: isOfTestFile)
    }

    /// The same of another id.
    func renamed(_ id: ProductID) -> ProductDraft {
        var draft = self
        draft.productID = id
        return draft
    }

    private static func checked(
        _ texts: [String: ProductText], _ longestTitle: Int, _ longestDescription: Int
    ) throws(CatalogueError) -> [String: ProductText] {
        guard texts.count <= CatalogueLimits.languages else {
            throw CatalogueError(
                .limitReached, "it has more than \(CatalogueLimits.languages) languages", field: "localizations")
        }
        var checked: [String: ProductText] = [:]
        for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
            let tag = try CatalogueText.language(language, field: "localizations.locale")
            guard checked[tag] == nil else {
                throw CatalogueError(.valueInvalid, "there are two texts for \(tag)", field: "localizations.locale")
            }
            checked[tag] = ProductText(
                title: try CatalogueText.title(
                    text.title, atMost: longestTitle, field: "localizations.displayName"),
                description: try CatalogueText.lines(
                    text.description, atMost: longestDescription, field: "localizations.description"))
        }
        return checked
    }

    private func checkPrices() throws(CatalogueError) {
        for (code, price) in prices {
            guard let storefront = code.storefront else {
                throw CatalogueError(.valueInvalid, "there is no such storefront", field: "prices.storefront")
            }
            try Self.check(price, in: storefront, field: "prices.\(storefront.alpha3)")
            try kind.checkFree(price, field: "prices.\(storefront.alpha3)")
        }
    }

    /// Whether something can cost this in a storefront.
    static func check(_ price: Money, in storefront: StorefrontRecord, field: String) throws(CatalogueError) {
        guard price.currency == storefront.currency else {
            throw CatalogueError(
                .valueInvalid, "the storefront \(storefront.alpha3) sells in \(storefront.currency)", field: field)
        }
        try check(price, field: field)
    }

    /// Whether something can cost this anywhere.
    static func check(_ price: Money, field: String) throws(CatalogueError) {
        guard PriceTable.price(of: .zero(price.currency), in: .usd) != nil else {
            throw CatalogueError(.valueInvalid, "no storefront sells in \(price.currency)", field: field)
        }
        guard (0...CatalogueLimits.price).contains(price.minorUnits) else {
            let most = Money(minorUnits: CatalogueLimits.price, currency: price.currency)
            throw CatalogueError(.valueInvalid, "a price is between nothing and \(most)", field: field)
        }
        guard price.isShownWhole else {
            throw CatalogueError(
                .valueInvalid, "prices in \(price.currency) are shown without digits after the point and have none",
                field: field)
        }
    }

    private func checkSubscription(isOfTestFile: Bool) throws(CatalogueError) {
        guard kind == .autoRenewable else {
            if period != nil || groupID != nil {
                throw CatalogueError(
                    .valueInvalid, "only a subscription that renews has a period and a group", field: "type")
            }
            return
        }
        guard let period else {
            throw CatalogueError(.valueInvalid, "a subscription that renews has a period", field: "period")
        }
        guard period.isForSubscriptions || isOfTestFile && period.isForTestFiles else {
            throw CatalogueError(.valueInvalid, BillingPeriod.subscriptionRule, field: "period")
        }
        guard groupID != nil else {
            throw CatalogueError(.valueInvalid, "a subscription that renews is in a group", field: "groupId")
        }
    }
}

extension Money {
    /// Whether all of it can be read where prices in its currency are shown.
    var isShownWhole: Bool {
        let hidden = max(0, (currency.minorUnitDigits ?? 0) - PriceTable.digits(of: currency))
        return minorUnits % (0..<hidden).reduce(1) { unit, _ in unit * 10 } == 0
    }
}

extension ProductKind {
    /// Throws if something of this kind cannot cost this.
    func checkFree(_ price: Money, field: String) throws(CatalogueError) {
        guard self != .freeSubscription || price.minorUnits == 0 else {
            throw CatalogueError(.valueInvalid, "a free subscription costs nothing", field: field)
        }
    }
}

/// What customers read of a product, in one language.
package struct ProductText: Hashable, Sendable {
    package let title: String
    package let description: String

    package init(title: String, description: String) {
        self.title = title
        self.description = description
    }
}
