/// The old-style property list of transaction receipts: one dictionary of texts.
///
/// Foundation reads this form too, with nesting, data and comments; a foreign receipt gets only what a receipt needs.
struct PropertyListText: Hashable, Sendable {
    private(set) var entries: [(key: String, value: String)]

    init(_ entries: [(key: String, value: String)]) {
        self.entries = entries
    }

    subscript(key: String) -> String? { entries.last { Self.areSame($0.key, key) }?.value }

    /// Whether two texts are the same bytes. Unicode's equality would first put every run of combining marks in order,
    /// which takes seconds for a long one.
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
