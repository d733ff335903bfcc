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
