/// A value that fits into one column.
@usableFromInline
package protocol ColumnValue {
    /// The value as the database keeps it.
    var databaseValue: DatabaseValue { get }

    /// Reads what the database has kept; throws a `DatabaseError` of code `unexpectedValue` if it is something else.
    init(databaseValue: DatabaseValue) throws
}

extension DatabaseValue: ColumnValue {
    @inlinable package var databaseValue: DatabaseValue { self }
    @inlinable package init(databaseValue: DatabaseValue) { self = databaseValue }
}

extension DatabaseError {
    /// For a cell that holds something else than `expected`.
    @usableFromInline
    package static func unexpected(_ value: DatabaseValue, insteadOf expected: String) -> DatabaseError {
        DatabaseError(.unexpectedValue, "a column holds \(value.kind) instead of \(expected)")
    }
}
