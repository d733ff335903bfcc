/// A storefront: one country or region of the store, with the currency it sells in and the languages it speaks.
///
/// The ids and codes are those of the App Store, so software for its 175 storefronts works with ours.
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

    /// The languages that it speaks itself: without English where that only stands in for another, as in Japan.
    package var ownLanguages: [String] {
        languages.filter { language in
            !language.hasPrefix("en") || language == defaultLanguage || Self.withEnglish.contains(alpha2)
        }
    }

    /// Cameroon and Hong Kong, of which English is an official language beside the default one.
    private static let withEnglish: Set<String> = ["CM", "HK"]

    /// Every storefront, in order of the codes of two letters.
    public static let all: [StorefrontRecord] = StorefrontTable.rows.split(separator: "\n").compactMap(parse)

    private static let byAlpha2 = index { $0.alpha2 }
    private static let byAlpha3 = index { $0.alpha3 }
    private static let byID = index { $0.id }

    /// The storefront with a country code of two capital letters.
    public static func storefront(alpha2 code: String) -> StorefrontRecord? { byAlpha2[code] }

    /// The storefront with a country code of three capital letters.
    public static func storefront(alpha3 code: String) -> StorefrontRecord? { byAlpha3[code] }

    /// The storefront with a number.
    public static func storefront(id: StorefrontID) -> StorefrontRecord? { byID[id] }

    private static func index<Key: Hashable>(by key: (StorefrontRecord) -> Key) -> [Key: StorefrontRecord] {
        Dictionary(all.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads a row; one of another form would be left out, and a test counts them.
    private static func parse(_ row: Substring) -> StorefrontRecord? {
        let parts = row.split(separator: " ")
        guard parts.count == 5, let id = try? StorefrontID(parsing: parts[2]),
            let currency = try? Currency(code: parts[3])
        else { return nil }
        let languages = parts[4].split(separator: ",").map(String.init)
        return StorefrontRecord(
            alpha2: String(parts[0]), alpha3: String(parts[1]), id: id, currency: currency, languages: languages)
    }
}

/// A storefront as a payload names it, by three letters; it may be one that this version does not know.
public struct StorefrontCode: WireValue {
    /// The code on the wire.
    public let rawValue: String

    /// Any code, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code of a storefront.
    public init(_ storefront: StorefrontRecord) {
        rawValue = storefront.alpha3
    }

    /// What is known of the storefront; nil for one the store has opened since.
    public var storefront: StorefrontRecord? { StorefrontRecord.storefront(alpha3: rawValue) }

    /// The codes that this version knows.
    public static let known = Set(StorefrontRecord.all.map(StorefrontCode.init))
}

/// The number of a storefront, 143441 for the United States.
public struct StorefrontID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "storefront id"

    /// The number.
    public let number: Int64

    /// A storefront id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }

    /// What is known of this storefront; nil for one the store has opened since.
    public var storefront: StorefrontRecord? { StorefrontRecord.storefront(id: self) }
}
