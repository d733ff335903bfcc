/// Values of a row, each with the name of its column: for rows that no type stands for. See ``RowTable`` for those of a type.
///
/// ```swift
/// try transaction.insert(into: "family_member", ["customer_id": customer, "family_id": family, "role": role.rawValue])
/// ```
package struct RowValues: ExpressibleByDictionaryLiteral, Sendable {
    private(set) var names: [SQL]
    private(set) var values: [DatabaseValue]

    package init(dictionaryLiteral values: (SQL, any ColumnValue)...) {
        names = values.map(\.0)
        self.values = values.map(\.1.databaseValue)
    }

    /// The values of some columns of a record.
    package init<Record>(_ record: Record, _ columns: Columns<Record>) {
        names = columns.list.map(\.name)
        values = columns.list.map { $0.value(record) }
    }

    /// All values of both.
    package static func + (first: RowValues, second: RowValues) -> RowValues {
        var all = first
        all.names += second.names
        all.values += second.values
        return all
    }
}

extension WriteTransaction {
    /// Writes a new row.
    package func insert(into table: SQL, _ row: RowValues) throws {
        _ = try naming(table) { try execute(SQL.insertion(into: table, row.names), binding: row.values) }
    }

    /// Writes a new row unless there is one with its key; returns whether it did.
    package func insertIfNew(into table: SQL, _ row: RowValues) throws -> Bool {
        let statement = SQL.insertion(into: table, row.names) + " ON CONFLICT DO NOTHING"
        return try naming(table) { try execute(statement, binding: row.values) } == 1
    }

    /// Writes values into the row of a key, or a new row if there is none.
    ///
    /// - Parameters:
    ///   - key: all columns of a unique key of the table, with their values.
    ///   - more: what a new row has besides, which stays as it is in a row that is there.
    package func insertOrUpdate(_ table: SQL, _ row: RowValues, key: RowValues, new more: RowValues = [:]) throws {
        let all = key + row + more
        let statement = SQL.insertion(into: table, all.names) + SQL.update(row.names, onConflict: key.names)
        _ = try naming(table) { try execute(statement, binding: all.values) }
    }

    /// Writes a new row with the number after the last one, in the column `number`.
    ///
    /// - Parameter part: the rows that are numbered together; without it all of the table. Something else must keep two
    ///   from being written at once, or the second fails at the unique key.
    package func insertNumbered(into table: SQL, _ row: RowValues, within part: RowValues = [:]) throws {
        let all = part + row
        let statement = SQL.numberedInsertion(into: table, all.names, within: part.names)
        _ = try naming(table) { try execute(statement, binding: all.values) }
    }

    /// Writes values into every row that has others; returns how many there were.
    @discardableResult
    package func update(_ table: SQL, _ row: RowValues, where condition: RowValues) throws -> Int {
        let statement = SQL.update(table, row.names, where: condition.names)
        return try naming(table) { try execute(statement, binding: row.values + condition.values) }
    }

    /// Says of an error about a statement which table it was to write to.
    func naming<Result>(_ table: SQL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError where error.code == .statement {
            throw DatabaseError(.statement, "a row of \(table.text(for: engine)) cannot be written: \(error.message)")
        }
    }
}

extension SQL {
    static func insertion(into table: SQL, _ columns: [SQL]) -> SQL {
        var text = StringInterpolation(literalCapacity: 0, interpolationCount: 2 * columns.count + 4)
        text.appendLiteral("INSERT INTO ")
        text.appendInterpolation(table)
        text.appendLiteral(" (")
        text.append(columns, separator: ", ") { text, name, _ in text.appendInterpolation(name) }
        text.appendLiteral(") VALUES (")
        text.appendParameters(1...max(columns.count, 1))
        text.appendLiteral(")")
        return SQL(stringInterpolation: text)
    }

    /// What follows an insertion, for the row that is there.
    static func update(_ columns: [SQL], onConflict key: [SQL]) -> SQL {
        var text = StringInterpolation(literalCapacity: 0, interpolationCount: 4 * columns.count + 2 * key.count)
        text.appendLiteral(" ON CONFLICT (")
        text.append(key, separator: ", ") { text, name, _ in text.appendInterpolation(name) }
        text.appendLiteral(") DO UPDATE SET ")
        text.append(columns, separator: ", ") { text, name, _ in
            text.appendInterpolation(name)
            text.appendLiteral(" = excluded.")
            text.appendInterpolation(name)
        }
        return SQL(stringInterpolation: text)
    }

    /// The columns of the part are the first.
    static func numberedInsertion(into table: SQL, _ columns: [SQL], within part: [SQL]) -> SQL {
        var text = StringInterpolation(literalCapacity: 0, interpolationCount: 2 * columns.count + 4 * part.count + 8)
        text.appendLiteral("INSERT INTO ")
        text.appendInterpolation(table)
        text.appendLiteral(" (")
        text.append(columns, separator: ", ") { text, name, _ in text.appendInterpolation(name) }
        text.appendLiteral(", number) SELECT ")
        text.appendParameters(1...columns.count)
        text.appendLiteral(", coalesce(max(number), 0) + 1 FROM ")
        text.appendInterpolation(table)
        if !part.isEmpty {
            text.appendLiteral(" WHERE ")
            text.append(part, separator: " AND ") { $0.appendEquation($1, $2 + 1) }
        }
        return SQL(stringInterpolation: text)
    }

    /// The parameters of the condition follow those of what is written.
    static func update(_ table: SQL, _ columns: [SQL], where condition: [SQL]) -> SQL {
        var text = StringInterpolation(literalCapacity: 0, interpolationCount: 4 * (columns.count + condition.count))
        text.appendLiteral("UPDATE ")
        text.appendInterpolation(table)
        text.appendLiteral(" SET ")
        text.append(columns, separator: ", ") { $0.appendEquation($1, $2 + 1) }
        text.appendLiteral(" WHERE ")
        text.append(condition, separator: " AND ") { $0.appendEquation($1, columns.count + $2 + 1) }
        return SQL(stringInterpolation: text)
    }
}

extension SQL.StringInterpolation {
    fileprivate mutating func append(
        _ names: [SQL], separator: StaticString, _ each: (inout SQL.StringInterpolation, SQL, Int) -> Void
    ) {
        for (index, name) in names.enumerated() {
            if index > 0 { appendLiteral(separator) }
            each(&self, name, index)
        }
    }

    fileprivate mutating func appendEquation(_ name: SQL, _ parameter: Int) {
        appendInterpolation(name)
        appendLiteral(" = ")
        appendParameters(parameter...parameter)
    }
}
