package import StoreDatabase
package import StoreFoundation
package import StoreModel
import StoreRules

/// What files of Xcode had that the catalogue has no place for, and how they wrote the rest.
enum StoreKitOriginals {
    /// A file without its products, of which only the ids are left, and without its private keys.
    static func frame(of app: AppID, in transaction: any ReadTransaction) throws -> String? {
        let text = try transaction.value("SELECT storekit_members FROM app WHERE app_id = $1", app, as: String?.self)
        guard let text, text.contains(StoreKitFile.offerKeyMember) else { return text }
        return node(text).map { withoutKeys($0).text }
    }

    /// The object of a product.
    static func object(of item: ItemID, in transaction: any ReadTransaction) throws -> String? {
        try transaction.value("SELECT storekit_members FROM product WHERE item_id = $1", item, as: String?.self)
    }

    static func keep(_ frame: JSONNode, of app: AppID, in transaction: any WriteTransaction) throws {
        try transaction.update("app", ["storekit_members": withoutKeys(frame).text], where: ["app_id": app])
    }

    /// Private keys are neither kept nor told, of a file that was kept with them either.
    private static func withoutKeys(_ frame: JSONNode) -> JSONNode {
        guard case .object(var members) = frame, members[StoreKitFile.offerKeyMember]?.isBlank == false else {
            return frame
        }
        members[StoreKitFile.offerKeyMember] = nil
        return .object(members)
    }

    static func node(_ text: String?) -> JSONNode? {
        text.flatMap { try? JSONNode(Array($0.utf8), depth: depth) }
    }

    /// One more than files may have is enough for what was taken out of them.
    private static let depth = 1000
}

extension StoreKitFile {
    /// The lists of products that a file has beside those in its groups.
    private static let lists = ["products", "nonRenewingSubscriptions"]

    /// A file with the ids of its products in their place.
    static func frame(_ members: [String: JSONNode]) -> JSONNode {
        func ids(_ list: JSONNode) -> JSONNode { .list(list.nodes.compactMap { $0.members["productID"] }) }
        var frame = members
        for name in lists { frame[name] = frame[name].map(ids) }
        frame["subscriptionGroups"] = frame["subscriptionGroups"].map { groups in
            .list(
                groups.nodes.map { group in
                    var members = group.members
                    members["subscriptions"] = members["subscriptions"].map(ids)
                    return .object(members)
                })
        }
        return .object(frame)
    }

    /// The file that a frame was made of, with the products that there are.
    fileprivate static func whole(_ frame: JSONNode, _ objects: [String: JSONNode]) -> [String: JSONNode] {
        func products(_ list: JSONNode) -> JSONNode {
            .list(list.nodes.compactMap { id in id.string.flatMap { objects[$0] } })
        }
        var whole = frame.members
        for name in lists { whole[name] = whole[name].map(products) }
        whole["subscriptionGroups"] = whole["subscriptionGroups"].map { groups in
            .list(
                groups.nodes.map { group in
                    var members = group.members
                    members["subscriptions"] = members["subscriptions"].map(products)
                    return .object(members)
                })
        }
        return whole
    }

    /// What the catalogue has of an app, as a file for Xcode. What was imported of one comes back as it was written, as long as
    /// it holds.
    ///
    /// - Parameter storefront: whose prices it has; without one that of the imported file, else the United States.
    /// - Returns: the file, and what there is no place for in such a file.
    package static func export(
        _ app: CatalogueApp, in storefront: StorefrontRecord? = nil, at now: Instant,
        _ transaction: any ReadTransaction
    ) throws -> (file: JSONNode, omitted: [FileFinding]) {
        try StoreKitExport(app, storefront, at: now, transaction).file()
    }
}

/// Writes a file for Xcode.
private struct StoreKitExport {
    private let frame: [String: JSONNode]
    private let objects: [String: JSONNode]
    /// What the imported file says, to see what is other by now.
    private let imported: StoreKitFile?
    private let storefront: StorefrontRecord
    private let currency: Currency
    private let products: [(details: ProductDetails, offers: [SubscriptionOffer])]
    private let groups: [SubscriptionGroup]
    private let findings = FileFindings()
    private let hasWinBack: Bool

