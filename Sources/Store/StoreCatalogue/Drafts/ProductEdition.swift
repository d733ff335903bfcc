package import StoreModel
package import StoreRules

/// Everything of a product by which an environment sells and that no reviewer looks at: prices, shelves, offers, tax, removal.
package struct ProductEdition: Hashable, Sendable {
    package internal(set) var isClearedForSale: Bool
    package internal(set) var isFamilyShareable: Bool
    package internal(set) var period: BillingPeriod?
    package internal(set) var groupID: SubscriptionGroupID?
    package internal(set) var level: Int?
    package internal(set) var taxCategory: TaxCategory?
    package internal(set) var basePrice: Money?
    /// When it came onto the shelves; no part of what is drafted.
    var shelvedAt: Instant?
    package internal(set) var removedAt: Instant?
    package internal(set) var ownPrices: [StorefrontCode: Money] = [:]
    package internal(set) var withdrawn: Set<StorefrontCode> = []
    /// The earliest first.
    package internal(set) var priceChanges: [PriceChange] = []
    /// In order of their ids.
    package internal(set) var offers: [SubscriptionOffer] = []

    /// Whether both sell the same.
    func sells(as other: ProductEdition) -> Bool { fields == other.fields }
}

/// One value of a product that is drafted by itself, such as its price in one storefront.
package struct DraftField: Hashable, Sendable, Comparable {
    // Closed: each has its place in an edition.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case removal, isClearedForSale, price, prices, priceChanges, offers, taxCategory, isFamilyShareable, period
        case groupId, level
    }

    package let kind: Kind
    /// The storefront, the moment and the storefront, or the id of the offer; empty where there is one value.
    package let key: String

    init(_ kind: Kind, _ key: String = "") {
        (self.kind, self.key) = (kind, key)
    }

    /// As requests and commands name it: `price`, `prices.USA`, `offers.welcome`.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = parts.first.flatMap(Kind.init), Self.hasKey.contains(kind) == (parts.count > 1) else {
            return nil
        }
        self.init(kind, parts.count > 1 ? parts[1] : "")
    }

    private static let hasKey: Set<Kind> = [.prices, .priceChanges, .offers]

    package var text: String { key.isEmpty ? kind.rawValue : "\(kind.rawValue).\(key)" }

    package static func < (one: DraftField, other: DraftField) -> Bool {
        (place(of: one.kind), one.key) < (place(of: other.kind), other.key)
    }

    private static func place(of kind: Kind) -> Int { Kind.allCases.firstIndex(of: kind) ?? 0 }

    /// What people call it.
    package var title: String {
        switch kind {
        case .removal: "removal"
        case .isClearedForSale: "cleared for sale"
        case .price: "price"
        case .prices: "price in \(StorefrontCode(rawValue: key).nameInSentence)"
        case .priceChanges: priceChangeTitle
        case .offers: "offer \(key)"
        case .taxCategory: "tax category"
        case .isFamilyShareable: "family sharing"
        case .period: "period"
        case .groupId: "group"
        case .level: "level"
        }
    }

    /// `price in the United States from 2027-01-01 00:00 UTC`, by the name of the change.
    private var priceChangeTitle: String {
        let parts = key.split(separator: " ").map(String.init)
        guard parts.count == 2, let start = try? Instant(rfc3339: parts[0]) else { return "price from \(key)" }
        let place = StorefrontCode(rawValue: parts[1]).storefront.map { " in \($0.nameInSentence)" } ?? ""
        return "price\(place) from \(start.rfc3339.prefix(10)) \(start.rfc3339.dropFirst(11).prefix(5)) UTC"
    }
}

/// A value of an edition: its text, and the money if it is that alone.
package struct DraftValue: Hashable, Sendable {
    package let text: String
    package let money: Money?
    /// Whether it is what the base price comes to.
    package let isDerived: Bool

    init(_ text: String) {
        (self.text, money, isDerived) = (text, nil, false)
    }

    init(_ money: Money, isDerived: Bool = false) {
        text = money.description + (isDerived ? " from the price" : "")
        (self.money, self.isDerived) = (money, isDerived)
    }
}

