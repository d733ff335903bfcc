import Foundation
package import StoreModel
import Synchronization

/// Prices as people of a storefront write them. Making one takes far longer than finding one, and there are few.
package final class PriceText: Sendable {
    private struct Key: Hashable {
        let price: Money
        let locale: String
    }

    /// How many are remembered; beyond that all are forgotten.
    private static let limit = 20_000
    private let texts = Mutex<[Key: String]>([:])

    package init() {}

    /// - Parameters:
    ///   - language: in which the price is shown, such as `de-DE`.
    ///   - storefront: whose habits count where the language leaves it open.
    package func text(of price: Money, language: String, storefront: StorefrontRecord) -> String {
        let locale = Self.locale(language, storefront)
        let key = Key(price: price, locale: locale)
        if let known = texts.withLock({ $0[key] }) { return known }
        let text = Self.make(price, Locale(identifier: locale))
        texts.withLock { texts in
            if texts.count >= Self.limit { texts.removeAll() }
            texts[key] = text
        }
        return text
    }

    /// A language with the country of the storefront: Germans in Austria read prices as Austrians write them.
    private static func locale(_ language: String, _ storefront: StorefrontRecord) -> String {
        let parts = language.split(separator: "-")
        let script = parts.dropFirst().first { $0.count == 4 }.map { "_\($0)" } ?? ""
        return "\(parts.first ?? "en")\(script)_\(storefront.alpha2)"
    }

    private static func make(_ price: Money, _ locale: Locale) -> String {
        guard let amount = Decimal(string: price.decimalText, locale: Locale(identifier: "en_US_POSIX")) else {
            return "\(price.decimalText) \(price.currency)"
        }
        return amount.formatted(.currency(code: price.currency.code).locale(locale))
    }
}
