import StoreHTTP
import Testing

/// Schemas that are read off the types of messages.
struct DecodableSchemaTests {
    private struct Number: Decodable, SchemaValue {
        static let schema = JSONSchema.string(pattern: "^[0-9]+$")

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard Int(text) != nil else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no number"))
            }
        }
    }

    private struct Word: RawRepresentable, Decodable {
        let rawValue: String
    }

    private struct Part: Decodable {
        let isNew: Bool
        let count: Int64?
    }

    private struct Message: Decodable, SchemaMessage {
        let id: Number
        let word: Word?
        let parts: [Part]
        let byName: [String: Part]
        let note: String

        enum CodingKeys: String, CodingKey {
            case id, word, parts
            case byName = "by-name"
            case note
        }

        static var schemas: [String: JSONSchema] { ["note": .string("A note.", lengths: 0...9)] }
    }

    @Test("A message is described by the members that it reads, with what its types say of them")
    func message() {
        let part = JSONSchema.object(["isNew": .boolean(), "count": .integer()], optional: ["count"])
        #expect(
            JSONSchema.of(Message.self)
                == .object(
                    [
                        "id": .string(pattern: "^[0-9]+$"), "word": .string(), "parts": .array(of: part),
                        "by-name": .dictionary(of: part), "note": .string("A note.", lengths: 0...9),
                    ], optional: ["word"]))
    }

    private struct Pair: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            _ = try (list.decode(Int.self), list.decode(Int.self))
        }
    }

    @Test("A type that reads otherwise than by members is any value, unless it says how it looks")
    func unreadable() {
        #expect(JSONSchema.of(Pair.self) == .any)
    }
}
