/// A table of texts separated by commas, as RFC 4180 has it, and as spreadsheets write it: semicolons or tabs between the values
/// where their country writes 1,99, a mark of the byte order at the beginning, any ends of lines.
package struct CSVTable: Hashable, Sendable {
    /// A row below the heading.
    package struct Row: Hashable, Sendable {
        /// The line of the file on which it begins, from 1.
        package let line: Int
        fileprivate let values: [String: String]

        /// The value below a heading; empty where the row is shorter, nil where there is no such column.
        package subscript(column: String) -> String? { values[column] }
    }

    /// Why a file is no table.
    package struct Flaw: Error, Hashable, Sendable {
        package let line: Int
        /// One sentence about the file, without its full stop.
        package let rule: String
    }

    /// The names of the columns.
    package let columns: [String]
    package let rows: [Row]
    /// What is between the values.
    package let separator: Character

    /// - Parameter limit: the rows that it may have.
    package init(_ bytes: [UInt8], limit: Int) throws(Flaw) {
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Flaw(line: 1, rule: "it is not UTF-8")
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let heading = text.prefix { !$0.isNewline }
        separator =
            ([",", ";", "\t"] as [Character]).max { one, other in
                heading.count { $0 == one } < heading.count { $0 == other }
            } ?? ","
        var records = try Self.records(of: text, separator, limit: limit + 1)
        guard !records.isEmpty else { throw Flaw(line: 1, rule: "it is empty") }
        let columns = records.removeFirst().values.map { $0.trimmed.lowercased() }
        guard Set(columns).count == columns.count else { throw Flaw(line: 1, rule: "two columns have one name") }
        self.columns = columns
        var rows: [Row] = []
        for record in records {
            guard record.values.count <= columns.count else {
                throw Flaw(
                    line: record.line, rule: "the row has \(record.values.count) values, the heading \(columns.count)")
            }
            let empty = Array(repeating: "", count: columns.count - record.values.count)
            rows.append(
                Row(line: record.line, values: Dictionary(uniqueKeysWithValues: zip(columns, record.values + empty))))
        }
        self.rows = rows
    }
}

extension CSVTable {
    private typealias Record = (line: Int, values: [String])

    private static func records(
        of text: String, _ separator: Character, limit: Int
    ) throws(Flaw) -> [Record] {
        var records: [Record] = []
        var reader = Reader(text, separator)
        while let record = try reader.next() {
            // Empty lines say nothing.
            if record.values == [""] { continue }
            guard records.count < limit else {
                throw Flaw(line: record.line, rule: "it has more than \(limit - 1) rows")
            }
            records.append(record)
        }
        return records
    }

    /// Reads rows from the front of a text.
    private struct Reader {
        private var rest: Substring
        private let separator: Character
        private var line = 1

        init(_ text: String, _ separator: Character) {
            rest = Substring(text)
            self.separator = separator
        }

        mutating func next() throws(Flaw) -> Record? {
            guard !rest.isEmpty else { return nil }
            let start = line
            var values: [String] = []
            while true {
                values.append(try value())
                guard let character = rest.popFirst() else { return (start, values) }
                if character == separator { continue }
                line += 1
                return (start, values)
            }
        }

        /// One value, up to what separates it.
        private mutating func value() throws(Flaw) -> String {
            guard rest.first == "\"" else {
                let value = rest.prefix { $0 != separator && !$0.isNewline }
                rest = rest[value.endIndex...]
                return String(value)
            }
            let start = line
            var value = ""
            rest.removeFirst()
            while let character = rest.popFirst() {
                if character == "\"" {
                    guard rest.first == "\"" else {
                        guard rest.first.map({ $0 == separator || $0.isNewline }) ?? true else {
                            throw Flaw(line: line, rule: "there is something after a quotation mark")
                        }
                        return value
                    }
                    rest.removeFirst()
                }
                if character.isNewline { line += 1 }
                value.append(character)
            }
            throw Flaw(line: start, rule: "a quotation mark is not closed")
        }
    }
}

extension String {
    /// The same without spaces at its ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
