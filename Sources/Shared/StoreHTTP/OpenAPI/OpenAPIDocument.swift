/// The description of an interface in OpenAPI 3.1, from the documentation of routes. Equal routes give equal bytes.
package struct OpenAPIDocument: Sendable {
    private let title: String
    private let version: String
    private let schemas: KeyValuePairs<String, JSONSchema>
    private let routes: [(route: Route, documentation: OperationDocumentation)]

    /// The document of the routes that have a documentation. `schemas` are those that others refer to by name.
    package init(
        title: String, version: String, schemas: KeyValuePairs<String, JSONSchema> = [:], routes: [Route]
    ) {
        self.title = title
        self.version = version
        self.schemas = schemas
        self.routes = routes.compactMap { route in route.documentation.map { (route, $0) } }
    }

    /// The document, without white space.
    package var bytes: [UInt8] { json.bytes }

    package var json: JSONValue {
        .members([
            "openapi": .string("3.1.0"),
            "info": .members(["title": .string(title), "version": .string(version)]),
            "paths": paths,
            "components": components,
        ])
    }

    private var components: JSONValue? {
        let tokens = Set(routes.compactMap(\.documentation.bearer)).sorted()
        if schemas.isEmpty && tokens.isEmpty { return nil }
        let bearer = JSONValue.members(["type": .string("http"), "scheme": .string("bearer")])
        return .members([
            "schemas": schemas.isEmpty ? nil : .object(schemas.map { JSONValue.Member($0.key, $0.value.json) }),
            "securitySchemes": tokens.isEmpty ? nil : .object(tokens.map { JSONValue.Member($0, bearer) }),
        ])
    }

    /// The paths, sorted, with sorted methods.
    private var paths: JSONValue {
        let byPath = Dictionary(grouping: routes) { $0.route.pattern.template }
        return .object(
            byPath.keys.sorted().map { path in
                let operations = (byPath[path] ?? []).sorted { $0.route.method.rawValue < $1.route.method.rawValue }
                return JSONValue.Member(
                    path,
                    .object(
                        operations.map {
                            JSONValue.Member($0.route.method.rawValue.lowercased(), Self.operation($0.documentation))
                        }))
            })
    }

    private static func operation(_ operation: OperationDocumentation) -> JSONValue {
        .members([
            "operationId": .string(operation.id),
            "summary": .string(operation.summary),
            "description": operation.description.map(JSONValue.string),
            "tags": operation.tag.map { .array([.string($0)]) },
            "parameters": operation.parameters.isEmpty ? nil : .array(operation.parameters.map(parameter)),
            "security": operation.bearer.map { .array([.object([JSONValue.Member($0, .array([]))])]) },
            "requestBody": operation.body.map {
                .members(["required": .bool($0.isRequired), "content": content([$0])])
            },
            "responses": .object(
                operation.responses.sorted { $0.status.rawValue < $1.status.rawValue }.map { response in
                    JSONValue.Member(
                        String(response.status.rawValue),
                        .members([
                            "description": .string(response.text),
                            "content": response.content.map {
                                content([$0] + [response.alternative].compactMap(\.self))
                            },
                        ]))
                }),
        ])
    }

    private static func parameter(_ parameter: OperationDocumentation.Parameter) -> JSONValue {
        .members([
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "description": .string(parameter.description), "required": .bool(parameter.isRequired),
            "schema": parameter.schema.json,
        ])
    }

    private static func content(_ bodies: [OperationDocumentation.Body]) -> JSONValue {
        .object(bodies.map { JSONValue.Member($0.mediaType, .members(["schema": $0.schema.json])) })
    }

    /// The differences between description and routes, a sentence each.
    package var problems: [String] {
        let known = Set(schemas.map(\.key))
        var found: [String] = []
        var ids: Set<String> = []
        for (route, operation) in routes {
            let name = "\(route.method.rawValue) \(route.pattern.text)"
            let parameters = operation.parameters.filter { $0.place == .path }.map(\.name)
            if parameters.sorted() != route.pattern.parameterNames.sorted() {
                found.append("\(name): the description must name exactly the parts of the path.")
            }
            if !ids.insert(operation.id).inserted { found.append("\(name): \(operation.id) is another's id.") }
            if operation.responses.isEmpty { found.append("\(name): the description names no response.") }
            if operation.body != nil, route.body == .none { found.append("\(name): the route takes no body.") }
            for missing in Self.references(of: operation).subtracting(known).sorted() {
                found.append("\(name): there is no schema \(missing).")
            }
        }
        for (name, schema) in schemas {
            for missing in schema.references.subtracting(known).sorted() {
                found.append("\(name): there is no schema \(missing).")
            }
        }
        return found
    }

    private static func references(of operation: OperationDocumentation) -> Set<String> {
        let bodies = [operation.body].compactMap(\.self) + operation.responses.compactMap(\.content)
        let schemas = operation.parameters.map(\.schema) + bodies.map(\.schema)
        return schemas.reduce(into: []) { $0.formUnion($1.references) }
    }
}

extension RoutePattern {
    /// As in OpenAPI, which has no form for a rest.
    fileprivate var template: String { text.replacing("…}", with: "}") }
}
