import Testing

@testable import StoreDatabase

/// A kind of row, and two rows of it that differ in every column, and whose columns differ from each other.
///
/// Values come from the types of the columns; those that have rules are named.
struct RowExample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (any WriteTransaction) throws -> Void

    /// - Parameters:
    ///   - selection: the query that `read` reads a row of; nil for the columns of the table.
    ///   - special: the values of columns that hold no number, text or bytes of any kind: those of the first and the second.
    ///   - derived: columns that are made of others, and not read.
    init<Record: Hashable & Sendable>(
        _ table: RowTable<Record>, selection: SQL? = nil, special: [String: [DatabaseValue]] = [:],
        derived: Set<String> = [], read: @escaping @Sendable (Row) throws -> Record
    ) {
        let rows = RowRoundTrip(
            table: table, selection: selection ?? "SELECT \(table.columns) FROM \(table.name)", special: special,
            derived: derived, read: read)
        testDescription = table.name.text(for: .sqlite)
        check = { try rows.check(in: $0) }
    }
}

private struct RowRoundTrip<Record: Hashable & Sendable>: Sendable {
    let table: RowTable<Record>
    let selection: SQL
    let special: [String: [DatabaseValue]]
    let derived: Set<String>
    let read: @Sendable (Row) throws -> Record

    func check(in transaction: any WriteTransaction) throws {
        let types = try types(in: transaction)
        let names = table.all.map { $0.name.text(for: .sqlite) }
        // The list has each column of the table, once.
        #expect(names.sorted() == types.keys.sorted())
        let rows = (0...1).map { index in
            names.enumerated().map { value(of: $1, type: types[$1], number: 1000 * (index + 1) + $0, row: index) }
        }
        // Were two columns written or read as each other, one of the rows would not come back.
        let columns = names.indices.map { column in rows.map { $0[column] } }
        #expect(Set(columns).count == columns.count, "\(names)")
        let records = try rows.map { row in
            let record = try self.record(of: row, in: transaction)
            try transaction.execute("DELETE FROM \(table.name)")
            try transaction.insert(record, into: table)
            try expect(row, names, in: transaction)
            #expect(try transaction.one(selection, row: read) == record)
            try transaction.execute("DELETE FROM \(table.name)")
            return record
        }
        guard !table.changing.isEmpty else { return }
        // What changes is that of the second, all else that of the first.
        let mixed = table.all.enumerated().map { index, column in
            rows[[.changing, .version].contains(column.role) ? 1 : 0][index]
        }
        try transaction.insert(records[0], into: table)
        try transaction.update(records[1], from: records[0], in: table)
        try expect(mixed, names, in: transaction)
    }

    private func record(of row: [DatabaseValue], in transaction: any WriteTransaction) throws -> Record {
        try transaction.execute(table.insertion, binding: row)
        return try transaction.one(selection, row: read)
    }

    /// The types of the columns of the table, by their names.
    private func types(in transaction: any ReadTransaction) throws -> [String: String] {
        let pairs = try transaction.query("SELECT name, type FROM pragma_table_info('\(table.name)')") { row in
            try (row.value(0, as: String.self), row.value(1, as: String.self))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func value(of name: String, type: String?, number: Int, row: Int) -> DatabaseValue {
        if let special = special[name] { return special[row] }
        return switch type {
        case "TEXT": .text("text-\(number)")
        case "BLOB": .bytes([UInt8(number / 256), UInt8(number % 256)])
        default: .integer(Int64(number))
        }
    }

    private func expect(_ row: [DatabaseValue], _ names: [String], in transaction: any ReadTransaction) throws {
        let found = try transaction.one("SELECT \(table.columns) FROM \(table.name)") { row in
            try names.indices.map { try row.value($0, as: DatabaseValue.self) }
        }
        for (index, name) in names.enumerated() where !derived.contains(name) {
            #expect(found[index] == row[index], "\(table.name.text(for: .sqlite)).\(name)")
        }
    }
}
