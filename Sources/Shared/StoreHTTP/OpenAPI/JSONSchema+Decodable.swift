import Synchronization

/// A value whose JSON has a rule that its type cannot say to a decoder: a pattern, a range, a text about it.
package protocol SchemaValue {
    /// The schema of the type, wherever it is used.
    static var schema: JSONSchema { get }
}

/// A message some members of which have a rule or a text that their types do not have.
package protocol SchemaMessage {
    /// What these members look like, by their names. Whether they may be missing is known.
    static var schemas: [String: JSONSchema] { get }
}

/// A message whose form is somebody else's: members that it does not know are passed over, because its next version has
/// more.
package protocol OpenMessage {}

extension JSONSchema {
    /// What a type reads from JSON.
    ///
    /// The type is read from a decoder that notes what it is asked for, so that the description of an interface cannot
    /// differ from what the interface takes and answers. It has to read objects by their members, as synthesised
    /// conformances do; of a type that reads otherwise, a ``SchemaValue`` says how it looks. A type that cannot be read at
    /// all is described as any value.
    package static func of(_ type: any Decodable.Type) -> JSONSchema {
        let name = ObjectIdentifier(type)
        if let schema = known.withLock({ $0[name] }) { return schema }
        let schema = (try? SchemaDecoder.read(type).schema) ?? .any
        known.withLock { $0[name] = schema }
        return schema
    }

    /// The schemas of types that were described already: both listeners of a store have most of them.
    private static let known = Mutex<[ObjectIdentifier: JSONSchema]>([:])
}

/// A decoder that gives everybody something, and notes what it was asked for.
private struct SchemaDecoder: Decoder {
    final class Notes {
        var members: [(name: String, schema: JSONSchema)] = []
        var optional: Set<String> = []
        /// Of a type that is one value.
        var value: JSONSchema?
    }

    let notes = Notes()
    let schemas: [String: JSONSchema]
    /// What texts are.
    let text: String
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Texts of which each type that has a rule takes one.
    private static let texts = [
        "a", "0", "P1M", "USD", "sandbox", "full", "00000000-0000-0000-0000-000000000000", "https://a.example",
    ]

    static func read<Value: Decodable>(_ type: Value.Type) throws -> (schema: JSONSchema, value: Value) {
        let rule = (type as? any SchemaValue.Type)?.schema
        if let list = type as? any SchemaList.Type, case (let schema, let value as Value) = try list.read() {
            return (rule ?? schema, value)
        }
        let schemas = (type as? any SchemaMessage.Type)?.schemas ?? [:]
        for text in texts {
            let decoder = SchemaDecoder(schemas: schemas, text: text)
            guard let value = try? Value(from: decoder) else { continue }
            let notes = decoder.notes
            let object = JSONSchema.object(
                notes.members, optional: notes.optional, isOpen: type is any OpenMessage.Type)
            return (rule ?? notes.value ?? object, value)
        }
        throw DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "\(type) reads no text that is known"))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    var unsupported: DecodingError {
        .dataCorrupted(
            .init(codingPath: [], debugDescription: "a type that is described reads objects or single values"))
    }

    struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: SchemaDecoder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { true }

        /// Only members that may be missing are asked for this.
        func decodeNil(forKey key: Key) -> Bool {
            decoder.notes.optional.insert(key.stringValue)
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let (schema, value) = try read(type)
            decoder.notes.members.append((key.stringValue, decoder.schemas[key.stringValue] ?? schema))
            return value
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw decoder.unsupported }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw decoder.unsupported
        }

        func superDecoder() throws -> any Decoder { throw decoder.unsupported }

        func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.unsupported }
    }
}

extension SchemaDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value): (JSONSchema, Any) =
            switch type {
            case is String.Type: (.string(), text)
            case is Bool.Type: (.boolean(), false)
            case let number as any BinaryInteger.Type: (.integer(), number.init(0))
            default: try Self.read(type)
            }
        guard let value = value as? Value else { throw unsupported }
        notes.value = schema
        return value
    }
}

/// Values of one kind, of any number.
private protocol SchemaList {
    static func read() throws -> (JSONSchema, Any)
}

extension Array: SchemaList where Element: Decodable {
    fileprivate static func read() throws -> (JSONSchema, Any) {
        (.array(of: try SchemaDecoder.read(Element.self).schema), [Element]())
    }
}

extension Dictionary: SchemaList where Key == String, Value: Decodable {
    fileprivate static func read() throws -> (JSONSchema, Any) {
        (.dictionary(of: try SchemaDecoder.read(Value.self).schema), [Key: Value]())
    }
}
