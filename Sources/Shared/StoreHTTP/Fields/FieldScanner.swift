/// Reads the value of a field from left to right.
struct FieldScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    mutating func skip() { position = min(position + 1, bytes.count) }

    /// Skips one character, if it is next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// A token; nil if none begins here.
    mutating func token() -> String? {
        let start = position
        while let byte = next, HTTPToken.isTokenByte(byte) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// A quoted string, without its quotation marks; nil if none begins here or it does not end.
    private mutating func quotedString() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = next else { return nil }
            position += 1
            text.append(escaped)
        }
        return nil
    }

    /// All `; name=value`, names in lower case; nil if something else follows a semicolon.
    mutating func parameters() -> [FieldParameter]? {
        var found: [FieldParameter] = []
        while true {
            skipSpace()
            guard take(";") else { return found }
            skipSpace()
            // A semicolon at the end is accepted.
            if isAtEnd || next == UInt8(ascii: ",") { return found }
            guard found.count < HTTPLimits.fieldParameters, let name = token(), take("="),
                let value = next == UInt8(ascii: "\"") ? quotedString() : token()
            else { return nil }
            found.append(FieldParameter(name: name.lowercased(), value: value))
        }
    }
}

/// A parameter of a field: `charset=utf-8`.
package struct FieldParameter: Hashable, Sendable {
    package let name: String
    package let value: String
}
