import CSQLite
import StoreSQLite

extension SQLiteError {
    /// Whether the whole transaction, not just the statement, may be gone: no room, no disk, no memory, interrupted.
    var mayEndTransaction: Bool {
        [SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_INTERRUPT].contains(primaryCode)
    }
}

extension DatabaseError {
    /// What an error of SQLite means.
    init(_ error: SQLiteError, on connection: SQLiteConnection) {
        let code = Code(error)
        var constraint: String?
        let subject = error.message.split(separator: "constraint failed: ", maxSplits: 1).last.map(String.init)
        if code == .uniqueViolation, let subject { constraint = connection.uniqueConstraint(on: subject) }
        if code == .checkViolation { constraint = subject }
        let isRetryable = [.busy, .full, .inputOutput, .outOfMemory, .interrupted].contains(code)
        self.init(code, "\(error)", constraint: constraint, isRetryable: isRetryable)
    }

    /// What an error means that occurred while a database was opened.
    init(opening error: SQLiteError) {
        let code = Code(error)
        self.init(code, "the database cannot be opened: \(error)", isRetryable: code == .busy)
    }

    /// What an error means that occurred outside of any transaction of ours.
    init(_ error: SQLiteError) {
        self.init(Code(error), "\(error)", isRetryable: Code(error) == .busy)
    }
}

extension DatabaseError.Code {
    fileprivate init(_ error: SQLiteError) {
        self =
            switch error.primaryCode {
            case SQLITE_CONSTRAINT: Self(constraint: error.code)
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL, SQLITE_TOOBIG: .full
            case SQLITE_IOERR: .inputOutput
            case SQLITE_NOMEM: .outOfMemory
            case SQLITE_INTERRUPT: .interrupted
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_READONLY: .readOnly
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .unavailable
            case SQLITE_MISMATCH: .unexpectedValue
            default: .statement
            }
    }

    /// SQLite numbers the kinds of constraint in the second byte of its code.
    private init(constraint code: Int32) {
        self =
            switch code >> 8 {
            case 6, 8, 10: .uniqueViolation  // of a primary key, an index, a row number
            case 3: .foreignKeyViolation
            case 5: .notNullViolation
            case 12: .unexpectedValue  // a column of another type
            default: .checkViolation
            }
    }
}

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
