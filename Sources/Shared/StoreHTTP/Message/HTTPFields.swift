/// The fields of a message in their order. Names are compared without regard to case; a name may occur several times.
package struct HTTPFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    package private(set) var all: [Field] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The value of the first field with this name, or nil; setting replaces all of that name.
    package subscript(name: String) -> String? {
        get { all.first { Self.areEqual($0.name, name) }?.value }
        set {
            all.removeAll { Self.areEqual($0.name, name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// The values of all fields with this name.
    package func values(_ name: String) -> [String] {
        all.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    /// The members of a field that is a list with commas, over all its occurrences.
    package func list(_ name: String) -> [Substring] {
        values(name).flatMap { $0.split(separator: ",") }.map { $0.trimmingHTTPSpace }.filter { !$0.isEmpty }
    }

    /// Appends a field.
    ///
    /// Line ends are left out of names and values: a value from outside must never become a field of its own.
    package mutating func add(_ name: String, _ value: String) {
        all.append(Field(name: Self.singleLine(name), value: Self.singleLine(value)))
    }

    private static func singleLine(_ text: String) -> String {
        let isClean = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
        }
        return isClean == true ? text : String(text.unicodeScalars.filter { !["\r", "\n", "\0"].contains($0) })
    }

    private static func areEqual(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count
            && first.utf8.elementsEqual(second.utf8) { $0 | lowercaseBit($0) == $1 | lowercaseBit($1) }
    }

    private static func lowercaseBit(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? 0x20 : 0 }
}

extension Substring {
    /// Without the spaces and tabs around it.
    var trimmingHTTPSpace: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// The words of HTTP: names of methods, fields, parameters (RFC 9110 §5.6.2).
enum HTTPToken {
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"): true
        case UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
