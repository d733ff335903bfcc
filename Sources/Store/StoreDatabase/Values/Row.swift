/// One row of a query, valid until the closure that reads it returns.
package struct Row {
    private let source: any RowSource
    private let columnCount: Int

    package init(_ source: any RowSource) {
        self.source = source
        columnCount = source.columnCount
    }

    /// The cell in a column, the first being 0.
    package func value<Value: ColumnValue>(_ column: Int, as type: Value.Type = Value.self) throws -> Value {
        guard column >= 0, column < columnCount else {
            throw DatabaseError(.unexpectedValue, "a row has no column \(column) but \(columnCount) columns")
        }
        do {
            return try Value(databaseValue: try source.databaseValue(at: column))
        } catch let error as DatabaseError where error.code == .unexpectedValue {
            throw DatabaseError(.unexpectedValue, "column \(column) of a row: \(error.message)")
        }
    }
}

/// Where a driver has the row it is at.
package protocol RowSource: AnyObject {
    var columnCount: Int { get }

    /// The cell in a column of the row; throws if it holds what no ``DatabaseValue`` can be.
    func databaseValue(at column: Int) throws -> DatabaseValue
}
