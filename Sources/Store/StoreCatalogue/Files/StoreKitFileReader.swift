import StoreFoundation
import StoreModel
import StoreRules

/// Makes products of what a file says, and tells of all that is wrong with it and of what the catalogue does not keep.
struct StoreKitFileReader {
    private let file: FileObject
    let findings: FileFindings
    private var places: [ProductID: String] = [:]
    private(set) var storefront: StorefrontRecord
    private(set) var language = "en-US"
    private(set) var products: [ProductDraft] = []
    private(set) var currency: Currency
    private(set) var groups: [SubscriptionGroup] = []
    private(set) var offerKey: StoreKitFile.OfferKey?

    /// A product of a file that is still to be read.
    private struct Item {
        let object: FileObject
        let kinds: [String: ProductKind]
        var group: SubscriptionGroupID?
    }

    /// - Parameter other: in the place of that of the file's settings.
    init(_ file: FileObject, storefront other: StorefrontRecord?) {
        self.file = file
        findings = file.findings
        storefront = other ?? StorefrontRecord.all.first { $0.alpha3 == "USA" } ?? StorefrontRecord.all[0]
        currency = storefront.currency
        readSettings(storefront: other)
    }

    mutating func read() {
        guard let version = file.object("version", isRequired: true) else { return }
        guard let major = version.number("major", isRequired: true) else { return }
        guard StoreKitFileLimits.versions.contains(major) else {
            let (first, last) = (StoreKitFileLimits.versions.lowerBound, StoreKitFileLimits.versions.upperBound)
            return version.refuse("only versions \(first) to \(last) are read", "major")
        }
        var items =
            file.list("products").map {
                Item(object: $0, kinds: ["Consumable": .consumable, "NonConsumable": .nonConsumable])
            }
        items += file.list("nonRenewingSubscriptions").map {
            Item(object: $0, kinds: ["NonRenewingSubscription": .nonRenewing])
        }
        items += readGroups()
        guard items.count <= StoreKitFileLimits.products else {
            return file.refuse(
                "the file has more than \(StoreKitFileLimits.products) products", "products", .limitReached)
        }
        chooseCurrency(items)
        for item in items {
            guard !findings.isFull else { break }
            read(item)
        }
        tellOfRest()
    }

    private mutating func readSettings(storefront other: StorefrontRecord?) {
        guard let settings = file.object("settings") else { return }
        if let code = settings.text("_storefront"), !code.isEmpty, other == nil {
            if let record = StorefrontRecord.storefront(alpha3: code) {
                storefront = record
                currency = record.currency
            } else {
                settings.refuse("it is the code of a storefront, three capital letters", "_storefront")
            }
        }
        if let locale = settings.text("_locale"), !locale.isEmpty {
            language =
                settings.check("_locale") { try CatalogueText.language(locale, field: "_locale") } ?? language
        }
        for (name, node) in settings.members.sorted(by: { $0.key < $1.key })
        where !["_storefront", "_locale"].contains(name) {
            if Self.changesNothing(node) {
                findings.ignore("settings that change nothing", of: name)
            } else {
                findings.omit(StoreKitFile.ownSettings, of: name)
            }
        }
    }

    /// Whether what a setting says holds without it; a list of errors does if none is switched on.
    private static func changesNothing(_ node: JSONNode) -> Bool {
        guard case .list(let entries) = node else { return node.isBlank }
        return entries.allSatisfy { entry in
            guard case .object(var members) = entry else { return entry.isBlank }
            members["name"] = nil
            return JSONNode.object(members).isBlank
        }
    }

    private mutating func readGroups() -> [Item] {
        let objects = file.list("subscriptionGroups")
        guard objects.count <= StoreKitFileLimits.groups else {
            file.refuse("there are more than \(StoreKitFileLimits.groups)", "subscriptionGroups", .limitReached)
            return []
        }
        var items: [Item] = []
        for group in objects {
            guard !findings.isFull else { break }
            let text = group.text("id", isRequired: true)
            let id = text.flatMap { text in group.check("id") { try SubscriptionGroupID(parsing: text) } }
            let name = group.text("name") ?? ""
            if !name.isEmpty {
                _ = group.check("name") {
                    try CatalogueText.line(name, atMost: CatalogueLimits.referenceName, field: "name")
                }
            }
            let texts = texts(ofGroup: group, name.isEmpty ? text ?? group.place : name)
            if let id, groups.contains(where: { $0.id == id }) {
                // Xcode reads such files: their subscriptions are all of the one group.
                findings.omit("names of groups whose id another group has", of: name.isEmpty ? id.text : name)
            } else if let id {
                groups.append(SubscriptionGroup(id: id, referenceName: name, texts: texts))
            }
            group.tellUnknown(but: ["id", "name", "localizations", "subscriptions"])
            items += group.list("subscriptions", isRequired: true).map {
                Item(object: $0, kinds: ["RecurringSubscription": .autoRenewable], group: id)
            }
        }
        return items
    }

