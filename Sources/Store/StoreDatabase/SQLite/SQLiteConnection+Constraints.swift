import StoreSQLite

extension SQLiteConnection {
    /// The name of a unique constraint by what SQLite calls it: its columns, `table.one, table.two`, or `index 'name'`.
    ///
    /// It is the name that PostgreSQL would give: that of the index, or one made of the table and its columns.
    func uniqueConstraint(on subject: String) -> String? {
        if subject.hasPrefix("index '") { return String(subject.dropFirst(7).dropLast()) }
        let cells = subject.split(separator: ", ").map { $0.split(separator: ".", maxSplits: 1) }
        guard let table = cells.first?.first, cells.allSatisfy({ $0.count == 2 }) else { return nil }
        let columns = cells.map { String($0[1]) }
        guard let index = try? uniqueIndex(on: columns, of: String(table)) else {
            // A key of one number has no index of its own.
            return "\(table)_pkey"
        }
        switch index.origin {
        case "pk": return "\(table)_pkey"
        case "u": return "\(table)_\(columns.joined(separator: "_"))_key"
        default: return index.name
        }
    }

    private func uniqueIndex(on columns: [String], of table: String) throws -> (name: String, origin: String)? {
        let statement = try prepare(
            """
            SELECT name, origin FROM pragma_index_list($1) AS list WHERE "unique" = 1 AND $2 = (
                SELECT group_concat(name, ',') FROM (
                    SELECT info.name AS name FROM pragma_index_info(list.name) AS info ORDER BY seqno))
            """)
        try statement.bind([.text(table), .text(columns.joined(separator: ","))])
        guard try statement.step(), case .text(let name)? = statement.value(at: 0),
            case .text(let origin)? = statement.value(at: 1)
        else { return nil }
        return (name, origin)
    }
}
