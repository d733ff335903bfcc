import StoreHTTP
import StoreModel
import StoreService

/// What the routes of the catalogue take and answer, for the description of the interface.
enum CatalogueSchemas {
    static let bundleID = JSONSchema.string(
        example: "com.example.app", pattern: #"^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$"#, lengths: 1...BundleID.longest)
    static let productID = JSONSchema.string(
        example: "com.example.app.credits5", pattern: "^[A-Za-z0-9._]+$", lengths: 1...ProductID.longest)
    static let instant = JSONSchema.integer("Milliseconds since 1970.")

    static let app = JSONSchema.object([
        "bundleId": bundleID, "appId": .integer("The number by which links and receipts name it.", minimum: 0),
        "name": .string(), "primaryLanguage": .string(), "hasSharedSecret": .boolean(),
        "capabilitiesRevision": .integer("Rises when profiles of the app become stale.", minimum: 1),
        "createdAt": instant,
    ])

    static let apps = JSONSchema.object(
        ["apps": .array(of: app), "next": bundleID], optional: ["next"],
        description: "What the next page comes after is missing on the last.")

    static let product = JSONSchema.object(
        [
            "productId": productID, "itemId": .integer("The number by which links and receipts name it.", minimum: 0),
            "type": .string(among: ProductKind.known.map(\.rawValue).sorted()), "referenceName": .string(),
            "state": .string("ready: the sandbox sells it; approved: production too."),
            "isClearedForSale": .boolean(), "isFamilyShareable": .boolean(),
            "period": .string("Of a subscription that renews.", example: "P1M"),
            "groupId": .string("Of a subscription that renews."), "createdAt": instant, "changedAt": instant,
        ], optional: ["period", "groupId"])

    static let products = JSONSchema.object(
        ["products": .array(of: product), "next": productID], optional: ["next"],
        description: "What the next page comes after is missing on the last.")

    static let details = JSONSchema.object([
        "product": product,
        "texts": .dictionary(
            of: .object(["title": .string(), "description": .string()]), description: "By language."),
        "prices": .dictionary(
            of: .object(["amount": .string(example: "0.99"), "currency": .string(example: "USD")]),
            description: "By storefront, three letters."),
    ])

    static let price = JSONSchema.object([
        "amount": .string(
            "Of the main unit of the storefront's currency, with no more digits than that has.", example: "0.99",
            pattern: #"^(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?$"#)
    ])

    static let secret = JSONSchema.object(
        ["secret": .string("32 hexadecimal digits; missing if there is none.", pattern: "^[0-9a-f]{32}$")],
        optional: ["secret"])

    static let report = JSONSchema.object([
        "bundleId": bundleID, "appId": .integer(minimum: 0), "isNewApp": .boolean("Whether the app was made."),
        "added": .array(of: productID), "changed": .array(of: productID), "unchanged": .array(of: productID),
        "kept": .array(of: productID, description: "Those that the file does not have; they stay as they are."),
        "omitted": .dictionary(
            of: .integer(minimum: 1), description: "What the file has and the catalogue does not take yet."),
    ])
}

extension CatalogueSchemas {
    private static let localization = JSONSchema.object(
        [
            "locale": .string(example: "en_US", pattern: "^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8}){0,3}$"),
            "displayName": .string(pattern: visible, lengths: 0...CatalogueLimits.title),
            "description": .string(pattern: visible, lengths: 0...CatalogueLimits.description),
        ], optional: ["displayName", "description"])

    /// Without control characters.
    private static let visible = #"^[^\x00-\x1f\x7f-\x9f]*$"#

    private static func item(of types: [String], _ more: Bool) -> JSONSchema {
        .object(
            [
                "productID": productID, "type": .string(among: types),
                "referenceName": .nullable(.string(pattern: visible, lengths: 0...CatalogueLimits.referenceName)),
                "displayPrice": .string(example: "0.99", pattern: #"^(0|[1-9][0-9]{0,8})(\.[0-9]{1,2})?$"#),
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
            "version": .object(["major": .integer(minimum: 1, maximum: 5)]),
            "products": .array(of: item(of: ["Consumable", "NonConsumable"], false)),
            "nonRenewingSubscriptions": .array(of: item(of: ["NonRenewingSubscription"], false)),
            "subscriptionGroups": .array(
                of: .object([
                    "id": .string(pattern: "^[A-Za-z0-9]+$", lengths: 1...SubscriptionGroupID.longest),
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

    private static let storefronts = StorefrontRecord.all.map(\.alpha3).sorted()
}
