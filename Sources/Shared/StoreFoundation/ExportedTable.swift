/// A table for a spreadsheet, as RFC 4180 has it: rows of fields between commas, in UTF-8, each ended by CR and LF.
package struct ExportedTable: Hashable, Sendable {
    package let columns: [String]
    package private(set) var rows: [[String]]

    package init(_ columns: [String], rows: [[String]] = []) {
        self.columns = columns
        self.rows = rows
    }

    /// The heading and all rows.
    package var text: String { ([columns] + rows).map(Self.line).joined() }

    /// A row, ended by CR and LF.
    package static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\r\n" }

    /// A field as it stands in a row.
    ///
    /// Spreadsheets take a text for a formula that begins with one of a few marks, and what customers and developers write would
    /// be carried out where somebody opens the table. An apostrophe before it keeps it a text. A number is none, even a negative
    /// one.
    package static func field(_ text: String) -> String {
        let safe = startsFormula(text) && !isNumber(text) ? "'" + text : text
        guard safe.utf8.contains(where: { special.contains($0) }) || safe.first == " " || safe.last == " " else {
            return safe
        }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }

    private static let special = Set(#"",;"#.utf8 + [0x0A, 0x0D, 0x09])
    /// Marks of formulas, the wide ones of East Asian keyboards too, and what spreadsheets pass over before them.
    private static let marks: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "＝", "＋", "－", "＠"]

    private static func startsFormula(_ text: String) -> Bool {
        guard let first = text.first else { return false }
        return marks.contains(first) || text.first(where: { !isPassedOver($0) }).map(marks.contains) ?? false
    }

    /// Whether a spreadsheet may pass over a character at the beginning of a cell: spaces of every width, and what is not seen.
    private static func isPassedOver(_ character: Character) -> Bool {
        character.isWhitespace || character.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.first == "-" ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
