/// The items of a query or of a form, in their order. A name may occur several times.
package struct QueryItems: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let all: [Item]

    package init(_ all: [Item] = []) {
        self.all = all
    }

    /// Reads `a=1&b=2`; nil for bad escapes and for more items than there may be.
    package init?(parsing text: some StringProtocol, atMost limit: Int = HTTPLimits.queryItems) {
        var items: [Item] = []
        for piece in text.split(separator: "&", omittingEmptySubsequences: true) {
            guard items.count < limit else { return nil }
            let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(sides[0], plusIsSpace: true),
                let value = PercentEncoding.decode(sides.count == 2 ? String(sides[1]) : "", plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        all = items
    }

    /// How many items a text has, whatever they are.
    static func count(in text: some StringProtocol) -> Int { text.utf8.split(separator: UInt8(ascii: "&")).count }

    /// The first value of a name.
    package subscript(name: String) -> String? { all.first { $0.name == name }?.value }

    package func values(_ name: String) -> [String] { all.filter { $0.name == name }.map(\.value) }
}

/// Percent-encoding, in paths, queries and forms.
package enum PercentEncoding {
    /// Decodes a piece; nil for a bad escape or for bytes that are not UTF-8.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes everything but the unreserved characters of RFC 3986.
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                encoded += "%" + digit(byte >> 4) + digit(byte & 0xF)
            }
        }
        return encoded
    }

    private static func digit(_ value: UInt8) -> String { String(value, radix: 16, uppercase: true) }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
