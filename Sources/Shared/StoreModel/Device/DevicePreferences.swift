import Foundation

/// What a person sets for all apps of a device: `till device` writes it, StoreKit heeds it.
///
/// ```json
/// {"language": "de-DE", "purchasesAllowed": true, "signOuts": 2}
/// ```
package struct DevicePreferences: Codable, Hashable, Sendable {
    /// Whether apps may sell anything.
    package var purchasesAllowed: Bool
    /// The language of StoreKit's own words and of products, `en-US`; nil for that of the process.
    package var language: String?
    /// Whether apps behave as in a simulator: prices load, purchases and restores fail.
    package var isSimulator: Bool
    /// How often the person signed out here. An app that has seen fewer signs out before it asks the store for anything.
    package var signOuts: Int

    /// The most bytes of the file.
    package static let longestFile = 64 * 1024
    /// The most characters of a language.
    package static let longestLanguage = 64

    package init(
        purchasesAllowed: Bool = true, language: String? = nil, isSimulator: Bool = false, signOuts: Int = 0
    ) {
        self.purchasesAllowed = purchasesAllowed
        self.language = language
        self.isSimulator = isSimulator
        self.signOuts = signOuts
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        purchasesAllowed = try container.decodeIfPresent(Bool.self, forKey: .purchasesAllowed) ?? true
        language = try container.decodeIfPresent(String.self, forKey: .language)
        isSimulator = try container.decodeIfPresent(Bool.self, forKey: .isSimulator) ?? false
        signOuts = try container.decodeIfPresent(Int.self, forKey: .signOuts) ?? 0
        if let language { self.language = try Self.checked(language: language) }
    }

    /// A language as the store takes it, or the rule that it breaks.
    package static func checked(language text: String) throws(InvalidValue) -> String {
        let isWritten = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
        guard (2...longestLanguage).contains(text.utf8.count), isWritten, text.utf8.first != 0x2D else {
            throw InvalidValue(
                subject: "language", value: text, rule: "is written as in en-US: letters, digits and hyphens")
        }
        return text
    }
}
