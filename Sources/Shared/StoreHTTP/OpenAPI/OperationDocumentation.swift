/// The documentation of a route in the description of the interface.
package struct OperationDocumentation: Sendable {
    /// Names the operation in generated clients: `finishTransaction`.
    package var id: String
    /// One line.
    package var summary: String
    package var description: String?
    /// Groups operations.
    package var tag: String?
    package var parameters: [Parameter]
    package var body: Body?
    package var responses: [Response]
    /// The kind of bearer token that the route requires; nil for none.
    package var bearer: String?

    /// A part of the path, an item of the query, or a field.
    package struct Parameter: Sendable {
        enum Place: String, Sendable {
            case path, query, header
        }

        let place: Place
        let name: String
        let description: String
        let isRequired: Bool
        let schema: JSONSchema

        /// A path parameter, described by the type that its route reads.
        package static func path<Value>(
            _ parameter: PathParameter<Value>, schema: JSONSchema = .string()
        ) -> Parameter {
            Parameter(
                place: .path, name: parameter.name, description: "Must be \(parameter.rule).", isRequired: true,
                schema: schema)
        }

        package static func query(
            _ name: String, _ description: String, isRequired: Bool = false, schema: JSONSchema = .string()
        ) -> Parameter {
            Parameter(place: .query, name: name, description: description, isRequired: isRequired, schema: schema)
        }

        package static func header(
            _ name: String, _ description: String, isRequired: Bool = false, schema: JSONSchema = .string()
        ) -> Parameter {
            Parameter(place: .header, name: name, description: description, isRequired: isRequired, schema: schema)
        }
    }

    /// The body of the request.
    package struct Body: Sendable {
        let mediaType: String
        package let schema: JSONSchema
        /// Whether there has to be one.
        private(set) var isRequired = true

        /// The same in JSON of which every member counts; it may be missing if all of its members may.
        var exact: Body {
            guard mediaType == "application/json" else { return self }
            return Body(mediaType: mediaType, schema: schema.exact, isRequired: schema.needsMembers)
        }

        package static func json(_ schema: JSONSchema) -> Body { Body(mediaType: "application/json", schema: schema) }

        /// An error of our own interfaces, which the document has by name.
        package static let error = Body.json(.named(APIError.schemaName))

        package static func text(_ mediaType: String) -> Body { Body(mediaType: mediaType, schema: .string()) }

        package static func form(_ schema: JSONSchema) -> Body {
            Body(mediaType: "application/x-www-form-urlencoded", schema: schema)
        }
    }

    package struct Response: Sendable {
        package let status: HTTPStatus
        let description: String
        package let content: Body?
        /// The same in another form, which a request may ask for.
        package var alternative: Body?
        /// The codes of the errors that have this status, sorted.
        package private(set) var codes: [String] = []

        /// Whether it is an error of our own interfaces.
        package var isError: Bool { content?.schema == Body.error.schema }

        package init(_ status: HTTPStatus, _ description: String, _ content: Body? = nil) {
            self.status = status
            self.description = description
            self.content = content
        }

        /// What it is, with the codes of its errors.
        var text: String {
            codes.isEmpty
                ? description : description + " Codes: " + codes.map { "`\($0)`" }.joined(separator: ", ") + "."
        }

        package mutating func add(code: String) {
            if !codes.contains(code) { codes = (codes + [code]).sorted() }
        }
    }

    package init(
        id: String, summary: String, description: String? = nil, tag: String? = nil, parameters: [Parameter] = [],
        body: Body? = nil, responses: [Response], bearer: String? = nil
    ) {
        self.id = id
        self.summary = summary
        self.description = description
        self.tag = tag
        self.parameters = parameters
        self.body = body
        self.responses = responses
        self.bearer = bearer
    }
}

extension Route {
    /// The route with its part of the description of the interface.
    package func documented(_ documentation: OperationDocumentation) -> Route {
        var route = self
        route.documentation = documentation
        return route
    }
}
