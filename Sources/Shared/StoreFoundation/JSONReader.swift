import Foundation

/// Walks over a JSON text (RFC 8259) without making values of it.
///
/// Foundation's decoder lets through what it is not asked for, guesses encodings, and takes the first of two members of
/// one name. So texts from outside are checked by this reader first, and those of which only a member or two are wanted
/// are read by it alone:
///
/// ```swift
/// var reader = JSONReader(bytes, depth: 32)
/// while let name = try reader.nextMember() {
///     let value = try reader.value()
///     if bytes[name.content].elementsEqual("signedDate".utf8) { date = bytes[value] }
/// }
/// ```
package struct JSONReader {
    /// What is wrong, and where.
    package struct Fault: Error, Equatable {
        package enum Kind: Sendable {
            // Closed: these are the three things that are looked at.
            case malformed
            case tooDeep
            /// A name that an object has twice.
            case repeated
        }

        package let kind: Kind
        package let reason: String
        /// The number of the byte, counted from 1.
        package let position: Int

        package init(kind: Kind, reason: String, position: Int) {
            self.kind = kind
            self.reason = reason
            self.position = position
        }
    }

    /// A text where it stands, between its quotation marks.
    package struct Text {
        package let content: Range<Int>
        package let isEscaped: Bool
    }

    let bytes: [UInt8]
    private let depth: Int
    private let isStrict: Bool
    private let allowsControlCharacters: Bool
    private(set) var position = 0
    private var hasBegun = false

    /// - Parameters:
    ///   - depth: how many values may lie within one another; a number in an array in an object is the third.
    ///   - isStrict: whether no object may have a name twice, and every escape must mean a character.
    ///   - allowsControlCharacters: whether texts may have line ends and tabs, which JSON does not allow but some clients send,
    ///     which put their bodies together by hand.
    package init(_ bytes: [UInt8], depth: Int, isStrict: Bool = false, allowsControlCharacters: Bool = false) {
        self.bytes = bytes
        self.depth = depth
        self.isStrict = isStrict
        self.allowsControlCharacters = allowsControlCharacters
    }

    /// Checks that bytes are one JSON value in UTF-8 that every reader reads alike: strictly.
    package static func check(_ bytes: [UInt8], depth: Int) throws(Fault) {
        var reader = JSONReader(bytes, depth: depth, isStrict: true)
        try reader.requireUTF8()
        try reader.value(within: 0)
        guard reader.next == nil else { throw reader.fault("something follows the value") }
    }

    package func requireUTF8() throws(Fault) {
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw fault("the text is not UTF-8") }
    }

    package func fault(_ reason: String, _ kind: Fault.Kind = .malformed) -> Fault {
        Fault(kind: kind, reason: reason, position: position + 1)
    }
}

// MARK: - Walking

extension JSONReader {
    /// The next byte that is no white space; nil at the end.
    package var next: UInt8? {
        mutating get {
            while position < bytes.count {
                switch bytes[position] {
                case 0x20, 0x0A, 0x0D, 0x09: position += 1
                case let byte: return byte
                }
            }
            return nil
        }
    }

    /// Steps over a character, with the space before it, if it is the next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// The name of the next member of the object that the text is, or nil at the end of the text. The caller steps over the
    /// value.
    package mutating func nextMember() throws(Fault) -> Text? {
        var hasMore = hasBegun && take(",")
        if !hasBegun {
            guard take("{") else { throw fault("an object of JSON is expected") }
            hasBegun = true
            hasMore = next != UInt8(ascii: "}")
        }
        if hasMore { return try name() }
        guard take("}") else { throw fault("',' or '}' is expected") }
        guard next == nil else { throw fault("something follows the object") }
        return nil
    }

    /// Steps over the value of a member; answers where it lies.
    @discardableResult
    package mutating func value() throws(Fault) -> Range<Int> {
        _ = next
        let start = position
        try value(within: 1)
        return start..<position
    }

    /// Steps over a value that has so many around it.
    private mutating func value(within count: Int) throws(Fault) {
        guard count < depth else {
            throw fault("there are more than \(depth - 1) objects and arrays within one another", .tooDeep)
        }
        switch next {
        case UInt8(ascii: "{"): try object(within: count)
        case UInt8(ascii: "["): try array(within: count)
        case UInt8(ascii: "\""): _ = try string()
        default: _ = try word()
        }
    }

    private mutating func object(within count: Int) throws(Fault) {
        position += 1
        if take("}") { return }
        var names: Set<String> = []
        repeat {
            let text = try name()
            if isStrict {
                let name = String(decoding: Self.meaning(of: text, in: bytes) ?? [], as: UTF8.self)
                guard names.insert(name).inserted else { throw fault("an object has a name twice", .repeated) }
            }
            try value(within: count + 1)
        } while take(",")
        guard take("}") else { throw fault("',' or '}' is expected") }
    }

    private mutating func array(within count: Int) throws(Fault) {
        position += 1
        if take("]") { return }
        repeat { try value(within: count + 1) } while take(",")
        guard take("]") else { throw fault("',' or ']' is expected") }
    }

    /// Steps over the name of a member and the colon.
    mutating func name() throws(Fault) -> Text {
        let name = try string()
        guard take(":") else { throw fault("':' is expected") }
        return name
    }

