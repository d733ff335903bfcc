/// Whether a page of a book does something: a script, an element that calls one, an address that is one, or an entity that may
/// bring any of these.
///
/// It reads XML as XML has it, without a tree: what stands in comments, in `CDATA` and between tags is text.
struct ActiveMarkup {
    private let bytes: [UInt8]
    private var place = 0

    /// The most bytes of a page that are looked at; a longer one cannot be looked into.
    static let mostBytes = 32 << 20

    private init(_ bytes: [UInt8]) {
        // UTF-16 has a zero in each letter of a tag.
        self.bytes = bytes.filter { $0 != 0 }
    }

    /// Whether a file begins as markup does.
    static func isMarkup(_ beginning: [UInt8]) -> Bool {
        let spaces = Set<UInt8>([0, 9, 10, 13, 32, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF])
        return beginning.first { !spaces.contains($0) } == UInt8(ascii: "<")
    }

    /// What a page does, in a word or two; nil for nothing.
    static func found(in page: [UInt8]) -> String? {
        var markup = ActiveMarkup(page)
        return markup.find()
    }

    private mutating func find() -> String? {
        while let next = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            place = next + 1
            if skip("!--", to: "-->") || skip("![CDATA[", to: "]]>") || skip("?", to: "?>") { continue }
            if has("!") {
                if let found = declaration() { return found }
            } else if let found = tag() {
                return found
            }
        }
        return nil
    }

    private func has(_ word: String) -> Bool {
        bytes[place...].prefix(word.utf8.count).elementsEqual(word.utf8)
    }

    private mutating func skip(_ beginning: String, to end: String) -> Bool {
        guard has(beginning) else { return false }
        place += beginning.utf8.count
        while place < bytes.count, !has(end) { place += 1 }
        return true
    }

    /// A declaration of a document type may declare entities, of which anything may be made.
    private mutating func declaration() -> String? {
        if has("!ENTITY") { return "an entity of its own" }
        place += 1
        return nil
    }

    /// Reads a tag up to its end: its name, and its attributes.
    private mutating func tag() -> String? {
        let name = word()
        if name == "script" || name.hasSuffix(":script") { return "a script" }
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            guard Self.isLetter(bytes[place]) else {
                place += 1
                continue
            }
            let attribute = word()
            skipSpaces()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { continue }
            place += 1
            skipSpaces()
            let value = value()
            if attribute.hasPrefix("on") { return "the attribute \(attribute)" }
            if value.contains("javascript:") { return "an address that is a script" }
        }
        return nil
    }

    /// The letters and marks of a name, in small letters.
    private mutating func word() -> String {
        let start = place
        while place < bytes.count, Self.isLetter(bytes[place]) || "-_.:0123456789".utf8.contains(bytes[place]) {
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
    }

    private mutating func skipSpaces() {
        while place < bytes.count, [9, 10, 13, 32].contains(bytes[place]) { place += 1 }
    }

    /// A value without the spaces that browsers leave out of addresses, in small letters.
    private mutating func value() -> String {
        guard place < bytes.count else { return "" }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = place
            while place < bytes.count, bytes[place] > 32, bytes[place] != UInt8(ascii: ">") { place += 1 }
            return Self.plain(bytes[start..<place])
        }
        let start = place + 1
        let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
        place = min(end + 1, bytes.count)
        return Self.plain(bytes[start..<end])
    }

    private static func plain(_ value: ArraySlice<UInt8>) -> String {
        String(decoding: value.prefix(64).filter { $0 > 32 }, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
    }
}
