import StoreSQLite

/// The row that a statement stands on.
final class SQLiteRow: RowSource {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    var columnCount: Int { statement.columnCount }

    func databaseValue(at column: Int) throws -> DatabaseValue {
        switch statement.value(at: column) {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .text(let text): return .text(text)
        case .bytes(let bytes): return .bytes(bytes)
        case nil:
            throw DatabaseError(.unexpectedValue, "it holds a floating-point number, which no value of ours is")
        }
    }

    func holds(_ text: String, at column: Int) -> Bool { statement.holds(text, at: column) }
}

extension SQLiteStatement {
    /// Gives every parameter its value; `$1` is the first.
    func bindAll(_ values: [DatabaseValue]) throws {
        try requireParameters(values.count)
        for (index, value) in values.enumerated() {
            switch value {
            case .null: try bind(.null, to: index)
            case .integer(let number): try bind(.integer(number), to: index)
            case .text(let text): try bind(.text(text), to: index)
            case .bytes(let bytes): try bind(.bytes(bytes), to: index)
            }
        }
    }
}
