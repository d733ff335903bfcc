import StoreFoundation

/// Bodies of which every member counts.
extension JSONSchema {
    /// The same schema, whose objects have no members but those that it names.
    package var exact: JSONSchema { JSONSchema(Self.exact(json), references: references) }

    private static func exact(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map(exact))
        case .object(let members):
            .object(
                members.map { member in
                    guard member.name == "properties", case .object(let properties) = member.value else {
                        return .init(member.name, exact(member.value))
                    }
                    return .init(member.name, .object(properties.map { .init($0.name, exact($0.value)) }))
                } + (isClosed(members) ? [.init("additionalProperties", .bool(false))] : []))
        default: value
        }
    }

    /// Whether an object names its members, and says nothing of others.
    private static func isClosed(_ members: [JSONValue.Member]) -> Bool {
        members.contains { $0.name == "properties" } && !members.contains { $0.name == "additionalProperties" }
    }

    /// Whether an object of this schema has members that may not be missing.
    package var needsMembers: Bool { Self.member("required", of: json) != nil }

    /// The place of the first member in a value that the schema does not name; nil if there is none.
    func unknownMember(in node: JSONNode) -> String? { Self.unknownMember(in: node, json, "") }

    private static func unknownMember(in node: JSONNode, _ schema: JSONValue, _ place: String) -> String? {
        if case .array(let alternatives)? = member("anyOf", of: schema) {
            // One that fits is enough.
            let found = alternatives.map { unknownMember(in: node, $0, place) }
            return found.contains(nil) ? nil : found.first ?? nil
        }
        switch node {
        case .list(let nodes):
            guard let items = member("items", of: schema) else { return nil }
            return nodes.enumerated().lazy.compactMap { unknownMember(in: $1, items, "\(place)[\($0)]") }.first
        case .object(let members):
            let others = member("additionalProperties", of: schema)
            guard let properties = member("properties", of: schema) else {
                guard let others else { return nil }
                return unknown(among: members, place) { unknownMember(in: $0, others, $1) }
            }
            for (name, node) in members.sorted(by: { $0.key < $1.key }) {
                let path = place.isEmpty ? name : "\(place).\(name)"
                guard let known = member(name, of: properties) else {
                    if others == nil { return path }
                    continue
                }
                if let found = unknownMember(in: node, known, path) { return found }
            }
            return nil
        default: return nil
        }
    }

    private static func unknown(
        among members: [String: JSONNode], _ place: String, _ find: (JSONNode, String) -> String?
    ) -> String? {
        for (name, node) in members.sorted(by: { $0.key < $1.key }) {
            if let found = find(node, place.isEmpty ? name : "\(place).\(name)") { return found }
        }
        return nil
    }

    private static func member(_ name: String, of value: JSONValue) -> JSONValue? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }
}

/// Lets the bodies of a route count to the last member: one that is not known is refused by its name, and a body that is
/// missing is an object without members.
package struct ExactBodies: Middleware {
    package init() {}

    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        request.hasExactBody = true
        return nil
    }
}

extension Route {
    /// The route with bodies that count to the last member, and a description that says so.
    package var withExactBodies: Route {
        var route = self
        route.middleware.append(ExactBodies())
        if let body = documentation?.body { route.documentation?.body = body.exact }
        return route
    }
}