    init(
        _ app: CatalogueApp, _ other: StorefrontRecord?, at now: Instant, _ transaction: any ReadTransaction
    ) throws {
        let all = try Catalogue.products(of: app.id, limit: CatalogueLimits.products, in: transaction)
        products = try all.map {
            try (
                Catalogue.details(of: $0, at: now, in: transaction),
                SubscriptionOffers.list(of: $0.itemID, in: transaction)
            )
        }
        groups = try SubscriptionGroups.list(of: app.id, in: transaction)
        let objects = try all.reduce(into: [:]) { objects, product in
            objects[product.productID.text] = StoreKitOriginals.node(
                try StoreKitOriginals.object(of: product.itemID, in: transaction))
        }
        self.objects = objects
        let kept = StoreKitOriginals.node(try StoreKitOriginals.frame(of: app.id, in: transaction))
        let locale = app.primaryLanguage.replacing("-", with: "_")
        let blank: [String: JSONNode] = [
            "identifier": .text("\(app.id)"), "version": .object(["major": .number("3"), "minor": .number("0")]),
            "settings": .object(["_locale": .text(locale)]),
        ]
        frame = kept?.members ?? blank
        imported = try? kept.map { try StoreKitFile(StoreKitFile.whole($0, objects)) }
        let before = imported?.storefront
        let isOther = other != nil && other != before
        storefront = other ?? before ?? StorefrontRecord.storefront(alpha3: "USA") ?? StorefrontRecord.all[0]
        currency = isOther ? storefront.currency : imported?.currency ?? storefront.currency
        hasWinBack = products.contains { $0.offers.contains { $0.kind == .winBack } }
    }

    func file() -> (file: JSONNode, omitted: [FileFinding]) {
        var file = frame
        var settings = file["settings"]?.members ?? [:]
        if storefront != imported?.storefront || imported == nil { settings["_storefront"] = .text(storefront.alpha3) }
        file["settings"] = frame["settings"] == nil && settings.isEmpty ? nil : .object(settings)
        if hasWinBack, case .number(let major) = file["version"]?.members["major"], (Int(major) ?? 0) < 4 {
            file["version"] = .object(["major": .number("4"), "minor": .number("0")])
        }
        file["products"] = list("products", of: [.consumable, .nonConsumable])
        file["nonRenewingSubscriptions"] = list("nonRenewingSubscriptions", of: [.nonRenewing])
        file["subscriptionGroups"] = groupList()
        for (details, offers) in products { tellOfRest(details, offers) }
        return (.object(file), findings.omissions)
    }

    /// The products of some kinds: those of the imported file in its order, then the others.
    private func list(_ name: String, of kinds: Set<ProductKind>) -> JSONNode? {
        let found = ordered(frame[name], products.filter { kinds.contains($0.details.product.kind) })
        return frame[name] == nil && found.isEmpty && imported != nil ? nil : .list(found)
    }

    private func ordered(
        _ former: JSONNode?, _ found: [(details: ProductDetails, offers: [SubscriptionOffer])]
    ) -> [JSONNode] {
        let ids = (former?.nodes ?? []).compactMap(\.string)
        let places = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
        return found.enumerated().sorted { one, other in
            let (first, second) = (one.element.details.product, other.element.details.product)
            return (places[first.productID.text] ?? .max, one.offset)
                < (places[second.productID.text] ?? .max, other.offset)
        }.map { object($0.element.details, $0.element.offers) }
    }

