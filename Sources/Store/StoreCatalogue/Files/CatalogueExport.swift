package import StoreDatabase
package import StoreFoundation
package import StoreModel
import StoreRules

extension CatalogueFile {
    /// Teams and apps with all that the catalogue has of them, as a file of our own. It has no secrets, nothing of people and
    /// money, no versions and no decisions about them, no bytes of files, and no numbers of this store but those that links to
    /// the storefront have.
    ///
    /// - Parameter items: the items of the storefront, as ``itemNodes(of:at:in:)`` makes them.
    package static func export(
        _ apps: [CatalogueApp], of teams: [StoreCatalogue.Team], items: [JSONNode] = [], at now: Instant,
        in transaction: any ReadTransaction
    ) throws -> JSONNode {
        var members: [String: JSONNode] = [
            "format": .text(format), "version": .number("\(version)"),
            "teams": .list(teams.map { .object(["teamId": .text($0.id.text), "name": .text($0.name)]) }),
            "apps": .list(try apps.map { try node($0, at: now, in: transaction) }),
        ]
        if !items.isEmpty { members["items"] = .list(items) }
        return .object(members)
    }

    private static func node(
        _ app: CatalogueApp, at now: Instant, in transaction: any ReadTransaction
    ) throws -> JSONNode {
        var members: [String: JSONNode] = [
            "bundleId": .text(app.bundleID.text), "name": .text(app.name),
            "primaryLanguage": .text(app.primaryLanguage), "teamId": .text(app.teamID.text),
            "capabilities": words(app.capabilities.map(\.rawValue)),
        ]
        if try ItemShelf.item(of: app.id, in: transaction) != nil { members["storeId"] = .number("\(app.id)") }
        let setting = try GracePeriods.setting(of: app.id, in: transaction)
        if let grace = setting.grace {
            members["gracePeriod"] = .object([
                "days": .number("\(grace.days)"), "isOnlyPaid": .flag(grace.isOnlyPaid),
                "isInProduction": .flag(setting.isInProduction),
            ])
        }
        members["groups"] = .list(try SubscriptionGroups.list(of: app.id, in: transaction).map(node))
        members["storekit"] = StoreKitOriginals.node(try StoreKitOriginals.frame(of: app.id, in: transaction))
        let products = try Catalogue.products(of: app.id, limit: CatalogueLimits.products, in: transaction)
        members["products"] = .list(try products.map { try node($0, at: now, in: transaction) })
        return .object(members)
    }

    private static func node(_ group: SubscriptionGroup) -> JSONNode {
        .object([
            "groupId": .text(group.id.text), "referenceName": .text(group.referenceName),
            "texts": .object(
                group.texts.mapValues { text in
                    .object(["name": .text(text.name)].merging(optional("appName", text.appName)) { $1 })
                }),
        ])
    }

    static func node(
        _ product: CatalogueProduct, at now: Instant, in transaction: any ReadTransaction
    ) throws -> JSONNode {
        let details = try Catalogue.details(of: product, at: now, in: transaction)
        var members: [String: JSONNode] = [
            "productId": .text(product.productID.text), "type": .text(product.kind.rawValue),
            "referenceName": .text(product.referenceName), "state": .text(product.state.rawValue),
            "isClearedForSale": .flag(product.isClearedForSale),
            "isFamilyShareable": .flag(product.isFamilyShareable),
            "taxCategory": .text((product.taxCategory ?? .standard).rawValue),
            "texts": .object(
                details.newestTexts.mapValues { text in
                    .object(["title": .text(text.title), "description": .text(text.description)])
                }),
            "prices": prices(details.ownPrices),
            "withdrawnStorefronts": words(details.withdrawn.map(\.rawValue)),
            "priceChanges": .list(details.priceChanges.map(node)),
        ]
        if product.kind == .nonConsumable { members["hostsContent"] = .flag(product.hostsContent) }
        if product.kind == .autoRenewable {
            members["offers"] = .list(try SubscriptionOffers.list(of: product.itemID, in: transaction).map(node))
        }
        members["price"] = product.basePrice.map(money)
        members["level"] = product.level.map { .number("\($0)") }
        members["storekit"] = StoreKitOriginals.node(
            try StoreKitOriginals.object(of: product.itemID, in: transaction))
        let texts = [
            "period": product.period?.description, "groupId": product.groupID?.text,
            "category": product.category?.rawValue, "delivers": product.delivers, "reviewNote": product.reviewNote,
        ]
        for (name, text) in texts { members.merge(optional(name, text)) { $1 } }
        let images = details.newestImages.map { ($0.kind.rawValue, JSONNode.text($0.blob.text)) }
        members["images"] = .object(Dictionary(uniqueKeysWithValues: images))
        return .object(members)
    }

    private static func node(_ change: PriceChange) -> JSONNode {
        var members = money(change.price).members
        members["startsAt"] = .text(change.startsAt.rfc3339)
        members.merge(optional("storefront", change.storefront?.rawValue)) { $1 }
        return .object(members)
    }

    private static func node(_ offer: SubscriptionOffer) -> JSONNode {
        var members: [String: JSONNode] = [
            "offerId": .text(offer.id), "kind": .text(offer.kind.rawValue),
            "paymentMode": .text(offer.paymentMode.rawValue), "period": .text(offer.period.description),
            "periodCount": .number("\(offer.periodCount)"), "prices": prices(offer.prices),
            "eligibility": words(offer.audience.eligibility.map(\.rawValue)),
            "isStackable": .flag(offer.audience.isStackable),
        ]
        members["price"] = offer.basePrice.map(money)
        let months = [
            "paidMonths": offer.audience.paidMonths, "lapsedMonths": offer.audience.lapsedMonths,
            "waitMonths": offer.audience.waitMonths,
        ]
        for (name, count) in months { members[name] = count.map { .number("\($0)") } }
        let texts = [
            "referenceName": offer.referenceName, "startsAt": offer.startsAt?.rfc3339, "endsAt": offer.endsAt?.rfc3339,
        ]
        for (name, text) in texts { members.merge(optional(name, text)) { $1 } }
        return .object(members)
    }

    private static func money(_ money: Money) -> JSONNode {
        .object(["amount": .text(money.decimalText), "currency": .text(money.currency.code)])
    }

    private static func prices(_ prices: [StorefrontCode: Money]) -> JSONNode {
        .object(Dictionary(uniqueKeysWithValues: prices.map { ($0.key.rawValue, .text($0.value.decimalText)) }))
    }

    private static func words(_ words: [String]) -> JSONNode { .list(words.sorted().map(JSONNode.text)) }

    private static func optional(_ name: String, _ text: String?) -> [String: JSONNode] {
        text.map { [name: .text($0)] } ?? [:]
    }
}
