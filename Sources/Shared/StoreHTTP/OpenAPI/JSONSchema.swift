/// The schema of a JSON value, for the description of an interface.
package struct JSONSchema: Hashable, Sendable {
    let json: JSONValue
    /// The names of the schemas that it refers to.
    let references: Set<String>

    private init(_ members: KeyValuePairs<String, JSONValue?>, references: Set<String> = []) {
        self.init(.members(members), references: references)
    }

    init(_ json: JSONValue, references: Set<String>) {
        self.json = json
        self.references = references
    }

    package static func string(
        _ description: String? = nil, format: String? = nil, example: String? = nil, among values: [String]? = nil,
        pattern: String? = nil, lengths: ClosedRange<Int>? = nil
    ) -> JSONSchema {
        JSONSchema([
            "type": .string("string"), "description": description.map(JSONValue.string),
            "format": format.map(JSONValue.string), "enum": values.map { .array($0.map(JSONValue.string)) },
            "examples": example.map { .array([.string($0)]) }, "pattern": pattern.map(JSONValue.string),
            "minLength": lengths.map { .integer($0.lowerBound) }, "maxLength": lengths.map { .integer($0.upperBound) },
        ])
    }

    package static func integer(
        _ description: String? = nil, minimum: Int? = nil, maximum: Int? = nil
    ) -> JSONSchema {
        JSONSchema([
            "type": .string("integer"), "description": description.map(JSONValue.string),
            "minimum": minimum.map(JSONValue.integer), "maximum": maximum.map(JSONValue.integer),
        ])
    }

    package static func boolean(_ description: String? = nil) -> JSONSchema {
        JSONSchema(["type": .string("boolean"), "description": description.map(JSONValue.string)])
    }

    package static func array(
        of element: JSONSchema, description: String? = nil, lengths: ClosedRange<Int>? = nil
    ) -> JSONSchema {
        JSONSchema(
            [
                "type": .string("array"), "description": description.map(JSONValue.string), "items": element.json,
                "minItems": lengths.map { .integer($0.lowerBound) },
                "maxItems": lengths.map { .integer($0.upperBound) },
            ],
            references: element.references)
    }

    /// An object with members in this order, of which some may be missing.
    package static func object(
        _ members: KeyValuePairs<String, JSONSchema>, optional: Set<String> = [], description: String? = nil
    ) -> JSONSchema {
        object(members.map { ($0.key, $0.value) }, optional: optional, description: description)
    }

    /// The same, from a collection of members.
    ///
    /// - Parameter isOpen: whether members of other names are passed over wherever the object stands.
    package static func object(
        _ members: [(name: String, schema: JSONSchema)], optional: Set<String> = [], description: String? = nil,
        isOpen: Bool = false
    ) -> JSONSchema {
        let required = members.map(\.name).filter { !optional.contains($0) }
        return JSONSchema(
            [
                "type": .string("object"), "description": description.map(JSONValue.string),
                "properties": .object(members.map { JSONValue.Member($0.name, $0.schema.json) }),
                "required": required.isEmpty ? nil : .array(required.map(JSONValue.string)),
                "additionalProperties": isOpen ? .bool(true) : nil,
            ],
            references: members.reduce(into: []) { $0.formUnion($1.schema.references) })
    }

    /// A value that matches at least one of these.
    package static func either(_ schemas: JSONSchema..., description: String? = nil) -> JSONSchema {
        JSONSchema(
            ["description": description.map(JSONValue.string), "anyOf": .array(schemas.map(\.json))],
            references: schemas.reduce(into: []) { $0.formUnion($1.references) })
    }

    /// An object with any names and values of one kind.
    package static func dictionary(of value: JSONSchema, description: String? = nil) -> JSONSchema {
        JSONSchema(
            [
                "type": .string("object"), "description": description.map(JSONValue.string),
                "additionalProperties": value.json,
            ], references: value.references)
    }

    /// The value or null.
    package static func nullable(_ schema: JSONSchema) -> JSONSchema {
        JSONSchema(
            ["anyOf": .array([schema.json, .members(["type": .string("null")])])], references: schema.references)
    }

    /// A schema that the document has by name.
    package static func named(_ name: String) -> JSONSchema {
        JSONSchema(["$ref": .string("#/components/schemas/\(name)")], references: [name])
    }

    /// Any value.
    package static let any = JSONSchema([:])
}

extension APIError {
    /// The name of the schema of errors in descriptions of interfaces.
    package static let schemaName = "Error"

    /// The schema of errors of our own interfaces.
    package static let schema = JSONSchema.object([
        "error": .object(
            [
                "type": .string("The kind of error, of which there are few."),
                "code": .string("The exact reason."),
                "message": .string("What happened, why, and what to do."),
                "parameter": .nullable(.string("The field, header or part of the path it is about.")),
                "request_id": .nullable(.string("Names the request in the store's log.")),
                "documentation": .nullable(.string("The path of a page about it, at the same address.")),
                "storeKitCode": .integer("To devices only: the code of StoreKit's error."),
            ], optional: ["storeKitCode"])
    ])
}
