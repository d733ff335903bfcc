public import Foundation
package import StoreModel

/// The part of the store that serves a country.
public struct Storefront: Identifiable, Equatable, Hashable, Sendable {
    /// The number of a storefront.
    public typealias ID = String

    /// The country, in three letters.
    public let countryCode: String
    /// The number of the storefront.
    public let id: String

    init(countryCode: String, id: String) {
        self.countryCode = countryCode
        self.id = id
    }

    /// The storefront as the store names it.
    package init(_ answer: StorefrontAnswer) {
        self.init(countryCode: answer.countryCode.rawValue, id: answer.id.description)
    }

    /// The currency that it sells in; nil for a storefront that this version does not know.
    public var currency: Locale.Currency? {
        StorefrontRecord.storefront(alpha3: countryCode).map { Locale.Currency($0.currency.code) }
    }
}
