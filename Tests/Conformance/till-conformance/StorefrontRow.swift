import StoreModel

/// A storefront as the conformance tests read it.
struct StorefrontRow: Encodable {
    let alpha2: String
    let alpha3: String
    let id: StorefrontID
    let currency: Currency
    let languages: [String]

    init(_ storefront: StorefrontRecord) {
        alpha2 = storefront.alpha2
        alpha3 = storefront.alpha3
        id = storefront.id
        currency = storefront.currency
        languages = storefront.languages
    }
}
