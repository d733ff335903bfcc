import StoreDatabase

/// Reads a text of a column that many rows after one another have in common: it is made into a value once for all of them.
struct RepeatedValue<Value: ColumnValue> {
    private var text = ""
    private var value: Value?

    /// The cell in a column of a row.
    mutating func read(_ row: Row, _ column: Int) throws -> Value {
        if let value, row.holds(text, at: column) { return value }
        let read = try row.value(column, as: Value.self)
        if case .text(let text) = read.databaseValue { (self.text, value) = (text, read) }
        return read
    }
}