    private func groupList() -> JSONNode? {
        let formers = frame["subscriptionGroups"]?.nodes ?? []
        let order = formers.compactMap { $0.members["id"]?.string }
        let sorted = groups.sorted { one, other in
            (order.firstIndex(of: one.id.text) ?? .max, one.id.text)
                < (order.firstIndex(of: other.id.text) ?? .max, other.id.text)
        }
        let found = sorted.flatMap { group -> [(place: Int, node: JSONNode)] in
            let ofGroup = formers.enumerated().filter { $0.element.members["id"]?.string == group.id.text }
            let former = ofGroup.first?.element
            let read = imported?.groups.first { $0.id == group.id }
            var members = former?.members ?? ["id": .text(group.id.text)]
            let isNamed = read.map { $0.referenceName.isEmpty && group.referenceName == group.id.text } ?? false
            if read?.referenceName != group.referenceName, !isNamed {
                members["name"] = .text(group.referenceName)
            }
            if read?.texts != group.texts {
                members["localizations"] = .list(
                    group.texts.sorted { $0.key < $1.key }.map { language, text in
                        var entry: [String: JSONNode] = ["locale": locale(language), "displayName": .text(text.name)]
                        if let name = text.appName { entry["customAppName"] = .text(name) }
                        return .object(entry)
                    })
            }
            var subscriptions = products.filter {
                $0.details.product.groupID == group.id && $0.details.product.kind == .autoRenewable
            }
            let others = ofGroup.dropFirst().map { (place: $0.offset, node: other(of: $0.element, &subscriptions)) }
            members["subscriptions"] = .list(ordered(former?.members["subscriptions"], subscriptions))
            return [(ofGroup.first?.offset ?? .max, .object(members))] + others
        }
        let nodes = found.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element.node)
        return frame["subscriptionGroups"] == nil && nodes.isEmpty && imported != nil ? nil : .list(nodes)
    }

    /// A group of the imported file whose id one before it has; takes its subscriptions out of those of the group.
    private func other(
        of former: JSONNode, _ subscriptions: inout [(details: ProductDetails, offers: [SubscriptionOffer])]
    ) -> JSONNode {
        var members = former.members
        let ids = Set((members["subscriptions"]?.nodes ?? []).compactMap(\.string))
        let own = subscriptions.filter { ids.contains($0.details.product.productID.text) }
        subscriptions.removeAll { ids.contains($0.details.product.productID.text) }
        members["subscriptions"] = .list(ordered(members["subscriptions"], own))
        return .object(members)
    }

    private func locale(_ language: String) -> JSONNode { .text(language.replacing("-", with: "_")) }

    private func object(_ details: ProductDetails, _ offers: [SubscriptionOffer]) -> JSONNode {
        let product = details.product
        let former = objects[product.productID.text]
        let read = imported?.products.first { $0.productID == product.productID }
        var members = former?.members ?? ["internalID": .text("\(product.itemID)")]
        members["productID"] = .text(product.productID.text)
        if former == nil { members["type"] = .text(Self.types[product.kind] ?? "") }
        if read?.referenceName != product.referenceName { members["referenceName"] = .text(product.referenceName) }
        let price = price(product.basePrice, details.prices[StorefrontCode(storefront)])
        if read == nil || read?.basePrice != price { members["displayPrice"] = .text(price?.decimalText ?? "") }
        if read?.isFamilyShareable != product.isFamilyShareable {
            members["familyShareable"] = .flag(product.isFamilyShareable)
        }
        if read?.texts != details.newestTexts {
            members["localizations"] = localizations(details.newestTexts, members["localizations"])
        }
        guard product.kind == .autoRenewable else { return .object(members) }
        if let period = product.period, read?.period != period {
            members["recurringSubscriptionPeriod"] = .text(period.description)
        }
        if let group = product.groupID, read?.groupID != group {
            members["subscriptionGroupID"] = .text(group.text)
        }
        if let level = product.level, read?.rest.level != level { members["groupNumber"] = .number("\(level)") }
        write(offers, read?.rest.offers ?? [:], into: &members, isNew: former == nil)
        return .object(members)
    }

    private static let types: [ProductKind: String] = [
        .consumable: "Consumable", .nonConsumable: "NonConsumable", .nonRenewing: "NonRenewingSubscription",
        .autoRenewable: "RecurringSubscription",
    ]

    private func price(_ base: Money?, _ local: Money?) -> Money? {
        if let base, base.currency == currency { return base }
        return local.flatMap { $0.currency == currency ? $0 : nil }
    }

    /// The texts of a product, in the entries that are there for their languages.
    private func localizations(_ texts: [String: ProductText], _ former: JSONNode?) -> JSONNode {
        var rest = texts
        var entries: [JSONNode] = []
        for entry in former?.nodes ?? [] {
            let language = (entry.members["locale"]?.string ?? "").replacing("_", with: "-")
            guard let text = rest.removeValue(forKey: language) else { continue }
            entries.append(self.entry(text, entry.members))
        }
        for (language, text) in rest.sorted(by: { $0.key < $1.key }) {
            entries.append(entry(text, ["locale": locale(language)]))
        }
        return .list(entries)
    }

    private func entry(_ text: ProductText, _ members: [String: JSONNode]) -> JSONNode {
        .object(
            members.merging(["displayName": .text(text.title), "description": .text(text.description)]) { $1 })
    }

    private func write(
        _ offers: [SubscriptionOffer], _ read: [OfferKind: [SubscriptionOffer]],
        into members: inout [String: JSONNode], isNew: Bool
    ) {
        for (kind, name) in StoreKitOffers.lists {
            let found = offers.filter { $0.kind == kind }
            let isSame = Set(read[kind] ?? []) == Set(found) && !isNew
            if isSame { continue }
            let former = members[name]?.nodes ?? [members["introductoryOffer"] ?? .null]
            let nodes = found.map { offer -> JSONNode in
                let old = former.first { Self.names($0, offer) }
                return read[kind]?.contains(offer) == true && old != nil ? old ?? .null : node(offer, old)
            }
            if kind != .introductory || members[name] != nil {
                if kind != .winBack || !nodes.isEmpty || members[name] != nil { members[name] = .list(nodes) }
            }
            if kind == .introductory, members[name] == nil || members["introductoryOffer"] != nil {
                members["introductoryOffer"] = nodes.first ?? .null
            }
        }
    }

    private static func names(_ node: JSONNode, _ offer: SubscriptionOffer) -> Bool {
        switch offer.kind {
        case .introductory: !node.members.isEmpty
        case .code: node.members["referenceName"]?.string == offer.id
        default: node.members["offerID"]?.string == offer.id
        }
    }

    private func node(_ offer: SubscriptionOffer, _ former: JSONNode?) -> JSONNode {
        var members = former?.members ?? ["internalID": .text(offer.id)]
        let mode = StoreKitOffers.modes.first { $0.value == offer.paymentMode }?.key ?? "free"
        members["paymentMode"] = .text(mode)
        members["subscriptionPeriod"] = .text(offer.period.description)
        members["numberOfPeriods"] = .number("\(offer.periodCount)")
        let price = price(offer.basePrice, offer.price(in: storefront))
        if offer.paymentMode != .free { members["displayPrice"] = .text(price?.decimalText ?? "") }
        switch offer.kind {
        case .introductory: break
        case .code:
            members["referenceName"] = .text(offer.id)
            members["eligibility"] = .list(offer.audience.eligibility.map(\.rawValue).sorted().map(JSONNode.text))
            members["isStackable"] = .flag(offer.audience.isStackable)
        default:
            members["offerID"] = .text(offer.id)
            members["referenceName"] = .text(offer.referenceName ?? offer.id)
        }
        return .object(members)
    }

    /// Tells of what there is no place for in such a file.
    private func tellOfRest(_ details: ProductDetails, _ offers: [SubscriptionOffer]) {
        let product = details.product
        func omit(_ what: String, _ count: Int) { findings.omit(what, count, of: product.productID.text) }
        omit("free subscriptions", product.kind == .freeSubscription ? 1 : 0)
        omit("prices of single storefronts", details.ownPrices.count)
        omit("storefronts that do not sell it", details.withdrawn.count)
        omit("prices that were set beforehand", details.priceChanges.count)
        omit("tax categories", (product.taxCategory ?? .standard) == .standard ? 0 : 1)
        omit("images", details.newestImages.count)
        omit("hosted content", product.hostsContent ? 1 : 0)
        omit("products that are withheld", product.isClearedForSale ? 0 : 1)
        for offer in offers {
            omit("prices of offers in single storefronts", offer.prices.count)
            let hasTime = offer.startsAt != nil || offer.endsAt != nil
            let audience = offer.audience
            let months = [audience.paidMonths, audience.lapsedMonths, audience.waitMonths].compactMap(\.self)
            omit("times and conditions of offers", hasTime || !months.isEmpty ? 1 : 0)
        }
    }
}
