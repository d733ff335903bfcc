import Foundation
package import StoreModel

extension StorefrontRecord {
    private static let english = Locale(identifier: "en_US")
    private static let names = Dictionary(
        uniqueKeysWithValues: all.map { ($0.alpha3, english.localizedString(forRegionCode: $0.alpha2) ?? $0.alpha3) })

    /// As people who speak English call it.
    package var englishName: String { Self.names[alpha3] ?? alpha3 }

    /// The same within a sentence: `the United States`.
    package var nameInSentence: String { (Self.withArticle.contains(alpha3) ? "the " : "") + englishName }

    private static let withArticle: Set = [
        "ARE", "BHS", "COD", "COG", "CYM", "DOM", "GBR", "GMB", "MDV", "NLD", "PHL", "SLB", "SYC", "TCA", "USA", "VGB",
    ]
}

extension StorefrontCode {
    /// As people call it within a sentence; the code of one that is not known.
    package var nameInSentence: String { storefront?.nameInSentence ?? rawValue }
}
