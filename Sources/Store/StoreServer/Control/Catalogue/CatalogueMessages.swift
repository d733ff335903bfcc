import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// An app as the control interface tells it.
package struct CatalogueAppAnswer: Codable, Hashable, Sendable {
    package let bundleId: BundleID
    package let appId: AppID
    package let name: String
    package let primaryLanguage: String
    /// Whether it has one in the environment of the listener.
    package let hasSharedSecret: Bool
    package let teamId: TeamID
    package let capabilities: [String]
    package let capabilitiesRevision: Int
    package let createdAt: Instant
    /// Where customers find it.
    package let link: String

    init(_ listed: ListedApp, _ store: ControlStore) {
        let app = listed.app
        (bundleId, appId, name, primaryLanguage) = (app.bundleID, app.id, app.name, app.primaryLanguage)
        hasSharedSecret = listed.hasSharedSecret
        teamId = app.teamID
        capabilities = app.capabilities.map(\.rawValue).sorted()
        capabilitiesRevision = app.capabilitiesRevision
        createdAt = app.createdAt
        link = StoreItem(app).link(at: store.profiles?.storeAddress)
    }
}

/// A product as the control interface tells it.
package struct CatalogueProductAnswer: Codable, Hashable, Sendable {
    package let productId: ProductID
    package let itemId: ItemID
    package let type: ProductKind
    package let referenceName: String
    package let state: String
    package let isClearedForSale: Bool
    package let isFamilyShareable: Bool
    package let period: BillingPeriod?
    package let groupId: SubscriptionGroupID?
    /// In the group, 1 for the highest service.
    package let level: Int?
    package let taxCategory: String
    package let hostsContent: Bool
    package let createdAt: Instant
    package let changedAt: Instant
    /// Where customers find it.
    package let link: String
    /// When it was first changed after its last publication; missing where both environments sell it alike.
    package let draftedAt: Instant?
    /// When it was removed in a draft, which production does not know of; missing of all others.
    package let removedAt: Instant?
    /// In a list: in the language of the app, and in the United States.
    package var title: String?
    package var price: BasePrice?

    init(_ product: CatalogueProduct, _ store: ControlStore) {
        productId = product.productID
        itemId = product.itemID
        type = product.kind
        referenceName = product.referenceName
        state = product.state.rawValue
        isClearedForSale = product.isClearedForSale
        isFamilyShareable = product.isFamilyShareable
        period = product.period
        groupId = product.groupID
        level = product.level
        taxCategory = (product.taxCategory ?? .standard).rawValue
        hostsContent = product.hostsContent
        createdAt = product.createdAt
        changedAt = product.changedAt
        draftedAt = product.draftedAt
        removedAt = product.removedAt
        link = StoreItem.link(to: product, at: store.profiles?.storeAddress)
    }
}

/// A product with its texts and prices.
package struct CatalogueDetailsAnswer: Codable, Hashable, Sendable {
    package struct Text: Codable, Hashable, Sendable {
        package let title: String
        package let description: String

        package init(title: String, description: String) {
            self.title = title
            self.description = description
        }
    }

    package struct Price: Codable, Hashable, Sendable {
        /// Of the main unit of the currency: `0.99`.
        package let amount: String
        package let currency: Currency
        /// Whether it is what the base price comes to.
        package let isDerived: Bool
    }

    package struct Image: Codable, Hashable, Sendable {
        /// promotional or review_screenshot
        package let kind: String
        package let mediaType: String
        package let width: Int
        package let height: Int
        package let bytes: Int
        /// Whether production goes on showing the former one until this one is approved.
        package let awaitsApproval: Bool
    }

    package let product: CatalogueProductAnswer
    /// By language.
    package let texts: [String: Text]
    package let basePrice: BasePrice?
    /// By storefront, three letters.
    package let prices: [String: Price]
    package let withdrawnStorefronts: [String]
    package let unpricedStorefronts: [String]
    /// Prices that were set beforehand, the earliest first.
    package let priceChanges: [PriceChangeMessage]
    package let images: [Image]

    init(_ details: ProductDetails, _ store: ControlStore) {
        product = CatalogueProductAnswer(details.product, store)
        texts = details.texts.mapValues { Text(title: $0.title, description: $0.description) }
        prices = Dictionary(
            uniqueKeysWithValues: details.prices.map { storefront, price in
                let isDerived = details.ownPrices[storefront] == nil
                return (
                    storefront.rawValue,
                    Price(amount: price.decimalText, currency: price.currency, isDerived: isDerived)
                )
            })
        basePrice = details.product.basePrice.map(BasePrice.init)
        withdrawnStorefronts = details.withdrawn.map(\.rawValue).sorted()
        unpricedStorefronts = details.unpriced.map(\.rawValue)
        priceChanges = details.priceChanges.map(PriceChangeMessage.init)
        images = details.newestImages.map {
            Image(
                kind: $0.kind.rawValue, mediaType: $0.mediaType, width: $0.width, height: $0.height, bytes: $0.bytes,
                awaitsApproval: $0 == details.imageChange)
        }
    }
}

