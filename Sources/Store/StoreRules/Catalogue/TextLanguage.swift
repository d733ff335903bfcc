package import StoreModel

/// Chooses the language in which a customer reads of a product.
///
/// The storefront decides: one that speaks a single language shows its texts in that, whatever the device speaks, so that in
/// Japan Japanese is read and nowhere else. In one that speaks several, as Switzerland and Canada do, the device chooses
/// among all that it has.
package enum TextLanguage {
    /// The best of the languages that there are texts in; nil if there are none.
    ///
    /// - Parameters:
    ///   - available: the languages of the texts.
    ///   - languages: those of the device, the favourite first, such as `de-CH` or `zh-Hans-CN`.
    ///   - primary: that of the app, for whoever can be given none of the storefront's.
    package static func best(
        of available: [String], for languages: [String], in storefront: StorefrontRecord, primary: String
    ) -> String? {
        if storefront.ownLanguages.count == 1, let own = storefront.ownLanguages.first {
            let form = languages.first { Speech($0) == Speech(own) }
            if let found = closest(to: own, among: available, thenTo: form) { return found }
        }
        for wanted in languages {
            guard let offered = closest(to: wanted, among: storefront.languages) else { continue }
            if let found = closest(to: offered, among: available, thenTo: wanted) { return found }
        }
        return closest(to: storefront.defaultLanguage, among: available) ?? closest(to: primary, among: available)
            ?? available.min()
    }

    /// The texts in a language that was asked for by name, or in another form of it, whatever the storefront speaks; nil if
    /// there are none.
    package static func named(_ language: String, among available: [String]) -> String? {
        closest(to: language, among: available)
    }

    /// The language itself, or another form of it.
    private static func closest(to language: String, among languages: [String], thenTo second: String? = nil) -> String?
    {
        for exact in [language, second].compactMap(\.self) {
            if let same = languages.first(where: { $0.lowercased() == exact.lowercased() }) { return same }
        }
        let speech = Speech(language)
        return languages.filter { Speech($0) == speech }.min()
    }

    /// What a language and its regional forms have in common.
    private struct Speech: Hashable {
        let language: String
        /// Counts where one language is written in two scripts.
        let script: String?

        init(_ tag: String) {
            let parts = tag.split { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
            let first = parts.first ?? ""
            let others = parts.dropFirst()
            language = Self.aliases[first] ?? first
            let script = others.first { $0.count == 4 && $0.allSatisfy(\.isLetter) }
            self.script = language == "zh" ? script ?? Self.chineseScript(of: others) : script
        }

        private static func chineseScript(of regions: ArraySlice<String>) -> String {
            regions.contains { ["tw", "hk", "mo"].contains($0) } ? "hant" : "hans"
        }

        private static let aliases = ["nb": "no", "nn": "no", "iw": "he", "in": "id", "fil": "tl"]
    }
}
