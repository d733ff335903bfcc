/// A currency of ISO 4217.
///
/// All current codes are known, also those without minor units, such as gold (`XAU`) and "no currency" (`XXX`), and the
/// withdrawn ones in which storefronts of the App Store once sold.
public struct Currency: Hashable, Sendable {
    /// The position in ``CurrencyRow/all``; valid by construction.
    private let position: UInt16

    private init(position: Int) {
        self.position = UInt16(truncatingIfNeeded: position)
    }

    /// A currency by its code of three capital letters, `USD`.
    public init(code: some StringProtocol) throws(InvalidValue) {
        guard let position = CurrencyRow.positions[String(code)] else {
            throw InvalidValue(
                .unknown, subject: "currency", value: code, rule: "is a code of ISO 4217, three capital letters")
        }
        self.init(position: position)
    }

    /// A currency by its numeric code, 840 for the dollar of the United States; nil if there is none.
    public init?(numericCode: Int) {
        guard let position = CurrencyRow.positionsByNumber[numericCode] else { return nil }
        self.init(position: position)
    }

    private var row: CurrencyRow { CurrencyRow.all[Int(position)] }

    /// The code of three capital letters.
    public var code: String { row.code }
    /// The numeric code, 1 to 999.
    public var numericCode: Int { row.numericCode }
    /// How many decimal digits the minor unit has: 2 for cents, 0 for yen; nil where there are no minor units, as for
    /// gold.
    public var minorUnitDigits: Int? { row.minorUnitDigits }
    /// The name in English.
    public var name: String { row.name }
    /// Whether the code is no longer in use, so prices cannot have it.
    public var isWithdrawn: Bool { row.isWithdrawn }

    /// Every currency: the current ones in order of their codes, then the withdrawn ones.
    public static let all: [Currency] = CurrencyRow.all.indices.map(Currency.init(position:))

    /// The dollar of the United States.
    public static let usd = listed("USD")
    /// The euro.
    public static let eur = listed("EUR")
    /// The pound sterling.
    public static let gbp = listed("GBP")
    /// The Japanese yen, which has no smaller unit.
    public static let jpy = listed("JPY")
    /// The yuan renminbi.
    public static let cny = listed("CNY")
    /// No currency at all.
    public static let noCurrency = listed("XXX")

    /// A code that is in the table, as a test checks; the first row otherwise.
    private static func listed(_ code: String) -> Currency {
        Currency(position: CurrencyRow.positions[code] ?? 0)
    }
}

extension Currency: LosslessStringConvertible, Codable {
    /// A currency by its code; nil if there is none.
    public init?(_ description: String) {
        guard let currency = try? Currency(code: description) else { return nil }
        self = currency
    }

    /// The code of three capital letters.
    public var description: String { code }

    /// Reads the code.
    public init(from decoder: any Decoder) throws {
        let code = try decoder.singleValueContainer().decode(String.self)
        do {
            try self.init(code: code)
        } catch {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Writes the code.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

/// One row of ``CurrencyTable``.
struct CurrencyRow: Sendable {
    let code: String
    let numericCode: Int
    let minorUnitDigits: Int?
    let name: String
    let isWithdrawn: Bool

    /// Every row: the current codes in order, then the withdrawn ones.
    static let all: [CurrencyRow] =
        parse(CurrencyTable.current, isWithdrawn: false) + parse(CurrencyTable.withdrawn, isWithdrawn: true)

    /// The position of each row by its code.
    static let positions: [String: Int] = Dictionary(
        all.enumerated().map { ($0.element.code, $0.offset) }, uniquingKeysWith: { first, _ in first })

    /// The position of each row by its numeric code.
    static let positionsByNumber: [Int: Int] = Dictionary(
        all.enumerated().map { ($0.element.numericCode, $0.offset) }, uniquingKeysWith: { first, _ in first })

    /// Reads rows of code, number, digits and name; a row of another form would be left out, and a test counts them.
    private static func parse(_ table: String, isWithdrawn: Bool) -> [CurrencyRow] {
        table.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 3)
            guard parts.count == 4, let number = Int(parts[1]) else { return nil }
            return CurrencyRow(
                code: String(parts[0]), numericCode: number, minorUnitDigits: Int(parts[2]), name: String(parts[3]),
                isWithdrawn: isWithdrawn)
        }
    }
}