/// The price that those of all storefronts are derived from.
package struct BasePrice: Codable, Hashable, Sendable {
    /// Of the main unit of the currency: `0.99`.
    package let amount: String
    package let currency: Currency

    package init(amount: String, currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    init(_ price: Money) {
        self.init(amount: price.decimalText, currency: price.currency)
    }
}

/// What a product is to cost.
package struct PriceRequest: Codable, Hashable, Sendable {
    /// In place of an amount: what the base price comes to.
    package static let derived = "derived"

    /// Of the main unit of the storefront's currency: `0.99`.
    package let amount: String

    package init(amount: String) {
        self.amount = amount
    }
}

/// A shared secret; nil if there is none.
package struct SecretAnswer: Codable, Hashable, Sendable {
    package let secret: String?
}

// What the types of the messages about the catalogue do not say of their members.

extension CatalogueAppAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["capabilitiesRevision": .integer("Rises when profiles of the app become stale.", minimum: 1)]
    }
}

extension CatalogueProductAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "type": .string(among: ProductKind.known.map(\.rawValue).sorted()),
            "state": .string("From ready_to_submit on the sandbox sells it, production what was approved."),
            "period": .string("Of a subscription that renews.", example: "P1M"),
            "groupId": .string("Of a subscription that renews."),
            "price": .nullable(.of(BasePrice.self)),
            "title": .string("In a list: in the language of the app."),
            "taxCategory": .string(among: TaxCategory.known.map(\.rawValue).sorted()),
        ]
    }
}

extension CatalogueDetailsAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "texts": .dictionary(of: .of(Text.self), description: "By language."),
            "basePrice": .nullable(.of(BasePrice.self)),
            "prices": .dictionary(of: .of(Price.self), description: "By storefront, three letters."),
            "withdrawnStorefronts": .array(
                of: StorefrontCode.schema, description: "Those that it was taken out of."),
            "unpricedStorefronts": .array(
                of: StorefrontCode.schema, description: "Those that do not sell it because it has no price there."),
            "images": .array(of: .of(Image.self), description: "Pictures of it."),
            "priceChanges": .array(
                of: .of(PriceChangeMessage.self), description: "Prices that were set beforehand, the earliest first."),
        ]
    }
}

extension CatalogueDetailsAnswer.Price: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "amount": .string(example: "0.99"), "currency": .string(example: "USD"),
            "isDerived": .boolean("Whether it is what the base price comes to; else it was set for the storefront."),
        ]
    }
}

extension CatalogueDetailsAnswer.Image: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["mediaType": .string(example: "image/png")] }
}

extension BasePrice: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "amount": .string("Of the main unit of the currency.", example: "0.99", pattern: PriceRequest.pattern),
            "currency": .string("One in which a storefront sells.", example: "USD"),
        ]
    }
}

extension PriceRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "amount": .string(
                "Of the main unit of the storefront's currency, with no more digits than that has; or derived, for what the base "
                    + "price comes to.", example: "0.99", pattern: "\(pattern)|^\(derived)$")
        ]
    }

    static let pattern = #"^(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?$"#
}

extension SecretAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["secret": .string("32 hexadecimal digits; missing if there is none.", pattern: "^[0-9a-f]{32}$")]
    }
}

extension ImportReports: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["teams": .array(of: .of(Team.self), description: "Those that are new, or were called otherwise.")]
    }
}

extension ItemImportReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "unapproved": .array(
                of: .integer(minimum: 1),
                description: "Those that the file calls approved; here they are not, or not yet.")
        ]
    }
}

extension ImportReports.Team: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "formerName": .string("What it was called before; missing if it is new."),
            "maySell": .boolean("Whether it has agreed to what selling wants."),
        ]
    }
}

