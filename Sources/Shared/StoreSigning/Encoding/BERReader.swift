/// Reads ASN.1 values one after another from foreign bytes, without ever trusting a length.
///
/// Stores sign DER; Xcode's local receipts are BER with lengths left open, so both are read. The bytes are shared by all
/// readers of one message and never copied.
struct BERReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int
    private let depth: Int

    init(_ bytes: [UInt8]) {
        self.init(bytes, 0..<bytes.count, depth: 0)
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.depth = depth
    }

    var isAtEnd: Bool { position >= end }

    /// The tag of the next value, if there is one.
    var nextTag: ASN1Tag? { isAtEnd ? nil : ASN1Tag(rawValue: bytes[position]) }

    /// Reads the next value whatever it is.
    mutating func next() throws -> BERElement {
        let element = try Self.element(in: bytes, at: position, end: end, depth: depth)
        position = element.whole.upperBound
        return element
    }

    /// Reads the next value, which must have this tag.
    mutating func next(_ tag: ASN1Tag, _ name: @autoclosure () -> String) throws -> BERElement {
        guard nextTag == tag else { throw SigningError(.malformed, "\(name()) is missing or of another type") }
        return try next()
    }

    /// A reader for what a constructed value holds.
    func contents(of element: BERElement) throws -> BERReader {
        guard depth < SigningLimits.nestingDepth else {
            throw SigningError(.tooLarge, "the ASN.1 is nested deeper than \(SigningLimits.nestingDepth) levels")
        }
        return BERReader(bytes, element.content, depth: depth + 1)
    }

    /// Reads a constructed value and answers a reader for what it holds.
    mutating func enter(_ tag: ASN1Tag, _ name: @autoclosure () -> String) throws -> BERReader {
        try contents(of: next(tag, name()))
    }

    func content(of element: BERElement) -> ArraySlice<UInt8> { bytes[element.content] }

    func hasContent(_ element: BERElement, _ expected: [UInt8]) -> Bool {
        element.content.count == expected.count && bytes[element.content].elementsEqual(expected)
    }

    func requireEnd(of name: @autoclosure () -> String) throws {
        if !isAtEnd { throw SigningError(.malformed, "\(end - position) bytes follow \(name())") }
    }

    // MARK: Reading one value

    private static func element(in bytes: [UInt8], at start: Int, end: Int, depth: Int) throws -> BERElement {
        guard start < end, end - start >= 2 else { throw SigningError(.malformed, "the ASN.1 ends within a value") }
        let tag = ASN1Tag(rawValue: bytes[start])
        guard !tag.hasLongNumber, tag != .endOfContents else {
            throw SigningError(.malformed, "the ASN.1 has a tag that receipts do not have")
        }
        let first = bytes[start + 1]
        if first == 0x80 { return try openElement(tag, in: bytes, at: start, end: end, depth: depth) }
        let (contentStart, count) = try length(in: bytes, at: start + 1, end: end)
        guard count <= end - contentStart else {
            throw SigningError(.malformed, "the ASN.1 promises more bytes than there are")
        }
        return BERElement(
            tag: tag, whole: start..<(contentStart + count), content: contentStart..<(contentStart + count))
    }

    private static func length(in bytes: [UInt8], at start: Int, end: Int) throws -> (contentStart: Int, count: Int) {
        let first = bytes[start]
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

    /// A value whose length is left open: it goes on to the end-of-contents octets of its own level.
    private static func openElement(
        _ tag: ASN1Tag, in bytes: [UInt8], at start: Int, end: Int, depth: Int
    ) throws -> BERElement {
        guard tag.isConstructed else { throw SigningError(.malformed, "a simple ASN.1 value has no length") }
        guard depth < SigningLimits.nestingDepth else {
            throw SigningError(.tooLarge, "the ASN.1 is nested deeper than \(SigningLimits.nestingDepth) levels")
        }
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
