/// What a cell holds, in either engine.
@usableFromInline
package enum DatabaseValue: Hashable, Sendable {
    // Closed: these are the kinds of value that both engines share, but for floating-point numbers.
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// What kind of value this is, for messages.
    package var kind: String {
        switch self {
        case .null: "no value"
        case .integer: "a number"
        case .text: "a text"
        case .bytes: "bytes"
        }
    }
}

extension DatabaseValue {
    /// Throws if one of the engines could not keep the value.
    package func check(_ limits: DatabaseLimits) throws {
        switch self {
        case .null, .integer:
            return
        case .text(let text):
            try requireRoom(for: text.utf8.count, limits)
            guard !text.utf8.contains(0) else {
                throw DatabaseError(.textNotStorable, "a text with U+0000 cannot be stored")
            }
        case .bytes(let bytes):
            try requireRoom(for: bytes.count, limits)
        }
    }

    private func requireRoom(for count: Int, _ limits: DatabaseLimits) throws {
        guard count <= limits.bytesPerValue else {
            throw DatabaseError(
                .unexpectedValue, "a value of \(count) bytes cannot be stored; the limit is \(limits.bytesPerValue)")
        }
    }
}
