import Foundation

/// Walks over a text of JSON that somebody sent, of which a member or two are wanted.
///
/// It takes line ends and tabs within texts, which JSON does not allow and clients that put their body together by hand
/// send; and it copies nothing that is not asked for.
struct JSONScanner {
    /// What is wrong, and the number of the byte where it is, counted from 1.
    struct Fault: Error, Equatable {
        let reason: String
        let position: Int
    }

    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func fault(_ reason: String) -> Fault { Fault(reason: reason, position: position + 1) }

    /// The next byte that is no white space; nil at the end.
    var next: UInt8? {
        mutating get {
            while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
            return position < bytes.count ? bytes[position] : nil
        }
    }

    /// Steps over a character, with the space before it, if it is the next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Steps over a text; answers where it lies between its quotation marks, and whether it has escapes.
    mutating func string() throws(Fault) -> (content: Range<Int>, isEscaped: Bool) {
        guard take("\"") else { throw fault("a text in quotation marks is expected") }
        let start = position
        guard let (end, isEscaped) = end(ofTextAt: start) else { throw fault("a text has no end") }
        position = end + 1
        return (start..<end, isEscaped)
    }

    /// The same of a text of which nobody looks at the escapes later.
    mutating func checkedString() throws(Fault) -> (content: Range<Int>, isEscaped: Bool) {
        let text = try string()
        if text.isEscaped, let wrong = Self.wrongEscape(in: bytes[text.content]) {
            position = wrong
            throw fault("a backslash has something behind it that JSON does not know")
        }
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

    /// Steps over any value.
    mutating func skip(depth: Int = 1) throws(Fault) {
        guard depth <= VerifyReceiptLimits.depth else {
            throw fault("there are more than \(VerifyReceiptLimits.depth) objects and arrays within one another")
        }
        switch next {
        case UInt8(ascii: "\""): _ = try checkedString()
        case UInt8(ascii: "{"):
            try skipAll(until: "}", depth) { scanner throws(Fault) in
                _ = try scanner.checkedString()
                guard scanner.take(":") else { throw scanner.fault("':' is expected") }
            }
        case UInt8(ascii: "["): try skipAll(until: "]", depth) { _ throws(Fault) in }
        default: _ = try word()
        }
    }

    private mutating func skipAll(
        until end: Unicode.Scalar, _ depth: Int, _ name: (inout JSONScanner) throws(Fault) -> Void
    ) throws(Fault) {
        position += 1
        if take(end) { return }
        repeat {
            try name(&self)
            try skip(depth: depth + 1)
        } while take(",")
        guard take(end) else { throw fault("',' or '\(end)' is expected") }
    }

    /// Steps over a number, or `true`, `false`, `null`; answers the word.
    mutating func word() throws(Fault) -> String {
        _ = next
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        let word = bytes[start..<position]
        let isName = ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
        guard isName || Self.isNumber(word) else {
            position = start
            throw fault("a value is expected")
        }
        return String(decoding: word, as: UTF8.self)
    }

    /// Whether a word is a number as JSON writes it.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        func digits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        func take(_ characters: [UInt8]) -> Bool {
            guard let first = rest.first, characters.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take([UInt8(ascii: "-")])
        if !take([UInt8(ascii: "0")]), digits() == 0 { return false }
        if take([UInt8(ascii: ".")]), digits() == 0 { return false }
        if take([UInt8(ascii: "e"), UInt8(ascii: "E")]) {
            _ = take([UInt8(ascii: "+"), UInt8(ascii: "-")])
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"): true
        default: false
        }
    }
}
