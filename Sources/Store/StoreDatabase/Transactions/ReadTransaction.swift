/// A view of one state of a database. It is over when the closure it was given to returns.
@usableFromInline
package protocol ReadTransaction: AnyObject {
    /// Which engine this is.
    var engine: DatabaseEngine { get }
    /// The limits of the database.
    var limits: DatabaseLimits { get }

    /// Runs a statement that gives rows, and hands each to `body`.
    ///
    /// An error that `body` throws ends the statement and is thrown on; the transaction goes on. An error of the
    /// statement itself ends the transaction: whatever follows in it fails with `transactionFailed`.
    func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws
}

extension ReadTransaction {
    /// Every row of a query, as `row` reads it. More rows than the limit are an error: ask for a page of them.
    @inlinable
    package func query<Value>(
        _ sql: SQL, _ values: any ColumnValue..., row: (Row) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try forEachRow(sql, binding: values.map(\.databaseValue)) { cells in
            try limits.requireRoom(forRowsBeside: found.count)
            found.append(try row(cells))
        }
        return found
    }

    /// Every row of a query that looks rows up by any number of keys, which are numbers: one statement, however many there are.
    ///
    /// ```swift
    /// let found = try transaction.query("SELECT id, email FROM customer WHERE id IN \(.numbers)", of: ids) {
    ///     try Customer($0)
    /// }
    /// ```
    ///
    /// - Parameter keys: bound to `$1`, which ``DialectPart/numbers`` reads; without any no statement is needed.
    package func query<Value>(
        _ sql: SQL, of keys: some Sequence<some ColumnValue>, _ values: any ColumnValue..., row: (Row) throws -> Value
    ) throws -> [Value] {
        let numbers = Set(keys.map(\.databaseValue)).map { key -> String in
            guard case .integer(let number) = key else { return "null" }
            return String(number)
        }
        guard !numbers.isEmpty else { return [] }
        var found: [Value] = []
        let list = DatabaseValue.text("[" + numbers.joined(separator: ",") + "]")
        try forEachRow(sql, binding: [list] + values.map(\.databaseValue)) { cells in
            try limits.requireRoom(forRowsBeside: found.count)
            found.append(try row(cells))
        }
        return found
    }

    /// The only row of a query, or nil if there is none. A second row is an error.
    @inlinable
    package func optional<Value>(
        _ sql: SQL, _ values: any ColumnValue..., row: (Row) throws -> Value
    ) throws -> Value? {
        try single(sql, values, row)
    }

    /// The only row of a query. None, or a second one, is an error.
    @inlinable
    package func one<Value>(_ sql: SQL, _ values: any ColumnValue..., row: (Row) throws -> Value) throws -> Value {
        guard let found = try single(sql, values, row) else {
            throw DatabaseError.noRow
        }
        return found
    }

    /// The first column of the only row: `try transaction.value("SELECT count(*) FROM purchase", as: Int.self)`.
    @inlinable
    package func value<Value: ColumnValue>(
        _ sql: SQL, _ values: any ColumnValue..., as type: Value.Type = Value.self
    ) throws -> Value {
        guard let found = try single(sql, values, { try $0.value(0, as: type) }) else {
            throw DatabaseError.noRow
        }
        return found
    }

    @inlinable
    func single<Value>(_ sql: SQL, _ values: [any ColumnValue], _ row: (Row) throws -> Value) throws -> Value? {
        var found: Value?
        try forEachRow(sql, binding: values.map(\.databaseValue)) { cells in
            guard found == nil else { throw DatabaseError.secondRow }
            found = .some(try row(cells))
        }
        return found
    }
}

extension DatabaseLimits {
    @usableFromInline
    func requireRoom(forRowsBeside count: Int) throws {
        guard count < rowsPerQuery else {
            throw DatabaseError(.tooManyRows, "a query gives more than \(rowsPerQuery) rows")
        }
    }
}

extension DatabaseError {
    @usableFromInline static let noRow = DatabaseError(.noSuchRow, "a query that must give a row gives none")
    @usableFromInline static let secondRow = DatabaseError(
        .tooManyRows, "a query that may give one row gives more")
}

/// A transaction in which one statement runs, and no second one.
final class SingleStatement: ReadTransaction {
    private let transaction: any ReadTransaction
    private var isUsed = false

    init(in transaction: any ReadTransaction) {
        self.transaction = transaction
    }

    var engine: DatabaseEngine { transaction.engine }
    var limits: DatabaseLimits { transaction.limits }

    func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws {
        guard !isUsed else { throw DatabaseError(.statement, "this look-up is of one statement only") }
        isUsed = true
        try transaction.forEachRow(sql, binding: values, body)
    }
}
