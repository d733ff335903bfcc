import StoreModel

/// Walks over the attributes of one SET of a receipt, whose numbers may come in any order.
struct AttributeReader {
    private var elements: BERReader
    private var count = 0

    init(_ elements: BERReader) {
        self.elements = elements
    }

    /// The next attribute; its value is left unread.
    mutating func next() throws -> FoundAttribute? {
        guard !elements.isAtEnd else { return nil }
        count += 1
        guard count <= SigningLimits.attributesPerSet else {
            throw SigningError(.tooLarge, "the receipt has more than \(SigningLimits.attributesPerSet) attributes")
        }
        var fields = try elements.enter(.sequence, "an attribute of the receipt")
        let type = try fields.integer(fields.next(.integer, "the type of an attribute"))
        let version = try fields.integer(fields.next(.integer, "the version of attribute \(type)"))
        let value = try fields.next()
        try fields.requireEnd(of: "attribute \(type)")
        return FoundAttribute(type: type, version: version, element: value, reader: fields)
    }
}

/// One attribute as it was found: its value is read as what its number says it is.
struct FoundAttribute {
    let type: Int64
    let version: Int64
    let element: BERElement
    let reader: BERReader

    private var name: String { "attribute \(type)" }

    func octets() throws -> [UInt8] { try Array(reader.octets(element, name)) }

    func text() throws -> String {
        try withValue { values, value in try values.text(value, name) }
    }

    func integer() throws -> Int64 {
        try withValue { values, value in try values.integer(value) }
    }

    /// A date; nil where the text is empty, which is how receipts leave one out.
    func date() throws -> Instant? {
        let text = try text()
        if text.isEmpty { return nil }
        do {
            return try Instant(rfc3339: text)
        } catch {
            throw SigningError(.malformed, "\(name) is not a date: \(error.description)")
        }
    }

    func requiredDate() throws -> Instant {
        guard let instant = try date() else { throw SigningError(.malformed, "\(name) is an empty date") }
        return instant
    }

    /// The attributes of the SET within.
    func attributes() throws -> AttributeReader {
        try withValue { values, value in
            guard value.tag == .set else { throw SigningError(.malformed, "\(name) is not a set") }
            return try AttributeReader(values.contents(of: value))
        }
    }

    /// The attribute as it stands, for numbers without a name here.
    func unread() throws -> ReceiptAttribute {
        try ReceiptAttribute(type: type, version: version, value: octets())
    }

    /// Reads the one ASN.1 value inside the octet string.
    private func withValue<Value>(_ body: (BERReader, BERElement) throws -> Value) throws -> Value {
        var values = element.tag == .octetString ? try reader.contents(of: element) : try BERReader(octets())
        let value = try values.next()
        try values.requireEnd(of: name)
        return try body(values, value)
    }
}
