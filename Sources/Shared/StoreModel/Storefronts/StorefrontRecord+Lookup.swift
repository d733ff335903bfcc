extension StorefrontRecord {
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
