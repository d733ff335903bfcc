/// Reads ASN.1 values one after another from foreign bytes, without ever trusting a length.
///
/// Stores sign DER; Xcode's local receipts are BER with lengths left open, so both are read. The bytes are shared by all
/// readers of one message and never copied.
struct BERReader {
    let bytes: [UInt8]
    private(set) var cursor: BERCursor

    init(_ bytes: [UInt8]) {
        self.init(bytes, at: BERCursor(bytes))
    }

    /// A reader for the values from a place on.
    init(_ bytes: [UInt8], at cursor: BERCursor) {
        self.bytes = bytes
        self.cursor = cursor
    }

    var isAtEnd: Bool { cursor.isAtEnd }

    /// The tag of the next value, if there is one.
    var nextTag: ASN1Tag? { cursor.nextTag(in: bytes) }

    /// Reads the next value whatever it is.
    mutating func next() throws -> BERElement { try cursor.next(in: bytes) }

    /// Reads the next value, which must have this tag.
    mutating func next(_ tag: ASN1Tag, _ name: @autoclosure () -> String) throws -> BERElement {
        try cursor.next(tag, in: bytes, name())
    }

    /// A reader for what a constructed value holds.
    func contents(of element: BERElement) throws -> BERReader {
        try BERReader(bytes, at: cursor.contents(of: element))
    }

    /// Reads a constructed value and answers a reader for what it holds.
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
