/// Reads ASN.1 values one after another from untrusted bytes, without ever trusting a length.
///
/// Stores sign DER; Xcode's local receipts are BER with indefinite lengths, so both are read. The bytes are shared by
/// all readers of one message and never copied.
struct BERReader {
    let bytes: [UInt8]
    private(set) var cursor: BERCursor

    init(_ bytes: [UInt8]) {
        self.init(bytes, at: BERCursor(bytes))
    }

    /// A reader that starts at an offset.
    init(_ bytes: [UInt8], at cursor: BERCursor) {
        self.bytes = bytes
        self.cursor = cursor
    }

    var isAtEnd: Bool { cursor.isAtEnd }

    /// The tag of the next value, if there is one.
    var nextTag: ASN1Tag? { cursor.nextTag(in: bytes) }

    /// Reads the next value of any tag.
    mutating func next() throws -> BERElement { try cursor.next(in: bytes) }

    /// Reads the next value, which must have this tag.
    mutating func next(_ tag: ASN1Tag, _ name: @autoclosure () -> String) throws -> BERElement {
        try cursor.next(tag, in: bytes, name())
    }

    /// A reader for what a constructed value holds.
    func contents(of element: BERElement) throws -> BERReader {
        try BERReader(bytes, at: cursor.contents(of: element))
    }

    /// Reads a constructed value and returns a reader for what it holds.
    mutating func enter(_ tag: ASN1Tag, _ name: @autoclosure () -> String) throws -> BERReader {
        try contents(of: next(tag, name()))
    }

    /// The bytes that were not read yet.
    var rest: ArraySlice<UInt8> { bytes[cursor.position..<cursor.end] }

    func content(of element: BERElement) -> ArraySlice<UInt8> { bytes[element.content] }

    func hasContent(_ element: BERElement, _ expected: [UInt8]) -> Bool {
        element.content.count == expected.count && bytes[element.content].elementsEqual(expected)
    }

    func requireEnd(of name: @autoclosure () -> String) throws { try cursor.requireEnd(of: name()) }
}

extension BERElement {
    /// An INTEGER of at most 64 bits.
    @inline(__always)
    func integer(in bytes: [UInt8]) throws -> Int64 {
        guard tag == .integer, (1...8).contains(content.count) else {
            throw SigningError(.malformed, "an ASN.1 integer is missing or longer than 64 bits")
        }
        var number = Int64(Int8(bitPattern: bytes[content.lowerBound]))
        for index in (content.lowerBound + 1)..<content.upperBound { number = number << 8 | Int64(bytes[index]) }
        return number
    }

    /// The text of a UTF8String or IA5String.
    func text(in bytes: [UInt8], _ name: @autoclosure () -> String) throws -> String {
        let content = bytes[content]
        guard tag == .utf8String || tag == .ia5String else {
            throw SigningError(.malformed, "\(name()) is not text in UTF-8")
        }
        // Identifiers and dates are ASCII, which needs no validation; validating costs more than all the rest.
        if content.allSatisfy({ $0 < 0x80 }) { return String(decoding: content, as: UTF8.self) }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw SigningError(.malformed, "\(name()) is not text in UTF-8")
        }
        return text
    }
}

extension BERReader {
    /// An INTEGER of at most 64 bits.
    func integer(_ element: BERElement) throws -> Int64 { try element.integer(in: bytes) }

    /// The octets of an OCTET STRING, put together if BER cut it into pieces.
    ///
    /// Nested pieces are refused: no encoder makes them, and each level would scan the same bytes again.
    func octets(_ element: BERElement, _ name: @autoclosure () -> String) throws -> ArraySlice<UInt8> {
        switch element.tag {
        case .octetString: return content(of: element)
        case .constructedOctetString:
            var pieces = try contents(of: element)
            var octets: [UInt8] = []
            while !pieces.isAtEnd {
                octets += try pieces.content(of: pieces.next(.octetString, "a piece of \(name())"))
            }
            return octets[...]
        default: throw SigningError(.malformed, "\(name()) is not an octet string")
        }
    }

    /// A reader for the values inside an OCTET STRING.
    func contents(ofOctets element: BERElement, _ name: @autoclosure () -> String) throws -> BERReader {
        if element.tag == .octetString { return try contents(of: element) }
        return try BERReader(Array(octets(element, name())))
    }

    /// The text of a UTF8String or IA5String.
    func text(_ element: BERElement, _ name: @autoclosure () -> String) throws -> String {
        try element.text(in: bytes, name())
    }
}

/// One value of an ASN.1 encoding, as ranges of the bytes it was found in.
struct BERElement {
    let tag: ASN1Tag
    /// From the tag to the last octet that belongs to the value.
    let whole: Range<Int>
    let content: Range<Int>
}

/// A place in untrusted bytes, from which ASN.1 values are read without ever trusting a length.
///
/// It does not hold the bytes, so reading the hundreds of values of a receipt needs no reference counting; the caller
/// passes the bytes in. ``BERReader`` is a cursor with its bytes.
struct BERCursor {
    private(set) var position: Int
    let end: Int
    private let depth: Int

    /// The start of some bytes.
    init(_ bytes: [UInt8]) {
        self.init(0..<bytes.count, depth: 0)
    }

    private init(_ range: Range<Int>, depth: Int) {
        position = range.lowerBound
        end = range.upperBound
        self.depth = depth
    }

    var isAtEnd: Bool { position >= end }

    /// The tag of the next value, if there is one.
    func nextTag(in bytes: [UInt8]) -> ASN1Tag? { isAtEnd ? nil : ASN1Tag(rawValue: bytes[position]) }

