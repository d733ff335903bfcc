/// Finds the members of one JSON object without making values of them.
///
/// Every signed payload is asked for its date before anybody knows what kind of payload it is; decoding all of it for
/// one number would take longer than any other part of a verification but the curve. The form of all of it is checked
/// nevertheless (RFC 8259), so that what passes here can be decoded.
struct JSONMembers {
    private let bytes: [UInt8]
    private var position = 0
    /// All bytes of all strings, or-ed: shows whether there is anything but ASCII.
    private var seen: UInt8 = 0

    /// Calls `visit` with the name and the value of each member, as ranges of the bytes; the name is without quotes,
    /// and its escapes are as they stand.
    static func scan(_ bytes: [UInt8], _ visit: (_ name: Range<Int>, _ value: Range<Int>) throws -> Void) throws {
        var scanner = JSONMembers(bytes: bytes)
        scanner.skipSpace()
        guard scanner.peek == UInt8(ascii: "{") else { throw scanner.malformed }
        try scanner.object(depth: 1, visit)
        scanner.skipSpace()
        guard scanner.position == bytes.count else { throw scanner.malformed }
        guard scanner.seen < 0x80 || (try? UTF8Span(validating: bytes.span)) != nil else {
            throw SigningError(.malformed, "the JSON is not UTF-8")
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var malformed: SigningError {
        SigningError(.malformed, "the JSON is malformed at byte \(position)")
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Consumes one character, with the space before it, or answers false.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    // MARK: Values

    private mutating func object(
        depth: Int, _ visit: (_ name: Range<Int>, _ value: Range<Int>) throws -> Void
    ) throws {
        position += 1
        if skip("}") { return }
        repeat {
            skipSpace()
            let name = try string()
            guard skip(":") else { throw malformed }
            skipSpace()
            let start = position
            try value(depth: depth)
            try visit(name, start..<position)
        } while skip(",")
        guard skip("}") else { throw malformed }
    }

    private mutating func array(depth: Int) throws {
        position += 1
        if skip("]") { return }
        repeat {
            skipSpace()
            try value(depth: depth)
        } while skip(",")
        guard skip("]") else { throw malformed }
    }

    private mutating func value(depth: Int) throws {
        guard depth < SigningLimits.nestingDepth else {
            throw SigningError(.tooLarge, "the JSON is nested deeper than \(SigningLimits.nestingDepth) levels")
        }
        switch peek {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try object(depth: depth + 1) { _, _ in }
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
    }

    private mutating func literal(_ word: StaticString) throws {
        let fits = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard fits else { throw malformed }
        position += word.utf8CodeUnitCount
    }

    // MARK: Strings

    /// Consumes a string and answers the range between its quotes.
    private mutating func string() throws -> Range<Int> {
        guard peek == UInt8(ascii: "\"") else { throw malformed }
        let start = position + 1
        position = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                defer { position += 1 }
                return start..<position
            }
            guard byte >= 0x20 else { throw malformed }
            seen |= byte
            position += 1
            if byte == UInt8(ascii: "\\") { try escape() }
        }
        throw malformed
    }

    /// Consumes what follows a backslash.
    private mutating func escape() throws {
        switch peek {
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let digit = peek, Self.isHexadecimal(digit) else { throw malformed }
                position += 1
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        default: throw malformed
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte & ~0x20)
    }

    // MARK: Numbers

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func number() throws {
        if peek == UInt8(ascii: "-") { position += 1 }
        let start = position
        try digits()
        // A zero in front stands alone.
        if bytes[start] == UInt8(ascii: "0"), position > start + 1 { throw malformed }
        if peek == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if let letter = peek, letter | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = peek, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
    }

    /// Consumes one digit or more.
    private mutating func digits() throws {
        let start = position
        while position < bytes.count, Self.isDigit(bytes[position]) { position += 1 }
        if position == start { throw malformed }
    }
}
