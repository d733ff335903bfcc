/// What a cell holds. There are no floating-point numbers: nothing of ours is measured in them.
package enum SQLiteValue: Hashable, Sendable {
    // Closed: these are the kinds of value that SQLite has, but for floating-point numbers.
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}