    /// Reads the next value of any tag.
    ///
    /// Nearly every value has a length of one octet; those are read here, all others by ``element(in:at:end:depth:)``.
    @inline(__always)
    mutating func next(in bytes: [UInt8]) throws -> BERElement {
        let start = position
        if end - start >= 2 {
            let tag = ASN1Tag(rawValue: bytes[start])
            let contentEnd = start + 2 + Int(bytes[start + 1])
            if bytes[start + 1] < 0x80, contentEnd <= end, !tag.hasLongNumber, tag != .endOfContents {
                position = contentEnd
                return BERElement(tag: tag, whole: start..<contentEnd, content: (start + 2)..<contentEnd)
            }
        }
        return try nextOfAnyForm(in: bytes)
    }

    @inline(never)
    private mutating func nextOfAnyForm(in bytes: [UInt8]) throws -> BERElement {
        let element = try Self.element(in: bytes, at: position, end: end, depth: depth)
        position = element.whole.upperBound
        return element
    }

    /// Reads the next value, which must have this tag.
    mutating func next(_ tag: ASN1Tag, in bytes: [UInt8], _ name: @autoclosure () -> String) throws -> BERElement {
        guard nextTag(in: bytes) == tag else {
            throw SigningError(.malformed, "\(name()) is missing or of another type")
        }
        return try next(in: bytes)
    }

    /// The start of what a constructed value holds.
    func contents(of element: BERElement) throws -> BERCursor {
        guard depth < SigningLimits.nestingDepth else { throw Self.tooDeep }
        return BERCursor(element.content, depth: depth + 1)
    }

    func requireEnd(of name: @autoclosure () -> String) throws {
        if !isAtEnd { throw SigningError(.malformed, "\(end - position) bytes follow \(name())") }
    }

    // MARK: Reading one value

    private static var tooDeep: SigningError {
        SigningError(.tooLarge, "the ASN.1 is nested deeper than \(SigningLimits.nestingDepth) levels")
    }

    private static func element(in bytes: [UInt8], at start: Int, end: Int, depth: Int) throws -> BERElement {
        guard start < end, end - start >= 2 else { throw SigningError(.malformed, "the ASN.1 ends within a value") }
        let tag = ASN1Tag(rawValue: bytes[start])
        guard !tag.hasLongNumber, tag != .endOfContents else {
            throw SigningError(.malformed, "the ASN.1 has a tag that receipts do not have")
        }
        let first = bytes[start + 1]
        if first == 0x80 { return try openElement(tag, in: bytes, at: start, end: end, depth: depth) }
        let (contentStart, count) = try length(first, in: bytes, at: start + 1, end: end)
        guard count <= end - contentStart else {
            throw SigningError(.malformed, "the ASN.1 promises more bytes than there are")
        }
        return BERElement(
            tag: tag, whole: start..<(contentStart + count), content: contentStart..<(contentStart + count))
    }

    private static func length(
        _ first: UInt8, in bytes: [UInt8], at start: Int, end: Int
    ) throws -> (contentStart: Int, count: Int) {
        guard first & 0x80 != 0 else { return (start + 1, Int(first)) }
        let digits = Int(first & 0x7F)
        // Four octets already hold more than any limit here.
        guard digits <= 4, end - start > digits else {
            throw SigningError(.malformed, "the ASN.1 has an impossible length")
        }
        var count = 0
        for index in 1...digits { count = count << 8 | Int(bytes[start + index]) }
        return (start + 1 + digits, count)
    }

    /// A value of indefinite length: it ends with the end-of-contents octets of its own level.
    private static func openElement(
        _ tag: ASN1Tag, in bytes: [UInt8], at start: Int, end: Int, depth: Int
    ) throws -> BERElement {
        guard tag.isConstructed else { throw SigningError(.malformed, "a simple ASN.1 value has no length") }
        guard depth < SigningLimits.nestingDepth else { throw tooDeep }
        var position = start + 2
        while true {
            guard end - position >= 2 else { throw SigningError(.malformed, "the ASN.1 ends within a value") }
            if bytes[position] == 0, bytes[position + 1] == 0 {
                return BERElement(tag: tag, whole: start..<(position + 2), content: (start + 2)..<position)
            }
            position = try element(in: bytes, at: position, end: end, depth: depth + 1).whole.upperBound
        }
    }
}

/// The identifier octet of an ASN.1 value. Numbers above 30, which take more octets, occur nowhere in receipts.
struct ASN1Tag: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    static let integer = ASN1Tag(rawValue: 0x02)
    static let octetString = ASN1Tag(rawValue: 0x04)
    static let null = ASN1Tag(rawValue: 0x05)
    static let objectIdentifier = ASN1Tag(rawValue: 0x06)
    static let utf8String = ASN1Tag(rawValue: 0x0C)
    static let ia5String = ASN1Tag(rawValue: 0x16)
    /// BER may cut an octet string into pieces.
    static let constructedOctetString = ASN1Tag(rawValue: 0x24)
    static let sequence = ASN1Tag(rawValue: 0x30)
    static let set = ASN1Tag(rawValue: 0x31)
    /// `[0]`, constructed.
    static let context0 = ASN1Tag(rawValue: 0xA0)
    /// `[1]`, constructed.
    static let context1 = ASN1Tag(rawValue: 0xA1)
    static let endOfContents = ASN1Tag(rawValue: 0x00)

    var isConstructed: Bool { rawValue & 0x20 != 0 }
    var hasLongNumber: Bool { rawValue & 0x1F == 0x1F }
}
