/// The tag of one state of a resource (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
    /// Without the quotation marks.
    package let opaque: String
    /// Whether equal tags mean equivalence only, not equal bytes.
    package let isWeak: Bool

    /// A tag; characters that are not allowed are left out.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = String(opaque.unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7F && $0 != "\"" })
        self.isWeak = isWeak
    }

    /// The tag of a file: its length and its last change.
    package init(_ file: OpenFile) {
        self.init(String(UInt64(bitPattern: file.modified), radix: 16) + "-" + String(file.length, radix: 16))
    }

    package init?(parsing text: some StringProtocol) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        guard let tag = EntityTag(&scanner) else { return nil }
        scanner.skipSpace()
        guard scanner.isAtEnd else { return nil }
        self = tag
    }

    init?(_ scanner: inout FieldScanner) {
        isWeak = scanner.take("W")
        if isWeak, !scanner.take("/") { return nil }
        guard let opaque = scanner.entityTagText() else { return nil }
        self.opaque = opaque
    }

    package var text: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

    package func strongly(matches other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    package func weakly(matches other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tags of `If-Match` or `If-None-Match`.
    enum List: Equatable {
        /// `*`: any state there is.
        case any
        case tags([EntityTag])

        /// Reads all fields of one name. Reading ends at a malformed tag.
        init(_ values: [String]) {
            if values.count == 1, values[0][...].trimmingHTTPSpace == "*" {
                self = .any
                return
            }
            var tags: [EntityTag] = []
            for value in values {
                var scanner = FieldScanner(value)
                repeat {
                    scanner.skipSpace()
                    guard tags.count < HTTPLimits.entityTags, let tag = EntityTag(&scanner) else { break }
                    tags.append(tag)
                    scanner.skipSpace()
                } while scanner.take(",")
            }
            self = .tags(tags)
        }
    }
}

extension FieldScanner {
    /// The text between quotation marks, in which a backslash is an ordinary character.
    fileprivate mutating func entityTagText() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next, byte > 0x20, byte != 0x7F {
            skip()
            if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
            text.append(byte)
        }
        return nil
    }
}