    /// Steps over a number, or `true`, `false`, `null`; answers where it lies.
    package mutating func word() throws(Fault) -> Range<Int> {
        _ = next
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        let word = bytes[start..<position]
        guard
            Self.isNumber(word) || word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8)
                || word.elementsEqual("null".utf8)
        else {
            position = start
            throw fault("a value is expected")
        }
        return start..<position
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"): true
        default: false
        }
    }

    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var at = word.startIndex
        func take(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
            guard at < word.endIndex, word[at] == UInt8(ascii: first) || word[at] == UInt8(ascii: second) else {
                return false
            }
            at += 1
            return true
        }
        func takeDigits() -> Bool {
            let start = at
            while at < word.endIndex, (0x30...0x39).contains(word[at]) { at += 1 }
            return at > start
        }
        _ = take("-", "-")
        // A zero in front stands alone.
        guard take("0", "0") || takeDigits() else { return false }
        if take(".", "."), !takeDigits() { return false }
        if take("e", "E") {
            _ = take("+", "-")
            guard takeDigits() else { return false }
        }
        return at == word.endIndex
    }
}

// MARK: - Texts

extension JSONReader {
    /// Steps over a text.
    ///
    /// - Parameter checksEscapes: whether its escapes are checked; ``meaning(of:in:)`` checks them too.
    package mutating func string(checkingEscapes checksEscapes: Bool = true) throws(Fault) -> Text {
        guard take("\"") else { throw fault("a text in quotation marks is expected") }
        let start = position
        guard let (end, isEscaped) = end(ofTextAt: start) else { throw fault("a text has no end") }
        if !allowsControlCharacters, let control = bytes[start..<end].firstIndex(where: { $0 < 0x20 }) {
            position = control
            throw fault("a text has a control character")
        }
        let text = Text(content: start..<end, isEscaped: isEscaped)
        if checksEscapes, isEscaped, let wrong = wrongEscape(in: text.content) {
            position = wrong
            throw fault("a backslash has something behind it that JSON does not know")
        }
        position = end + 1
        return text
    }

    /// Where the quotation mark is that ends a text, and whether there is a backslash before it. Almost all of a body is one
    /// text without any, which the system looks through faster than a loop. Nothing is looked through twice.
    private func end(ofTextAt start: Int) -> (Int, isEscaped: Bool)? {
        bytes.withUnsafeBytes { bytes in
            var (at, isEscaped) = (start, false)
            var next = Self.first("\"", in: bytes, from: at, to: bytes.count)
            while let mark = next {
                guard let backslash = Self.first("\\", in: bytes, from: at, to: mark) else { return (mark, isEscaped) }
                isEscaped = true
                at = backslash + 2
                if at > mark { next = Self.first("\"", in: bytes, from: at, to: bytes.count) }
            }
            return nil
        }
    }

    private static func first(
        _ character: Unicode.Scalar, in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int
    ) -> Int? {
        guard start < end, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(UInt8(ascii: character)), end - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Where a backslash has something behind it that JSON does not know; to the strict, a half of a surrogate pair too.
    private func wrongEscape(in content: Range<Int>) -> Int? {
        var at = content.lowerBound
        let content = bytes[content]
        while let backslash = content[at...].firstIndex(of: UInt8(ascii: "\\")) {
            let rest = content[backslash...]
            guard let kind = rest.dropFirst().first else { return backslash }
            if kind == UInt8(ascii: "u") {
                guard let count = isStrict ? Self.scalar(rest)?.1 : Self.unit(rest).map({ _ in 6 }) else {
                    return backslash
                }
                at = backslash + count
            } else {
                guard Self.short(kind) != nil else { return backslash }
                at = backslash + 2
            }
        }
        return nil
    }

    /// What a text means; nil if one of its escapes is none.
    package static func meaning(of text: Text, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let content = bytes[text.content]
        guard text.isEscaped else { return content }
        var meaning: [UInt8] = []
        meaning.reserveCapacity(content.count)
        var at = content.startIndex
        while at < content.endIndex {
            guard content[at] == UInt8(ascii: "\\") else {
                meaning.append(content[at])
                at += 1
                continue
            }
            guard at + 1 < content.endIndex else { return nil }
            if content[at + 1] == UInt8(ascii: "u") {
                guard let (scalar, count) = scalar(content[at...]) else { return nil }
                meaning += String(scalar).utf8
                at += count
            } else {
                guard let byte = short(content[at + 1]) else { return nil }
                meaning.append(byte)
                at += 2
            }
        }
        return meaning[...]
    }

    /// What a backslash and this character stand for.
    private static func short(_ kind: UInt8) -> UInt8? {
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): kind
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The scalar of one `\uXXXX`, or of two that belong together, and how many bytes that takes.
    private static func scalar(_ content: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        guard let first = unit(content) else { return nil }
        if let scalar = Unicode.Scalar(UInt32(first)) { return (scalar, 6) }
        guard UTF16.isLeadSurrogate(first), let second = unit(content.dropFirst(6)), UTF16.isTrailSurrogate(second)
        else { return nil }
        let number = 0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00)
        return Unicode.Scalar(number).map { ($0, 12) }
    }

    private static func unit(_ content: ArraySlice<UInt8>) -> UInt16? {
        let start = content.startIndex
        guard content.count >= 6, content[start] == UInt8(ascii: "\\"), content[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in content[(start + 2)..<(start + 6)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
