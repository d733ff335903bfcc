import CSQLite
import Glibc

/// A prepared statement and the row it stands on.
///
/// Parameters are written `$1`, `$2`… as PostgreSQL has them. SQLite takes these for names and numbers them as they come
/// first, so they are bound by name here.
package final class SQLiteStatement {
    private let handle: OpaquePointer
    /// Where SQLite has the parameters `$1`, `$2`….
    private let positions: [Int32]
    // The connection must not be closed before its statements are.
    private let connection: SQLiteConnection

    /// How many columns each row has; none if the statement gives no rows.
    package let columnCount: Int

    init(_ text: String, on connection: SQLiteConnection) throws {
        self.connection = connection
        handle = try Self.prepared(text, on: connection)
        columnCount = Int(sqlite3_column_count(handle))
        do {
            positions = try Self.positions(in: handle)
        } catch {
            sqlite3_finalize(handle)
            throw error
        }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    private static func prepared(_ text: String, on connection: SQLiteConnection) throws -> OpaquePointer {
        var (text, handle): (String, OpaquePointer?) = (text, nil)
        let (code, rest) = text.withUTF8 { bytes in
            var tail: UnsafePointer<CChar>?
            return bytes.withMemoryRebound(to: CChar.self) { text in
                let code = sqlite3_prepare_v3(
                    connection.handle, text.baseAddress, Int32(clamping: text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
                let used = tail.flatMap { end in text.baseAddress.map { end - $0 } } ?? text.count
                return (code, text[used...].contains { !isSpace($0) })
            }
        }
        guard code == SQLITE_OK else { throw SQLiteError(code: code, on: connection.handle) }
        guard let handle, !rest else {
            sqlite3_finalize(handle)
            throw SQLiteError(code: SQLITE_MISUSE, message: "a prepared text is exactly one statement")
        }
        return handle
    }

    private static func isSpace(_ character: CChar) -> Bool {
        [0x20, 0x0A, 0x3B].contains(character)
    }

    private static func positions(in handle: OpaquePointer) throws -> [Int32] {
        let count = sqlite3_bind_parameter_count(handle)
        return try (0..<count).map { index in
            let position = sqlite3_bind_parameter_index(handle, "$\(index + 1)")
            guard position > 0 else {
                throw SQLiteError(
                    code: SQLITE_MISUSE, message: "a statement with \(count) parameters has $1 to $\(count)")
            }
            return position
        }
    }

    /// Whether the statement changes nothing in the database.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Gives every parameter its value; `$1` is the first.
    package func bind(_ values: [SQLiteValue]) throws {
        try requireParameters(values.count)
        for (index, value) in values.enumerated() { try bind(value, to: index) }
    }

    /// Throws unless the statement has so many parameters.
    package func requireParameters(_ count: Int) throws {
        guard count == positions.count else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "\(count) values for \(positions.count) parameters")
        }
    }

    /// Gives one parameter its value; `$1` has the index 0.
    package func bind(_ value: SQLiteValue, to index: Int) throws {
        try connection.check(bind(value, at: positions[index]))
    }

    private func bind(_ value: SQLiteValue, at position: Int32) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, position)
        case .integer(let number):
            return sqlite3_bind_int64(handle, position, number)
        case .text(var text):
            // An empty text may have no address, which SQLite would take for no value.
            guard !text.isEmpty else { return till_sqlite_bind_text(handle, position, "", 0) }
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    till_sqlite_bind_text(handle, position, $0.baseAddress, UInt64($0.count))
                }
            }
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, position, 0) }
            return bytes.withUnsafeBytes {
                till_sqlite_bind_bytes(handle, position, $0.baseAddress, UInt64($0.count))
            }
        }
    }

    /// Goes to the next row; false after the last.
    package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw SQLiteError(code: code, on: connection.handle)
        }
    }

    /// Makes the statement ready for other values, whatever came of the last ones.
    package func reset() {
        // The error that step() has thrown is given once more here.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// The cell of the current row at a position, the first being 0; nil for a floating-point number.
    package func value(at column: Int) -> SQLiteValue? {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, Int32(column)))
        case SQLITE_TEXT:
            .text(String(decoding: cell(column, sqlite3_column_text(handle, Int32(column))), as: UTF8.self))
        case SQLITE_BLOB: .bytes(Array(cell(column, sqlite3_column_blob(handle, Int32(column)))))
        default: nil
        }
    }

    /// Whether the cell of the current row at a position holds exactly this text.
    package func holds(_ text: String, at column: Int) -> Bool {
        guard sqlite3_column_type(handle, Int32(column)) == SQLITE_TEXT else { return false }
        let cell = cell(column, sqlite3_column_text(handle, Int32(column)))
        return text.utf8.withContiguousStorageIfAvailable { text in
            guard text.count == cell.count else { return false }
            guard let (text, start) = text.baseAddress.flatMap({ text in cell.baseAddress.map { (text, $0) } }) else {
                return true
            }
            return memcmp(text, start, cell.count) == 0
        } ?? text.utf8.elementsEqual(cell)
    }

    /// The memory of a cell, valid until the next step.
    private func cell(_ column: Int, _ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column))))
    }
}

/// What a cell holds. There are no floating-point numbers: nothing of ours is measured in them.
package enum SQLiteValue: Hashable, Sendable {
    // Closed: these are the kinds of value that SQLite has, but for floating-point numbers.
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}
