import Foundation
import StoreFoundation

/// The members of a signed payload, read leniently: what is missing or has another form is noted, and is empty.
///
/// An app also gets a value of which the signature or the content is wrong, as one that is not verified. So reading never fails,
/// and ``isComplete`` says whether everything was there that must be.
struct SignedClaims {
    private let bytes: [UInt8]
    private var members: [(name: Range<Int>, value: Range<Int>)] = []
    /// Whether the payload is an object of JSON that every reader reads alike.
    private(set) var isReadable = true
    /// Whether every member was there that must be.
    private(set) var isComplete = true

    /// The most values within one another.
    private static let depth = 32

    init(_ payload: [UInt8]) {
        bytes = payload
        do {
            var reader = JSONReader(payload, depth: Self.depth)
            try reader.requireUTF8()
            members.reserveCapacity(40)
            while let name = try reader.nextMember() {
                let value = try reader.value()
                if !name.isEscaped { members.append((name.content, value)) }
            }
        } catch {
            isReadable = false
            isComplete = false
            members = []
        }
    }

    /// The JSON of a member; nil if there is none, or it is null.
    private func json(_ name: StaticString) -> ArraySlice<UInt8>? {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        let found = members.first { $0.name.count == wanted.count && bytes[$0.name].elementsEqual(wanted) }
        guard let value = found.map({ bytes[$0.value] }), !value.elementsEqual("null".utf8) else { return nil }
        return value
    }

    /// A text; nil if there is none.
    func text(_ name: StaticString) -> String? {
        guard let value = json(name), value.count >= 2, value.first == UInt8(ascii: "\"") else { return nil }
        let content = value.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        return decode(String.self, name)
    }

    /// A value of another form, by the decoder; nil if there is none or it is wrong.
    func decode<Value: Decodable>(_ type: Value.Type, _ name: StaticString) -> Value? {
        guard let value = json(name) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(value))
    }

    /// A whole number; nil if there is none.
    func number(_ name: StaticString) -> Int64? {
        json(name).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }

    /// A number with digits behind the point, exactly; nil if there is none.
    func decimal(_ name: StaticString) -> Decimal? {
        json(name).flatMap { Decimal(string: String(decoding: $0, as: UTF8.self), locale: Self.posix) }
    }

    private static let posix = Locale(identifier: "en_US_POSIX")

    /// A price, which is written in thousandths.
    func price(_ name: StaticString) -> Decimal? { decimal(name).map { $0 / 1000 } }

    /// True or false; nil if it is neither.
    func flag(_ name: StaticString) -> Bool? {
        guard let value = json(name) else { return nil }
        return value.elementsEqual("true".utf8) ? true : value.elementsEqual("false".utf8) ? false : nil
    }

    /// A moment, which is written in milliseconds since 1970.
    func date(_ name: StaticString) -> Date? {
        guard let value = json(name), let number = Double(String(decoding: value, as: UTF8.self)) else { return nil }
        return Date(timeIntervalSince1970: number / 1000)
    }

    /// An id, which is written as a text of digits, or as a number.
    func identifier(_ name: StaticString) -> UInt64? {
        if let text = text(name) { return UInt64(text) }
        return json(name).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    /// An id as it is written, whether as a text or as a number.
    func identifierText(_ name: StaticString) -> String? {
        text(name) ?? number(name).map(String.init)
    }

    func uuid(_ name: StaticString) -> UUID? { text(name).flatMap { UUID(uuidString: $0) } }

    /// Bytes, which are written in Base64.
    func data(_ name: StaticString) -> Data? { text(name).flatMap { Data(base64Encoded: $0) } }

    /// What must be there; a stand-in that is noted otherwise.
    mutating func required<Value>(_ value: Value?, or empty: Value) -> Value {
        if value == nil { isComplete = false }
        return value ?? empty
    }
}

extension Date {
    /// What stands in for the date of a payload that has none.
    static let missing = Date(timeIntervalSince1970: 0)
}

extension UUID {
    /// What stands in for the UUID of a payload that has none.
    static let missing = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