    private func texts(ofGroup group: FileObject, _ owner: String) -> [String: SubscriptionGroupText] {
        var texts: [String: SubscriptionGroupText] = [:]
        for title in group.list("localizations") {
            guard !findings.isFull else { break }
            title.tellUnknown(but: ["locale", "displayName", "description", "customAppName"])
            let name = title.text("displayName") ?? ""
            guard !name.isEmpty else {
                findings.ignore("blank titles of subscription groups", of: owner)
                continue
            }
            let tag = title.text("locale", isRequired: true).flatMap { locale in
                title.check("locale") { try CatalogueText.language(locale, field: "locale") }
            }
            let appName = title.text("customAppName").flatMap { $0.isEmpty ? nil : $0 }
            _ = title.check("displayName") {
                try CatalogueText.line(name, atMost: SubscriptionGroups.longestName, field: "displayName")
            }
            if let appName {
                _ = title.check("customAppName") {
                    try CatalogueText.line(appName, atMost: SubscriptionGroups.longestAppName, field: "customAppName")
                }
            }
            if let tag { texts[tag] = SubscriptionGroupText(name: name, appName: appName) }
        }
        return texts
    }

    private mutating func tellOfRest() {
        if let policies = file.members["appPolicies"], policies != .null {
            if Self.isBlankPolicy(policies) {
                findings.ignore("blank policies", of: "appPolicies")
            } else {
                findings.omit("policies", of: "appPolicies")
            }
        }
        for name in ["subscriptionBundleGroups", "subscriptionSuiteGroups"] {
            findings.omit("groups of subscription groups", file.list(name).count, of: name)
        }
        if let pair = file.members[StoreKitFile.offerKeyMember], !pair.isBlank {
            offerKey = StoreKitFile.OfferKey(pair)
            let what = offerKey == nil ? "keys for promotional offers that are none" : StoreKitFile.offerKeys
            findings.omit(what, of: StoreKitFile.offerKeyMember)
        }
        file.tellUnknown(but: [
            "identifier", "version", "products", "nonRenewingSubscriptions", "subscriptionGroups", "settings",
            "appPolicies", StoreKitFile.offerKeyMember, "subscriptionBundleGroups", "subscriptionSuiteGroups",
        ])
    }

    private static func isBlankPolicy(_ node: JSONNode) -> Bool {
        switch node {
        case .object(let members): members.allSatisfy { $0.key == "locale" || isBlankPolicy($0.value) }
        case .list(let nodes): nodes.allSatisfy(isBlankPolicy)
        default: node.isBlank
        }
    }
}

// MARK: - Prices

extension StoreKitFileReader {
    /// Files for tests often name a storefront and keep the prices in dollars. Where a price has digits that the storefront's
    /// currency has not, and is one of our price points, all prices of the file are dollars.
    private mutating func chooseCurrency(_ items: [Item]) {
        guard currency != .usd else { return }
        let texts = items.compactMap { $0.object.members["displayPrice"]?.string }.filter { !$0.isEmpty }
        let odd = texts.filter { (try? Self.money($0, currency))?.isShownWhole != true }
        let arePoints = odd.allSatisfy { text in
            guard let price = try? Self.money(text, .usd) else { return false }
            return PriceTable.points.contains { $0.cents == price.minorUnits }
        }
        guard !odd.isEmpty, arePoints else { return }
        findings.ignore(
            "prices taken for US dollars, since \(currency) has no such digits", texts.count, of: storefront.alpha3)
        currency = .usd
    }

    private static func money(_ text: String, _ currency: Currency) throws(InvalidValue) -> Money {
        // Zeros behind the last digit of the currency are none of its digits.
        var digits = text[...]
        if let point = text.firstIndex(of: ".") {
            let most = currency.minorUnitDigits ?? 0
            while digits.last == "0", digits.distance(from: point, to: digits.endIndex) > most + 1 {
                digits.removeLast()
            }
            if digits.last == ".", text.last == "0" { digits.removeLast() }
        }
        return try Money(decimal: digits, currency: currency)
    }

    func price(_ item: FileObject) -> Money? {
        // Files that were synchronised have empty prices; such a product is sold nowhere until it gets one.
        guard let text = item.text("displayPrice", isRequired: true), !text.isEmpty else { return nil }
        return item.check("displayPrice") {
            let price = try Self.money(text, currency)
            try ProductDraft.check(price, field: "displayPrice")
            return price
        }
    }
}

// MARK: - Products

