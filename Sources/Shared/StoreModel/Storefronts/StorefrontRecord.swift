/// A storefront: one country or region of the store, with the currency it sells in and the languages it speaks.
///
/// The ids and codes are those of the App Store, so that whatever knows its 175 storefronts knows ours.
public struct StorefrontRecord: Hashable, Sendable {
    /// The country code of two letters, as in links to the store; `XK` for Kosovo.
    public let alpha2: String
    /// The country code of three letters, as in payloads; `XKS` for Kosovo.
    public let alpha3: String
    /// The number of the storefront.
    public let id: StorefrontID
    /// The currency in which it sells.
    public let currency: Currency
    /// The languages in which it shows texts, as App Store Connect writes them; the first is its default.
    public let languages: [String]

    /// The language of texts for people whose own language the storefront does not have.
    public var defaultLanguage: String { languages.first ?? "en-GB" }
}
