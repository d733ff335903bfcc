/// Reads the XML of a table of contents, event by event: elements with attributes and text, and nothing else. There are no
/// document types, so no entities but the five that every document has, and nothing is ever fetched.
struct TableScanner {
    enum Event: Equatable {
        case start(name: String, attributes: [String: String])
        case text(String)
        case end(name: String)
    }

    static let mostDepth = 256

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    /// The end of an element that was closed where it began.
    private var pendingEnd: String?
    private var hasRoot = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next event; nil behind the end of the last element.
    mutating func next() throws -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name: name)
        }
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.utf8.allSatisfy(Self.isSpace) || position <= 3 else {
                    throw malformed("text outside of elements")
                }
                continue
            }
            if starts(with: "<?") {
                try skip(behind: "?>")
            } else if starts(with: "<!--") {
                try skip(behind: "-->")
            } else if starts(with: "</") {
                return try end()
            } else {
                return try start()
            }
        }
        guard open.isEmpty, hasRoot else { throw malformed("it ends in the middle") }
        return nil
    }

    // MARK: Elements

    private mutating func start() throws -> Event {
        guard !(open.isEmpty && hasRoot), open.count < Self.mostDepth else {
            throw malformed("elements where none may be")
        }
        hasRoot = true
        position += 1
        let name = try name()
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = skipSpace()
            if starts(with: "/>") {
                position += 2
                pendingEnd = name
                return .start(name: name, attributes: attributes)
            }
            if starts(with: ">") {
                position += 1
                open.append(name)
                return .start(name: name, attributes: attributes)
            }
            guard hadSpace, attributes.count < 16 else { throw malformed("an element that does not end") }
            let key = try self.name()
            _ = skipSpace()
            guard starts(with: "=") else { throw malformed("an attribute without a value") }
            position += 1
            _ = skipSpace()
            guard attributes.updateValue(try quoted(), forKey: key) == nil else {
                throw malformed("an attribute twice")
            }
        }
    }

    private mutating func end() throws -> Event {
        position += 2
        let name = try name()
        _ = skipSpace()
        guard starts(with: ">"), open.popLast() == name else { throw malformed("an end without a beginning") }
        position += 1
        return .end(name: name)
    }

    private mutating func name() throws -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        guard position > start, position - start <= 128 else { throw malformed("an element without a name") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
        else {
            throw malformed("a value without quotation marks")
        }
        let quote = bytes[position]
        let start = position + 1
        guard let end = bytes[start...].firstIndex(of: quote) else { throw malformed("a value that does not end") }
        position = end + 1
        guard !bytes[start..<end].contains(UInt8(ascii: "<")) else { throw malformed("a value with an element in it") }
        return try decoded(bytes[start..<end])
    }

    // MARK: Text

    private mutating func text() throws -> String {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return try decoded(bytes[start..<position])
    }

    private func decoded(_ slice: ArraySlice<UInt8>) throws -> String {
        let ampersand = UInt8(ascii: "&")
        guard slice.contains(ampersand) else { return try unicode(slice) }
        var made: [UInt8] = []
        var rest = slice
        while let place = rest.firstIndex(of: ampersand) {
            made += rest[..<place]
            let name = rest[(place + 1)...].prefix(10)
            guard let end = name.firstIndex(of: UInt8(ascii: ";")) else {
                throw malformed("an entity that does not end")
            }
            made += Array(try character(String(decoding: rest[(place + 1)..<end], as: UTF8.self)).utf8)
            rest = rest[(end + 1)...]
        }
        return try unicode(ArraySlice(made + rest))
    }

    private func unicode(_ slice: ArraySlice<UInt8>) throws -> String {
        guard let text = String(validating: slice, as: UTF8.self) else { throw malformed("bytes that are not UTF-8") }
        return text
    }

    private func character(_ entity: String) throws -> String {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let number = entity.hasPrefix("#x") ? UInt32(entity.dropFirst(2), radix: 16) : UInt32(entity.dropFirst())
            guard entity.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else {
                throw malformed("an entity that is not known")
            }
            return String(Character(scalar))
        }
    }

    // MARK: Bytes

    private func starts(with text: StaticString) -> Bool {
        bytes.count - position >= text.utf8CodeUnitCount
            && text.withUTF8Buffer { bytes[position..<(position + $0.count)].elementsEqual($0) }
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func skip(behind end: StaticString) throws {
        while position < bytes.count {
            if starts(with: end) {
                position += end.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw malformed("a remark that does not end")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }

    private func malformed(_ what: String) -> ContentError {
        ContentError(.damaged, "the table of contents is no XML that can be read: \(what) at byte \(position)")
    }
}
