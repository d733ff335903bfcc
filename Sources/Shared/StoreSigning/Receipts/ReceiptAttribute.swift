import StoreFoundation
import StoreModel

/// One attribute of a receipt as it was read: a number for its type, and a value.
package struct ReceiptAttribute: Hashable, Sendable {
    package var type: Int64
    package var version: Int64
    package var value: [UInt8]

    package init(type: Int64, version: Int64 = 1, value: [UInt8]) {
        self.type = type
        self.version = version
        self.value = value
    }

    var encoded: [UInt8] {
        DER.sequence(DER.integer(type), DER.integer(version), DER.octetString(value))
    }
}

/// One attribute whose value is still unread; ``AttributeReader`` reads it by the type that its number stands for.
struct FoundAttribute {
    let type: Int64
    let version: Int64
    /// The octet string that holds the value.
    let element: BERElement
    /// The cursor behind it, with the depth of the attribute.
    let cursor: BERCursor

    var name: String { "attribute \(type)" }

    /// The start of what the octet string holds.
    var contents: BERCursor { get throws { try cursor.contents(of: element) } }
}

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

    /// The attribute as bytes, for numbers without a name here.
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

/// Reads the dates of receipts.
enum ReceiptDate {
    /// A date; nil where the text is empty, which is how receipts leave one out.
    static func read(_ element: BERElement, in bytes: [UInt8], _ name: @autoclosure () -> String) throws -> Instant? {
        if let instant = usual(element, in: bytes) { return instant }
        let text = try element.text(in: bytes, name())
        if text.isEmpty { return nil }
        do {
            return try Instant(rfc3339: text)
        } catch {
            throw SigningError(.malformed, "\(name()) is not a date: \(error.description)")
        }
    }

    /// Reads the form that stores write, `2025-12-26T18:39:47Z`, without making a string.
    ///
    /// A receipt has two or three dates for each purchase. Anything else is left to the general reader, which reports
    /// what is wrong.
    private static func usual(_ element: BERElement, in bytes: [UInt8]) -> Instant? {
        let start = element.content.lowerBound
        guard element.tag == .ia5String || element.tag == .utf8String, element.content.count == byteCount,
            bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            bytes[start + 10] == UInt8(ascii: "T"), bytes[start + 13] == UInt8(ascii: ":"),
            bytes[start + 16] == UInt8(ascii: ":"), bytes[start + 19] == UInt8(ascii: "Z"),
            let century = number(at: start, in: bytes), let year = number(at: start + 2, in: bytes),
            let month = number(at: start + 5, in: bytes), let day = number(at: start + 8, in: bytes),
            let hour = number(at: start + 11, in: bytes), let minute = number(at: start + 14, in: bytes),
            let second = number(at: start + 17, in: bytes)
        else { return nil }
        let time = CivilTime(
            year: century * 100 + year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard time.year >= 1, (1...12).contains(month), hour < 24, minute < 60, second < 60, day >= 1,
            day <= CivilDate.days(inMonth: month, of: time.year)
        else { return nil }
        return StoreCalendar.instant(of: time)
    }

    private static let byteCount = 20

    /// Two digits.
    private static func number(at index: Int, in bytes: [UInt8]) -> Int? {
        let tens = bytes[index] &- 0x30
        let ones = bytes[index + 1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }
}
