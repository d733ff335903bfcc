/// A storefront: the country and its number.
package struct StorefrontValue: Hashable, Sendable {
    /// In three letters, `USA` for example.
    package var countryCode: String
    /// The number, `143441` for example.
    package var identifier: String

    package init(countryCode: String, identifier: String) {
        self.countryCode = countryCode
        self.identifier = identifier
    }
}