extension StoreKitFileReader {
    private mutating func read(_ item: Item) {
        let object = item.object
        let id = object.text("productID", isRequired: true).flatMap { text in
            object.check("productID") { try ProductID(parsing: text) }
        }
        var kind: ProductKind?
        if let type = object.text("type", isRequired: true) {
            kind = item.kinds[type]
            if kind == nil { object.refuse("it is \(item.kinds.keys.sorted().joined(separator: " or "))", "type") }
        }
        let price = price(object)
        let reference = reference(object, id)
        let texts = texts(object)
        let isShareable = object.flag("familyShareable") ?? false
        let period = item.kinds["RecurringSubscription"] == nil ? nil : period(object)
        tellOfRest(item)
        guard let id else { return }
        if let other = places.updateValue(object.place, forKey: id) {
            object.refuse("it is also that of \(other)", "productID")
        }
        guard let kind, let reference, let texts, kind != .autoRenewable || (period != nil && item.group != nil) else {
            return
        }
        let draft = object.check("productID") {
            try ProductDraft(
                id, kind, referenceName: reference, isFamilyShareable: isShareable, period: period, isOfTestFile: true,
                groupID: item.group, texts: texts, basePrice: price)
        }
        guard var draft else { return }
        draft.rest.place = object.place
        draft.rest.original = .object(object.members)
        if kind == .autoRenewable {
            draft.rest.level = level(object)
            draft.rest.offers = offers(of: object, period)
        }
        products.append(draft)
    }

    private func level(_ item: FileObject) -> Int? {
        guard let level = item.number("groupNumber") else { return nil }
        guard (1...SubscriptionGroups.lowestLevel).contains(level) else {
            if level != 0 { item.refuse("it is between 1 and \(SubscriptionGroups.lowestLevel)", "groupNumber") }
            return nil
        }
        return level
    }

    private func reference(_ item: FileObject, _ id: ProductID?) -> String? {
        let name = item.text("referenceName") ?? ""
        guard !name.isEmpty else { return id?.text }
        return item.check("referenceName") {
            try CatalogueText.line(name, atMost: CatalogueLimits.referenceName, field: "referenceName")
        }
    }

    private func period(_ item: FileObject) -> BillingPeriod? {
        guard let text = item.text("recurringSubscriptionPeriod", isRequired: true) else { return nil }
        return item.check("recurringSubscriptionPeriod") {
            let period = try BillingPeriod(parsing: text)
            guard period.isForTestFiles else {
                throw CatalogueError(.valueInvalid, "it is P1W, P1M, P2M, P3M, P6M or P1Y")
            }
            return period
        }
    }

    /// The texts of a product. A file for tests may leave them empty, as customers see them then.
    private func texts(_ item: FileObject) -> [String: ProductText]? {
        let localizations = item.list("localizations")
        guard localizations.count <= CatalogueLimits.languages else {
            item.refuse("there are more than \(CatalogueLimits.languages)", "localizations", .limitReached)
            return nil
        }
        var texts: [String: ProductText] = [:]
        for localization in localizations {
            localization.tellUnknown(but: ["locale", "displayName", "description"])
            let title = localization.text("displayName") ?? ""
            let description = localization.text("description") ?? ""
            let tag = localization.text("locale", isRequired: true).flatMap { locale in
                localization.check("locale") {
                    let tag = try CatalogueText.language(locale, field: "locale")
                    guard texts[tag] == nil else {
                        throw CatalogueError(.valueInvalid, "there are two texts for \(tag)")
                    }
                    return tag
                }
            }
            _ = localization.check("displayName") { try CatalogueText.title(title, field: "displayName") }
            _ = localization.check("description") {
                try CatalogueText.lines(description, atMost: CatalogueLimits.description, field: "description")
            }
            if let tag { texts[tag] = ProductText(title: title, description: description) }
        }
        if texts.isEmpty { texts[language] = ProductText(title: "", description: "") }
        findings.ignore(
            "empty titles, in place of which the question shows the product id",
            texts.values.count { $0.title.isEmpty },
            of: item.product ?? item.place)
        return texts
    }

    private func tellOfRest(_ item: Item) {
        let object = item.object
        let owner = object.product ?? object.place
        if item.kinds["RecurringSubscription"] == nil {
            findings.omit(
                "offer codes of products that do not renew", object.list("codeOffers").count(where: Self.isOffer),
                of: owner)
        }
        for plan in object.list("billingPlans") {
            let prices = [object, plan].map { $0.members["displayPrice"] } + [plan.members["commitmentDisplayPrice"]]
            if plan.members["billingPlanType"] == .text("BILLED_UPFRONT"), Set(prices.compactMap(\.self)).count == 1 {
                findings.ignore("billing plans that repeat the price", of: owner)
            } else {
                findings.omit("billing plans", of: owner)
            }
        }
        object.tellUnknown(but: [
            "productID", "type", "referenceName", "displayPrice", "familyShareable", "internalID", "localizations",
            "codeOffers", "recurringSubscriptionPeriod", "subscriptionGroupID", "groupNumber", "introductoryOffer",
            "introductoryOffers", "adHocOffers", "winbackOffers", "billingPlans",
        ])
    }

    /// Xcode writes an offer that was taken away as one without a way to pay.
    static func isOffer(_ offer: FileObject) -> Bool { offer.members["paymentMode"] != .text("none") }
}
