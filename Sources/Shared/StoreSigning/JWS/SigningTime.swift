import Foundation
import StoreModel

/// When a payload says it was signed: `signedDate`, or `receiptCreationDate` for the app's own transaction.
enum SigningTime {
    private static let signedDate = Array("signedDate".utf8)
    private static let receiptCreationDate = Array("receiptCreationDate".utf8)

    static func read(from payload: [UInt8]) throws -> Instant {
        var signed: Instant?
        var created: Instant?
        try JSONMembers.scan(payload) { name, value in
            // Of two dates each reader might believe another one.
            if try isNamed(payload[name], signedDate) {
                guard signed == nil else { throw malformed }
                signed = try instant(payload[value])
            } else if try isNamed(payload[name], receiptCreationDate) {
                guard created == nil else { throw malformed }
                created = try instant(payload[value])
            }
        }
        guard let instant = signed ?? created else {
            throw SigningError(.malformed, "the payload of the JWS has neither signedDate nor receiptCreationDate")
        }
        return instant
    }

    private static var malformed: SigningError {
        SigningError(.malformed, "the payload of the JWS is not JSON with a signing date")
    }

    private static func isNamed(_ name: ArraySlice<UInt8>, _ expected: [UInt8]) throws -> Bool {
        guard name.contains(UInt8(ascii: "\\")) else { return name.elementsEqual(expected) }
        let quote = [UInt8(ascii: "\"")]
        return try decode(String.self, quote + name + quote).utf8.elementsEqual(expected)
    }

    /// Reads the usual form, thirteen digits or so, directly, and every other as the payload's decoder will.
    private static func instant(_ value: ArraySlice<UInt8>) throws -> Instant? {
        guard value.count <= mostDigits, value.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return try decode(Instant?.self, Array(value))
        }
        let milliseconds = value.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return Instant(millisecondsSinceEpoch: milliseconds)
    }

    /// Numbers of so many digits lie well within the years that an instant can have: the last is in 5138.
    private static let mostDigits = 14

    private static func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json))
        } catch {
            throw malformed
        }
    }
}
