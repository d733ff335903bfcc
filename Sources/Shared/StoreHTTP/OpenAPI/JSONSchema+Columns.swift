/// A column of the table that a list of objects makes.
package struct SchemaColumn: Hashable, Sendable {
    /// The member, behind the members of the objects that it lies in.
    package let path: [String]
    package let schema: JSONSchema

    /// `total.amount`
    package var name: String { path.joined(separator: ".") }
}

extension JSONSchema {
    /// How deep objects may lie within each other.
    private static let depth = 8

    /// The members of an object as columns of a table, in their order: those of the objects in it, too, each under its path. A list
    /// is one column.
    package var columns: [SchemaColumn] { Self.columns(of: self, at: []) }

    private static func columns(of schema: JSONSchema, at path: [String]) -> [SchemaColumn] {
        guard let properties = schema.member("properties"), case .object(let members) = properties, path.count < depth
        else {
            return path.isEmpty ? [] : [SchemaColumn(path: path, schema: schema)]
        }
        return members.flatMap {
            columns(of: JSONSchema($0.value, references: schema.references), at: path + [$0.name])
        }
    }

    /// What a page of a list has as its items; nil for what is no page of objects.
    package var listed: JSONSchema? {
        guard case .object(let members)? = member("properties"),
            let items = members.first(where: { $0.name == "items" })?.value,
            let element = JSONSchema(items, references: references).member("items")
        else { return nil }
        let found = JSONSchema(element, references: references)
        return found.member("properties") == nil ? nil : found
    }

    private func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = json else { return nil }
        return members.first { $0.name == name }?.value
    }
}
