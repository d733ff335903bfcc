/// The old-style property list of transaction receipts: one dictionary of texts.
///
/// Foundation reads this form too, with nesting, data and comments; this reads only what a receipt needs.
struct PropertyListText: Hashable, Sendable {
    private(set) var entries: [(key: String, value: String)]

    init(_ entries: [(key: String, value: String)]) {
        self.entries = entries
    }

    subscript(key: String) -> String? { entries.last { Self.areSame($0.key, key) }?.value }

    /// Whether two texts are the same bytes. Unicode equality sorts combining marks, which takes seconds for a long run
    /// of them.
    static func areSame(_ first: String, _ second: String) -> Bool { first.utf8.elementsEqual(second.utf8) }

    static func == (first: PropertyListText, second: PropertyListText) -> Bool {
        first.entries.elementsEqual(second.entries) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        for entry in entries {
            hasher.combine(entry.key)
            hasher.combine(entry.value)
        }
    }

    /// The text as receipts have it: a tab, the key, the value and a semicolon on each line.
    var text: String {
        "{\n" + entries.map { "\t\(Self.quote($0.key)) = \(Self.quote($0.value));\n" }.joined() + "}"
    }

    private static func quote(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}

extension PropertyListText {
    /// Reads the text; anything but one dictionary of texts is refused.
    init(parsing bytes: [UInt8]) throws {
        guard bytes.count <= SigningLimits.transactionReceiptBytes else {
            throw SigningError(.tooLarge, "the receipt exceeds \(SigningLimits.transactionReceiptBytes) bytes")
        }
        var reader = PropertyListReader(bytes: bytes)
        try reader.take(UInt8(ascii: "{"))
        var entries: [(key: String, value: String)] = []
        while try !reader.skip(UInt8(ascii: "}")) {
            guard entries.count < SigningLimits.propertyListKeys else {
                throw SigningError(.tooLarge, "the receipt has more than \(SigningLimits.propertyListKeys) keys")
            }
            let key = try reader.string()
            try reader.take(UInt8(ascii: "="))
            let value = try reader.string()
            try reader.take(UInt8(ascii: ";"))
            guard !entries.contains(where: { Self.areSame($0.key, key) }) else {
                throw SigningError(.malformed, "the receipt has a key twice")
            }
            entries.append((key, value))
        }
        guard reader.isAtEnd else { throw SigningError(.malformed, "something follows the property list") }
        self.init(entries)
    }
}

/// Parses an old-style property list, byte by byte.
struct PropertyListReader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool {
        bytes[position...].allSatisfy { Self.isSpace($0) }
    }

    mutating func take(_ byte: UInt8) throws {
        guard try skip(byte) else {
            throw SigningError(.malformed, "the receipt is not a property list: byte \(position)")
        }
    }

    /// Skips white space and, if it is next, the byte.
    mutating func skip(_ byte: UInt8) throws -> Bool {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count else { throw SigningError(.malformed, "the receipt ends within its list") }
        guard bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// A text in quotation marks, or a bare word of letters, digits and a few signs.
    mutating func string() throws -> String {
        guard try skip(UInt8(ascii: "\"")) else { return try word() }
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return try text(content) }
            if byte == UInt8(ascii: "\\") {
                try content.append(escaped())
            } else {
                content.append(byte)
            }
        }
        throw SigningError(.malformed, "the receipt ends within a text")
    }

    private mutating func escaped() throws -> UInt8 {
        guard position < bytes.count else { throw SigningError(.malformed, "the receipt ends within a text") }
        defer { position += 1 }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return bytes[position]
        case UInt8(ascii: "n"): return UInt8(ascii: "\n")
        case UInt8(ascii: "r"): return UInt8(ascii: "\r")
        case UInt8(ascii: "t"): return UInt8(ascii: "\t")
        default: throw SigningError(.malformed, "the receipt has an escape that receipts do not have")
        }
    }

    private mutating func word() throws -> String {
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        guard position > start else { throw SigningError(.malformed, "the receipt lacks a text: byte \(position)") }
        return try text(Array(bytes[start..<position]))
    }

    private func text(_ content: [UInt8]) throws -> String {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw SigningError(.malformed, "a text in the receipt is not UTF-8")
        }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"): true
        default: false
        }
    }
}
