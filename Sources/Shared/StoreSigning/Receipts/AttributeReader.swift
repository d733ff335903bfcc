import StoreModel

/// Walks over the attributes of one SET of a receipt, whose numbers may come in any order, and reads their values.
struct AttributeReader {
    private let bytes: [UInt8]
    private var cursor: BERCursor
    private var count = 0

    init(_ elements: BERReader) {
        bytes = elements.bytes
        cursor = elements.cursor
    }

    private init(_ bytes: [UInt8], at cursor: BERCursor) {
        self.bytes = bytes
        self.cursor = cursor
    }

    /// The next attribute; its value is left unread.
    @inline(__always)
    mutating func next() throws -> FoundAttribute? {
        guard !cursor.isAtEnd else { return nil }
        count += 1
        guard count <= SigningLimits.attributesPerSet else {
            throw SigningError(.tooLarge, "the receipt has more than \(SigningLimits.attributesPerSet) attributes")
        }
        let sequence = try cursor.next(.sequence, in: bytes, "an attribute of the receipt")
        var fields = try cursor.contents(of: sequence)
        let type = try fields.next(.integer, in: bytes, "the type of an attribute").integer(in: bytes)
        let version = try fields.next(.integer, in: bytes, "the version of attribute \(type)").integer(in: bytes)
        let value = try fields.next(in: bytes)
        try fields.requireEnd(of: "attribute \(type)")
        return FoundAttribute(type: type, version: version, element: value, cursor: fields)
    }

    // MARK: Values

    func octets(of attribute: FoundAttribute) throws -> [UInt8] {
        try Array(BERReader(bytes, at: attribute.cursor).octets(attribute.element, attribute.name))
    }

    func text(of attribute: FoundAttribute) throws -> String {
        try withValue(of: attribute) { bytes, value, _ in try value.text(in: bytes, attribute.name) }
    }

    func integer(of attribute: FoundAttribute) throws -> Int64 {
        try withValue(of: attribute) { bytes, value, _ in try value.integer(in: bytes) }
    }

    /// A date; nil where the text is empty, which is how receipts leave one out.
    func date(of attribute: FoundAttribute) throws -> Instant? {
        try withValue(of: attribute) { bytes, value, _ in try ReceiptDate.read(value, in: bytes, attribute.name) }
    }

    func requiredDate(of attribute: FoundAttribute) throws -> Instant {
        guard let instant = try date(of: attribute) else {
            throw SigningError(.malformed, "\(attribute.name) is an empty date")
        }
        return instant
    }

    /// The attributes of the SET within.
    func attributes(of attribute: FoundAttribute) throws -> AttributeReader {
        try withValue(of: attribute) { bytes, value, cursor in
            guard value.tag == .set else { throw SigningError(.malformed, "\(attribute.name) is not a set") }
            return try AttributeReader(bytes, at: cursor.contents(of: value))
        }
    }

    /// The attribute as it stands, for numbers without a name here.
    func unread(_ attribute: FoundAttribute) throws -> ReceiptAttribute {
        try ReceiptAttribute(type: attribute.type, version: attribute.version, value: octets(of: attribute))
    }

    /// Reads the one ASN.1 value inside the octet string.
    private func withValue<Value>(
        of attribute: FoundAttribute, _ body: (_ bytes: [UInt8], BERElement, BERCursor) throws -> Value
    ) throws -> Value {
        if attribute.element.tag == .octetString {
            return try Self.withValue(at: attribute.contents, in: bytes, attribute, body)
        }
        let octets = try octets(of: attribute)
        return try Self.withValue(at: BERCursor(octets), in: octets, attribute, body)
    }

    private static func withValue<Value>(
        at start: BERCursor, in bytes: [UInt8], _ attribute: FoundAttribute,
        _ body: (_ bytes: [UInt8], BERElement, BERCursor) throws -> Value
    ) throws -> Value {
        var cursor = start
        let value = try cursor.next(in: bytes)
        try cursor.requireEnd(of: attribute.name)
        return try body(bytes, value, cursor)
    }
}
