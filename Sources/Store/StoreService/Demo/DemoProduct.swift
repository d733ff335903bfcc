import StoreModel

/// A product of the demo, as it is written down in ``DemoCatalogue``.
struct DemoProduct {
    /// What follows the bundle id and a period.
    let name: String
    let kind: ProductKind
    let referenceName: String
    var period: BillingPeriod?
    var group: String?
    /// In the order of ``languages``: title and description.
    let texts: [(String, String)]
    /// In the order of ``currencies``: amounts of the main unit.
    let prices: [String]

    static let languages = ["en-US", "ja", "tr", "zh-Hans", "de-DE", "fr-FR"]
    /// Those of the United States, Japan, Türkiye, China and the countries with the euro.
    static let currencies = ["USD", "JPY", "TRY", "CNY", "EUR"]

    /// The product with a price in every storefront that sells in one of the currencies.
    func draft() throws -> ProductDraft {
        var amounts: [StorefrontCode: Money] = [:]
        for (code, amount) in zip(Self.currencies, prices) {
            let price = try Money(decimal: amount, currency: Currency(code: code))
            for storefront in StorefrontRecord.all where storefront.currency == price.currency {
                amounts[StorefrontCode(storefront)] = price
            }
        }
        let translations = zip(Self.languages, texts).map { language, text in
            (language, ProductText(title: text.0, description: text.1))
        }
        return try ProductDraft(
            ProductID(parsing: "\(DemoCatalogue.bundleID).\(name)"), kind, referenceName: referenceName, period: period,
            groupID: group.map { try SubscriptionGroupID(parsing: $0) },
            texts: Dictionary(uniqueKeysWithValues: translations), prices: amounts)
    }
}
