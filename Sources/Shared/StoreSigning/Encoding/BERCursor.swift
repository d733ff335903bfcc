/// A place in foreign bytes, from which ASN.1 values are read without ever trusting a length.
///
/// It does not hold the bytes, so that the hundreds of values of a receipt are walked over without counting references
/// to them; whoever does hold them hands them in. ``BERReader`` is the two in one.
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

    /// Reads the next value whatever it is.
    ///
    /// Nearly every value has a length of one octet; those are read right here, all others by ``element(in:at:end:depth:)``.
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

    /// A value whose length is left open: it goes on to the end-of-contents octets of its own level.
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