extension ProductEdition {
    /// Every value by the field that names it; what is missing has none.
    var fields: [DraftField: DraftValue] {
        var fields: [DraftField: DraftValue] = [
            DraftField(.isClearedForSale): DraftValue(isClearedForSale ? "yes" : "no"),
            DraftField(.isFamilyShareable): DraftValue(isFamilyShareable ? "yes" : "no"),
            DraftField(.taxCategory): DraftValue((taxCategory ?? .standard).rawValue),
        ]
        fields[DraftField(.removal)] = removedAt.map { _ in DraftValue("removed for good") }
        fields[DraftField(.price)] = basePrice.map { DraftValue($0) }
        fields[DraftField(.period)] = period.map { DraftValue($0.description) }
        fields[DraftField(.groupId)] = groupID.map { DraftValue($0.text) }
        fields[DraftField(.level)] = level.map { DraftValue("\($0)") }
        for (storefront, price) in ownPrices { fields[DraftField(.prices, storefront.rawValue)] = DraftValue(price) }
        for storefront in withdrawn {
            let kept = ownPrices[storefront].map { " (\($0) when it is)" } ?? ""
            fields[DraftField(.prices, storefront.rawValue)] = DraftValue("not sold" + kept)
        }
        for change in priceChanges { fields[change.field] = DraftValue(change.price) }
        for offer in offers { fields[DraftField(.offers, offer.id)] = DraftValue(offer.summary) }
        return fields
    }

    /// What it has otherwise than what was published, in the order in which people read it.
    package func differences(from published: ProductEdition) -> [DraftDifference] {
        let (before, after) = (published.fields, fields)
        return Set(before.keys).union(after.keys).sorted().compactMap { field in
            guard before[field] != after[field] else { return nil }
            return DraftDifference(
                field: field, before: before[field] ?? published.derived(field), after: after[field] ?? derived(field),
                takes: takes(field, before: published))
        }
    }

    /// What a storefront without a price of its own sells it for.
    private func derived(_ field: DraftField) -> DraftValue? {
        guard field.kind == .prices, let storefront = StorefrontCode(rawValue: field.key).storefront else { return nil }
        return basePrice.flatMap { PriceTable.price(of: $0, in: storefront.currency) }.map {
            DraftValue($0, isDerived: true)
        }
    }

    /// Whether a field takes something from customers, who should be asked about once more.
    private func takes(_ field: DraftField, before: ProductEdition) -> Bool {
        switch field.kind {
        case .removal: removedAt != nil
        case .isClearedForSale: !isClearedForSale
        case .isFamilyShareable: !isFamilyShareable
        case .prices:
            withdrawn.contains { $0.rawValue == field.key } && !before.withdrawn.contains { $0.rawValue == field.key }
        case .offers: !offers.contains { $0.id == field.key }
        case .price, .priceChanges, .taxCategory, .period, .groupId, .level: false
        }
    }

    /// Brings one field to what another edition has of it.
    mutating func take(_ field: DraftField, from other: ProductEdition) {
        switch field.kind {
        case .removal: removedAt = other.removedAt
        case .isClearedForSale: isClearedForSale = other.isClearedForSale
        case .price: basePrice = other.basePrice
        case .prices:
            let storefront = StorefrontCode(rawValue: field.key)
            ownPrices[storefront] = other.ownPrices[storefront]
            if other.withdrawn.contains(storefront) {
                withdrawn.insert(storefront)
            } else {
                withdrawn.remove(storefront)
            }
        case .priceChanges:
            priceChanges = priceChanges.filter { $0.field != field } + other.priceChanges.filter { $0.field == field }
            priceChanges.sort { $0.startsAt < $1.startsAt }
        case .offers:
            offers = offers.filter { $0.id != field.key } + other.offers.filter { $0.id == field.key }
            offers.sort { $0.id < $1.id }
        case .taxCategory: taxCategory = other.taxCategory
        case .isFamilyShareable: isFamilyShareable = other.isFamilyShareable
        case .period: period = other.period
        case .groupId: groupID = other.groupID
        case .level: level = other.level
        }
    }
}

extension PriceChange {
    fileprivate var field: DraftField { DraftField(.priceChanges, name) }
}

/// A field of a product that is other than production has it.
package struct DraftDifference: Hashable, Sendable {
    package let field: DraftField
    /// What production sells by; nil if there is nothing.
    package let before: DraftValue?
    /// What the sandbox sells by; nil if there is nothing.
    package let after: DraftValue?
    /// Whether its publication takes something from customers.
    package let takes: Bool
}
