import Foundation

/// Languages by the names that people call them.
enum LanguageNames {
    private static let english = Locale(identifier: "en_US")

    /// Those that are offered first; any other tag may be typed in files and commands.
    static let offered = [
        "en-US", "en-GB", "en-AU", "en-CA", "ar-SA", "ca", "cs", "da", "de-DE", "el", "es-ES", "es-MX", "fi", "fr-FR",
        "fr-CA", "he", "hi", "hr", "hu", "id", "it", "ja", "ko", "ms", "nl-NL", "no", "pl", "pt-BR", "pt-PT", "ro",
        "ru",
        "sk", "sv", "th", "tr-TR", "uk", "vi", "zh-Hans", "zh-Hant",
    ]

    /// `German (Germany)`; the tag of one that has no name.
    static func name(of tag: String) -> String {
        english.localizedString(forIdentifier: tag.replacing("-", with: "_")) ?? tag
    }

    /// The offered ones by their names, without some.
    static func choices(without known: some Sequence<String> = [], first: String? = nil) -> [(
        value: String, text: String
    )] {
        let known = Set(known)
        let named = offered.filter { !known.contains($0) }.map { (value: $0, text: name(of: $0)) }
        return named.sorted { ($0.value == first ? "" : $0.text) < ($1.value == first ? "" : $1.text) }
    }
}
