/// One row of a query, valid until the closure that reads it returns.
@usableFromInline
package struct Row {
    @usableFromInline let source: any RowSource
    @usableFromInline let columnCount: Int

    package init(_ source: any RowSource) {
        self.source = source
        columnCount = source.columnCount
    }

    /// The cell in a column, the first being 0.
    @inlinable
    package func value<Value: ColumnValue>(_ column: Int, as type: Value.Type = Value.self) throws -> Value {
        guard column >= 0, column < columnCount else { throw missing(column) }
        do {
            return try Value(databaseValue: try source.databaseValue(at: column))
        } catch {
            throw Self.place(error, at: column)
        }
    }

    @usableFromInline
    func missing(_ column: Int) -> DatabaseError {
        DatabaseError(.unexpectedValue, "a row has no column \(column) but \(columnCount) columns")
    }

    /// Says of an error about a value in which column it is.
    @usableFromInline
    static func place(_ error: any Error, at column: Int) -> any Error {
        guard let error = error as? DatabaseError, error.code == .unexpectedValue else { return error }
        return DatabaseError(.unexpectedValue, "column \(column) of a row: \(error.message)")
    }

    /// Whether the cell in a column holds exactly this text.
    package func holds(_ text: String, at column: Int) -> Bool {
        column >= 0 && column < columnCount && source.holds(text, at: column)
    }

    /// The cells from the first on.
    @inlinable package var cells: RowCells { RowCells(self) }
}

/// Reads a row from left to right, in the order in which its statement names the columns:
///
/// ```swift
/// static let columns: SQL = "id, price, currency, removed_at"
///
/// init(_ row: Row) throws {
///     var cells = row.cells
///     id = try cells.next()
///     price = try cells.nextMoney()
///     removedAt = try cells.next()
/// }
/// ```
///
/// What reads a part of a row takes the cells as `inout`; what follows goes on behind it.
@usableFromInline
package struct RowCells {
    @usableFromInline let row: Row
    @usableFromInline var column = 0

    @inlinable
    init(_ row: Row) {
        self.row = row
    }

    /// The next cell. A NULL is an error unless the value is an optional.
    @inlinable
    package mutating func next<Value: ColumnValue>(as type: Value.Type = Value.self) throws -> Value {
        let value = try row.value(column, as: type)
        column += 1
        return value
    }

    /// The next cell, which holds a word of a closed list. Any other is an error.
    package mutating func nextWord<Word: RawRepresentable>(as type: Word.Type = Word.self) throws -> Word
    where Word.RawValue == String {
        let text = try next(as: String.self)
        guard let word = Word(rawValue: text) else {
            throw DatabaseError(.unexpectedValue, "\(type) does not know the word \(text)")
        }
        return word
    }

    /// Whether the next cell holds exactly this text; goes on only if it does.
    package mutating func skip(ifHolding text: String) -> Bool {
        guard row.holds(text, at: column) else { return false }
        column += 1
        return true
    }

    /// Passes cells that are not needed.
    @inlinable
    package mutating func skip(_ count: Int = 1) {
        column += count
    }
}

/// Where a driver has the row it is at.
@usableFromInline
package protocol RowSource: AnyObject {
    var columnCount: Int { get }

    /// The cell in a column of the row; throws if it holds what no ``DatabaseValue`` can be.
    func databaseValue(at column: Int) throws -> DatabaseValue

    /// Whether a cell of the row holds exactly this text.
    func holds(_ text: String, at column: Int) -> Bool
}
