package import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

extension CatalogueRoutes {
    /// All prices of a product at once.
    var priceRoutes: [Route] {
        let path = "/control/v1/apps/{bundleId}/products/{productId}/prices"
        return [
            .get(RoutePattern(path)) { request in
                try await .json(PriceListAnswer(store.editing(request).priceList(of: request.product)))
            }
            .described(
                "listPrices",
                "What a product costs in every storefront: what was set there, and what its base comes to.",
                tag: Self.tag, parameters: Self.product,
                answers: [.init(.ok, "The table.", .of(PriceListAnswer.self))], refusals: .product),
            .get(RoutePattern(path + ".csv")) { request in
                let text = PriceFile.text(of: try await store.editing(request).priceList(of: request.product))
                return HTTPResponse(.ok, Array(text.utf8), as: "text/csv")
            }
            .described(
                "exportPrices",
                "The same as a table for spreadsheets: a row for the base price and for each storefront.",
                tag: Self.tag, parameters: Self.product,
                answers: [.init(.ok, "The table.", .text("text/csv"))], refusals: .product),
            .put(RoutePattern(path)) { request in
                let wanted = try request.decode(PriceListRequest.self)
                let made = try await store.drafting(request).setPrices(
                    wanted.edits(), of: request.product, isTrial: wanted.isTrial ?? false)
                return try .json(PriceListChangeAnswer(made, isTrial: wanted.isTrial ?? false))
            }
            .described(
                "setPrices", "Sets many prices of a product in one change: all of them or none.", tag: Self.tag,
                parameters: Self.product + [Self.publish], body: .of(PriceListRequest.self),
                answers: [.init(.ok, "What changed, or would.", .of(PriceListChangeAnswer.self))],
                refusals: .product + [.limitReached, .stateWrong]),
        ]
    }
}

/// What a product costs in every storefront.
package struct PriceListAnswer: Codable, Hashable, Sendable {
    package struct Row: Codable, Hashable, Sendable {
        package let storefront: String
        package let name: String
        package let currency: Currency
        /// What the base price comes to there, of the main unit of the currency.
        package let derived: String?
        /// What was set for the storefront.
        package let own: String?
        package let isWithdrawn: Bool
        /// What customers pay; missing where it is not sold.
        package let price: String?
        /// The next price that they pay instead, and from when.
        package let nextPrice: String?
        package let nextAt: Instant?

        init(_ row: PriceList.Row) {
            storefront = row.storefront.alpha3
            name = row.storefront.englishName
            currency = row.storefront.currency
            derived = row.derived?.decimalText
            own = row.own?.decimalText
            isWithdrawn = row.isWithdrawn
            price = row.price?.decimalText
            nextPrice = row.next?.price.decimalText
            nextAt = row.next?.startsAt
        }
    }

    package let basePrice: BasePrice?
    /// Those that differ from the base first.
    package let storefronts: [Row]
    package let priceChanges: [PriceChangeMessage]

    init(_ list: PriceList) {
        basePrice = list.base.map(BasePrice.init)
        storefronts = list.rows.map(Row.init)
        priceChanges = list.changes.map(PriceChangeMessage.init)
    }
}

/// Many prices that are to be set at once.
package struct PriceListRequest: Codable, Hashable, Sendable {
    /// In place of an amount: the product is not sold there.
    package static let none = "none"
    /// Storefronts of one request; there are fewer.
    static let most = 400

    package let basePrice: BasePrice?
    /// By storefront: an amount, `derived` or `none`. Others stay as they are.
    package let storefronts: [String: String]?
    /// Whether to tell only what it would do.
    package let isTrial: Bool?

    package init(basePrice: BasePrice?, storefronts: [String: String], isTrial: Bool) {
        self.basePrice = basePrice
        self.storefronts = storefronts
        self.isTrial = isTrial
    }

    package init(_ edits: PriceEdits, isTrial: Bool) {
        self.init(
            basePrice: edits.base.map(BasePrice.init),
            storefronts: Dictionary(
                uniqueKeysWithValues: edits.storefronts.map { code, price in
                    switch price {
                    case .own(let price): (code.rawValue, price.decimalText)
                    case .derived: (code.rawValue, PriceRequest.derived)
                    case .notSold: (code.rawValue, Self.none)
                    }
                }), isTrial: isTrial)
    }

    func edits() throws -> PriceEdits {
        var edits = PriceEdits()
        edits.base = try basePrice.map { try CatalogueRoutes.money($0.amount, $0.currency, field: "basePrice.amount") }
        let storefronts = storefronts ?? [:]
        guard storefronts.count <= Self.most else {
            throw CatalogueError(.valueInvalid, "there are not so many storefronts", field: "storefronts")
        }
        for (name, text) in storefronts.sorted(by: { $0.key < $1.key }) {
            guard let storefront = StorefrontRecord.storefront(alpha3: name) else {
                throw CatalogueError(
                    .valueInvalid, "there is no such storefront", field: "storefronts.\(name.prefix(20))")
            }
            edits.storefronts[StorefrontCode(storefront)] =
                switch text {
                case PriceRequest.derived: .derived
                case Self.none: .notSold
                default: .own(try CatalogueRoutes.money(text, storefront.currency, field: "storefronts.\(name)"))
                }
        }
        return edits
    }
}

/// What prices that were set at once did.
package struct PriceListChangeAnswer: Codable, Hashable, Sendable {
    package struct Change: Codable, Hashable, Sendable {
        package let before: PriceListAnswer.Row
        package let after: PriceListAnswer.Row
    }

    /// Whether nothing was set.
    package let isTrial: Bool
    package let basePriceBefore: BasePrice?
    package let basePrice: BasePrice?
    package let changed: [Change]

    init(_ change: PriceListChange, isTrial: Bool) {
        self.isTrial = isTrial
        basePriceBefore = change.before.base.map(BasePrice.init)
        basePrice = change.after.base.map(BasePrice.init)
        changed = change.rows.map { Change(before: .init($0.before), after: .init($0.after)) }
    }
}

extension PriceListAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "basePrice": .nullable(.of(BasePrice.self)),
            "storefronts": .array(of: .of(Row.self), description: "Those that differ from the base first."),
            "priceChanges": .array(
                of: .of(PriceChangeMessage.self), description: "Prices that were set for a moment to come."),
        ]
    }
}

extension PriceListAnswer.Row: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "storefront": StorefrontCode.schema, "currency": .string(example: "EUR"),
            "derived": .string("What the base price comes to; missing without one.", example: "1.79"),
            "own": .string("What was set for the storefront; missing where it follows the base.", example: "1.29"),
            "price": .string("What customers pay; missing where it is not sold.", example: "1.29"),
            "nextPrice": .string("What they will pay instead.", example: "1.99"),
        ]
    }
}

extension PriceListRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "basePrice": .nullable(.of(BasePrice.self)),
            "storefronts": .dictionary(
                of: .string(example: "1.29", pattern: "\(PriceRequest.pattern)|^\(PriceRequest.derived)$|^\(none)$"),
                description: "By storefront, three letters: an amount, derived or none. Others stay as they are."),
        ]
    }
}

extension PriceListChangeAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "basePriceBefore": .nullable(.of(BasePrice.self)), "basePrice": .nullable(.of(BasePrice.self)),
            "changed": .array(of: .of(Change.self), description: "The storefronts whose prices differ."),
        ]
    }
}
