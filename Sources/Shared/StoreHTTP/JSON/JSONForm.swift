import Foundation

/// Checks that bytes are one JSON text in UTF-8, and one that every reader reads alike (RFC 8259): no name twice in an
/// object, and no deeper than a limit.
///
/// Foundation's decoder lets through what it is not asked for, guesses encodings, and takes the first of two members.
package struct JSONForm {
    /// What is wrong with a text.
    package enum Fault: Error, Equatable {
        // Closed: these are the three things that are looked at.
        case malformed
        case tooDeep
        /// A name that an object has twice.
        case repeated
    }

    private let bytes: [UInt8]
    private var position = 0

    package static func check(_ bytes: [UInt8]) throws(Fault) {
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw .malformed }
        var form = JSONForm(bytes: bytes)
        try form.value(depth: 0)
        guard form.peek == nil else { throw .malformed }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte that is no white space.
    private var peek: UInt8? {
        mutating get {
            while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
            return next
        }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Steps over one character, with the space before it, if it is the next.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(Fault) {
        guard depth < HTTPLimits.jsonDepth else { throw .tooDeep }
        switch peek {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func object(depth: Int) throws(Fault) {
        position += 1
        if take("}") { return }
        var names: Set<String> = []
        repeat {
            guard peek == UInt8(ascii: "\"") else { throw .malformed }
            let name = try string()
            guard names.insert(name).inserted else { throw .repeated }
            guard take(":") else { throw .malformed }
            try value(depth: depth)
        } while take(",")
        guard take("}") else { throw .malformed }
    }

    private mutating func array(depth: Int) throws(Fault) {
        position += 1
        if take("]") { return }
        repeat { try value(depth: depth) } while take(",")
        guard take("]") else { throw .malformed }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        guard word.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { throw .malformed }
        position += word.utf8CodeUnitCount
    }

    /// Steps over a string, and answers what it means.
    private mutating func string() throws(Fault) -> String {
        let start = position
        position += 1
        var isEscaped = false
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw .malformed }
            // What may follow a backslash is Foundation's to know; it cannot end the string.
            if byte == UInt8(ascii: "\\") {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        guard position < bytes.count else { throw .malformed }
        position += 1
        guard isEscaped else { return String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self) }
        guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<position])) else {
            throw .malformed
        }
        return text
    }

    private mutating func number() throws(Fault) {
        if next == UInt8(ascii: "-") { position += 1 }
        let start = position
        try digits()
        // A zero in front stands alone.
        guard bytes[start] != UInt8(ascii: "0") || position == start + 1 else { throw .malformed }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        guard let letter = next, letter | 0x20 == UInt8(ascii: "e") else { return }
        position += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
        try digits()
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw .malformed }
    }
}
