import Foundation
package import StoreModel

extension StorefrontRecord {
    private static let english = Locale(identifier: "en_US")
    private static let names = Dictionary(
        uniqueKeysWithValues: all.map { ($0.alpha3, english.localizedString(forRegionCode: $0.alpha2) ?? $0.alpha3) })

    /// As people who speak English call it.
    package var englishName: String { Self.names[alpha3] ?? alpha3 }
}
