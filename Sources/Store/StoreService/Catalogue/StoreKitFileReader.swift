import StoreModel

/// Makes products of what a file says, and names the place of what is wrong.
struct StoreKitFileReader {
    typealias Document = StoreKitFileDocument

    private let storefront: StorefrontRecord
    private let language: String
    private var places: [ProductID: String] = [:]
    private(set) var products: [ProductDraft] = []
    private(set) var omissions: [String: Int] = [:]

    init(storefront: StorefrontRecord, language: String) {
        self.storefront = storefront
        self.language = language
    }

    mutating func read(_ document: Document) throws(CatalogueError) {
        let kinds: [String: ProductKind] = ["Consumable": .consumable, "NonConsumable": .nonConsumable]
        try read(document.products ?? [], at: "products", kinds)
        try read(
            document.nonRenewingSubscriptions ?? [], at: "nonRenewingSubscriptions",
            ["NonRenewingSubscription": .nonRenewing])
        let groups = document.subscriptionGroups ?? []
        guard groups.count <= StoreKitFileLimits.groups else {
            throw CatalogueError(
                .limitReached, "there are more than \(StoreKitFileLimits.groups)", field: "subscriptionGroups")
        }
        for (index, group) in groups.enumerated() {
            let place = "subscriptionGroups[\(index)]"
            let id = try Self.parse("\(place).id") { () throws(InvalidValue) in
                try SubscriptionGroupID(parsing: group.id)
            }
            omit("titles of subscription groups", group.localizations?.count ?? 0)
            try read(
                group.subscriptions, at: "\(place).subscriptions", ["RecurringSubscription": .autoRenewable], group: id)
        }
        omit("policies", document.appPolicies == nil ? 0 : 1)
        omit("keys for promotional offers", document.subscriptionOffersKeyPair == nil ? 0 : 1)
    }

    private mutating func read(
        _ items: [Document.Item], at list: String, _ kinds: [String: ProductKind], group: SubscriptionGroupID? = nil
    ) throws(CatalogueError) {
        guard products.count + items.count <= StoreKitFileLimits.products else {
            throw CatalogueError(
                .limitReached, "the file has more than \(StoreKitFileLimits.products) products", field: list)
        }
        for (index, item) in items.enumerated() {
            let place = "\(list)[\(index)]"
            guard let kind = kinds[item.type] else {
                let names = kinds.keys.sorted().joined(separator: " or ")
                throw CatalogueError(.valueInvalid, "it is \(names)", field: "\(place).type")
            }
            let draft = try draft(of: item, kind, group, at: place)
            if let other = places.updateValue(place, forKey: draft.productID) {
                throw CatalogueError(.valueInvalid, "it is also that of \(other)", field: "\(place).productID")
            }
            products.append(draft)
            count(item)
        }
    }

    private func draft(
        of item: Document.Item, _ kind: ProductKind, _ group: SubscriptionGroupID?, at place: String
    ) throws(CatalogueError) -> ProductDraft {
        let id = try Self.parse("\(place).productID") { () throws(InvalidValue) in
            try ProductID(parsing: item.productID)
        }
        // Files that were synchronised have empty prices; such a product is sold nowhere until it gets one.
        let price = item.displayPrice.isEmpty ? nil : try price(item.displayPrice, at: "\(place).displayPrice")
        let name = item.referenceName.flatMap { $0.isEmpty ? nil : $0 } ?? id.text
        let reference = try CatalogueText.line(
            name, atMost: CatalogueLimits.referenceName, field: "\(place).referenceName")
        let texts = try texts(item.localizations ?? [], named: reference, at: "\(place).localizations")
        let period = kind == .autoRenewable ? try period(item, at: "\(place).recurringSubscriptionPeriod") : nil
        do {
            return try ProductDraft(
                id, kind, referenceName: reference, isFamilyShareable: item.familyShareable ?? false, period: period,
                groupID: group, texts: texts,
                basePrice: price)
        } catch {
            throw CatalogueError(error.code, error.rule, field: error.parameter.map { "\(place).\($0)" } ?? place)
        }
    }

    private func price(_ text: String, at field: String) throws(CatalogueError) -> Money {
        // Zeros behind the last digit of the currency are none of its digits.
        var digits = text[...]
        if let point = text.firstIndex(of: ".") {
            let most = storefront.currency.minorUnitDigits ?? 0
            while digits.last == "0", digits.distance(from: point, to: digits.endIndex) > most + 1 {
                digits.removeLast()
            }
            if digits.last == ".", text.last == "0" { digits.removeLast() }
        }
        let price = try Self.parse(field) { () throws(InvalidValue) in
            try Money(decimal: digits, currency: storefront.currency)
        }
        try ProductDraft.check(price, in: storefront, field: field)
        return price
    }

    private func period(_ item: Document.Item, at field: String) throws(CatalogueError) -> BillingPeriod {
        guard let text = item.recurringSubscriptionPeriod else {
            throw CatalogueError(.valueInvalid, "it is missing", field: field)
        }
        let period = try Self.parse(field) { () throws(InvalidValue) in try BillingPeriod(parsing: text) }
        // Tests on a Mac use three days too.
        guard period.isForSubscriptions || period == .threeDays else {
            throw CatalogueError(.valueInvalid, "it is P1W, P1M, P2M, P3M, P6M or P1Y", field: field)
        }
        return period
    }

    private static func parse<Value>(
        _ field: String, _ make: () throws(InvalidValue) -> Value
    ) throws(CatalogueError) -> Value {
        do {
            return try make()
        } catch {
            throw CatalogueError(.valueInvalid, "it \(error.rule)", field: field)
        }
    }
}

extension StoreKitFileReader {
    /// The texts of a product. A file for tests may leave them empty; the reference name is shown then.
    private func texts(
        _ localizations: [Document.Localization], named reference: String, at field: String
    ) throws(CatalogueError) -> [String: ProductText] {
        guard localizations.count <= CatalogueLimits.languages else {
            throw CatalogueError(.limitReached, "there are more than \(CatalogueLimits.languages)", field: field)
        }
        var texts: [String: ProductText] = [:]
        for (index, localization) in localizations.enumerated() {
            let place = "\(field)[\(index)]"
            let tag = try CatalogueText.language(localization.locale, field: "\(place).locale")
            guard texts[tag] == nil else {
                throw CatalogueError(.valueInvalid, "there are two texts for \(tag)", field: "\(place).locale")
            }
            let title = localization.displayName.flatMap { $0.isEmpty ? nil : $0 } ?? reference
            texts[tag] = ProductText(
                title: try CatalogueText.line(title, atMost: CatalogueLimits.title, field: "\(place).displayName"),
                description: try CatalogueText.lines(
                    localization.description ?? "", atMost: CatalogueLimits.description, field: "\(place).description"))
        }
        return texts.isEmpty ? [language: ProductText(title: reference, description: "")] : texts
    }

    private mutating func count(_ item: Document.Item) {
        // Where a file has both, the list is what counts.
        let introductory = item.introductoryOffers?.count ?? (item.introductoryOffer == nil ? 0 : 1)
        omit("prices, which are empty", item.displayPrice.isEmpty ? 1 : 0)
        omit("introductory offers", introductory)
        omit("promotional offers", item.adHocOffers?.count ?? 0)
        omit("offer codes", item.codeOffers?.count ?? 0)
        omit("win-back offers", item.winbackOffers?.count ?? 0)
        omit("billing plans", item.billingPlans?.count ?? 0)
    }

    private mutating func omit(_ what: String, _ count: Int) {
        if count > 0 { omissions[what, default: 0] += count }
    }
}
