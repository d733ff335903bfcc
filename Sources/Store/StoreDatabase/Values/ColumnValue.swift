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

extension Int64: ColumnValue {
    @inlinable package var databaseValue: DatabaseValue { .integer(self) }

    @inlinable package init(databaseValue: DatabaseValue) throws {
        guard case .integer(let number) = databaseValue else {
            throw DatabaseError.unexpected(databaseValue, insteadOf: "a number")
        }
        self = number
    }
}

extension Int: ColumnValue {
    @inlinable package var databaseValue: DatabaseValue { .integer(Int64(self)) }

    @inlinable package init(databaseValue: DatabaseValue) throws {
        self = Int(try Int64(databaseValue: databaseValue))
    }
}

/// Kept as 0 and 1, so that both engines compare it alike: `WHERE is_active = 1`.
extension Bool: ColumnValue {
    @inlinable package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

    @inlinable package init(databaseValue: DatabaseValue) throws {
        switch databaseValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw DatabaseError.unexpected(databaseValue, insteadOf: "0 or 1")
        }
    }
}

extension String: ColumnValue {
    @inlinable package var databaseValue: DatabaseValue { .text(self) }

    @inlinable package init(databaseValue: DatabaseValue) throws {
        guard case .text(let text) = databaseValue else {
            throw DatabaseError.unexpected(databaseValue, insteadOf: "a text")
        }
        self = text
    }
}

extension [UInt8]: ColumnValue {
    @inlinable package var databaseValue: DatabaseValue { .bytes(self) }

    @inlinable package init(databaseValue: DatabaseValue) throws {
        guard case .bytes(let bytes) = databaseValue else {
            throw DatabaseError.unexpected(databaseValue, insteadOf: "bytes")
        }
        self = bytes
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    @inlinable package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

    @inlinable package init(databaseValue: DatabaseValue) throws {
        if case .null = databaseValue {
            self = nil
        } else {
            self = try Wrapped(databaseValue: databaseValue)
        }
    }
}