extension ImportReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "isNewApp": .boolean("Whether the app was made."),
            "kept": .array(
                of: ProductID.schema, description: "Those that the file does not have; they stay as they are."),
            "unpriced": .array(
                of: .of(Unpriced.self), description: "Products of the file that lack a price in some storefronts."),
            "omitted": .array(
                of: .of(FileFinding.self), description: "What the file says and the catalogue does not keep yet."),
            "noise": .array(
                of: .of(FileFinding.self),
                description: "What the file has and what says nothing, or not what it seems to."),
        ]
    }
}

extension FileFinding: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "what": .string("In words.", example: "levels in subscription groups"),
            "count": .integer("How many there are.", minimum: 1),
            "of": .array(of: .string(), description: "The products, groups or settings that have it."),
        ]
    }
}

extension ImportReport.Unpriced: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["storefronts": .integer("How many storefronts have no price for it.", minimum: 1)]
    }
}

extension ProfileRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "storeUrl": .string(
                "Where the store is, if not where it believes to be.", example: "https://store.example.com",
                pattern: #"^https://[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z]{2,10})?$"#)
        ]
    }
}

/// The schema of a `.storekit` file, which is read member by member.
enum CatalogueSchemas {
    private static let localization = JSONSchema.object(
        [
            "locale": .string(example: "en_US", pattern: "^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8}){0,3}$"),
            "displayName": .string(pattern: visible, lengths: 0...CatalogueLimits.title),
            "description": .string(pattern: visible, lengths: 0...CatalogueLimits.description),
        ], optional: ["displayName", "description"])

    /// One line, as ``NameRule`` has it.
    static let visible = #"^[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$"#

    private static func item(of types: [String], _ more: Bool) -> JSONSchema {
        .object(
            [
                "productID": ProductID.schema, "type": .string(among: types),
                "referenceName": .nullable(.string(pattern: visible, lengths: 0...CatalogueLimits.referenceName)),
                "displayPrice": .string(example: "0.99", pattern: #"^$|^(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?$"#),
                "familyShareable": .boolean(),
                "localizations": .array(of: localization, lengths: 0...CatalogueLimits.languages),
                "recurringSubscriptionPeriod": .string(among: ["P3D", "P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]),
            ],
            optional: Set(["referenceName", "familyShareable", "localizations"])
                .union(more ? [] : ["recurringSubscriptionPeriod"]))
    }

    /// A `.storekit` file, as far as it is looked at.
    static let file = JSONSchema.object(
        [
            "version": .object([
                "major": .integer(
                    minimum: StoreKitFileLimits.versions.lowerBound, maximum: StoreKitFileLimits.versions.upperBound)
            ]),
            "products": .array(of: item(of: ["Consumable", "NonConsumable"], false)),
            "nonRenewingSubscriptions": .array(of: item(of: ["NonRenewingSubscription"], false)),
            "subscriptionGroups": .array(
                of: .object([
                    "id": .string(pattern: "^[A-Za-z0-9._-]+$", lengths: 1...SubscriptionGroupID.longest),
                    "subscriptions": .array(of: item(of: ["RecurringSubscription"], true)),
                ])),
            "settings": .object(
                [
                    "_storefront": .string(example: "USA", among: storefronts),
                    "_locale": .string(example: "en_US", pattern: "^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8}){0,3}$"),
                ],
                optional: ["_storefront", "_locale"]),
        ], optional: ["products", "nonRenewingSubscriptions", "subscriptionGroups", "settings"],
        description: "A .storekit file of Xcode. Members that are not named here are passed over.")

    /// A file of our own, as far as it is needed.
    static let catalogue = JSONSchema.object(
        [
            "format": .string(among: ["till-catalogue"]), "version": .integer(minimum: 1, maximum: 1),
            "teams": .array(
                of: .object([
                    "teamId": TeamID.schema, "name": .string(pattern: visible, lengths: 1...Teams.longestName),
                ])),
            "apps": .array(
                of: .object(
                    [
                        "bundleId": BundleID.schema,
                        "products": .array(
                            of: .object([
                                "productId": ProductID.schema,
                                "type": .string(among: ProductKind.known.map(\.rawValue).sorted()),
                            ])),
                    ], optional: ["products"])),
        ], optional: ["teams"],
        description: "What a member says nothing of stays as it is. Documentation/Catalogue.md has all members.")

    private static let storefronts = StorefrontRecord.all.map(\.alpha3).sorted()
}
