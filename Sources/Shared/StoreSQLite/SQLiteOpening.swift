import CSQLite

/// Which database a connection opens, and what it may do there.
package struct SQLiteOpening: Hashable, Sendable {
    package let path: String
    let flags: Int32

    /// A file that is read and written, and made if there is none.
    package static func file(_ path: String) -> SQLiteOpening {
        SQLiteOpening(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// A file that is there and is only read.
    package static func existing(_ path: String) -> SQLiteOpening {
        SQLiteOpening(path: path, flags: SQLITE_OPEN_READONLY)
    }

    /// A database of its own that lives in memory as long as the connection.
    package static let memory = SQLiteOpening(path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
}
