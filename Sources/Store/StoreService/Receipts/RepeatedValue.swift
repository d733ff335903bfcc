import StoreDatabase

/// Reads a text of a column that many rows after one another have in common: it is made into a value once for all of them.
struct RepeatedValue<Value: ColumnValue> {
    private var text = ""
    private var value: Value?

    /// The next cell of a row.
    mutating func read(_ cells: inout RowCells) throws -> Value {
        if let value, cells.skip(ifHolding: text) { return value }
        let read = try cells.next(as: Value.self)
        if case .text(let text) = read.databaseValue { (self.text, value) = (text, read) }
        return read
    }
}
