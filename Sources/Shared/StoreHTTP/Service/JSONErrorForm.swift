/// The form of errors of the store's own interfaces.
package struct JSONErrorForm: ErrorForm {
    /// The address of the page about errors; the code is added as its fragment.
    private let documentation: String?

    package init(documentation: String? = nil) {
        self.documentation = documentation
    }

    package func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        let body = JSONValue.members([
            "error": .members([
                "type": .string(error.type.rawValue),
                "code": .string(error.code),
                "message": .string(error.message),
                "parameter": error.parameter.map(JSONValue.string) ?? .null,
                "request_id": request.id.isEmpty ? .null : .string(request.id),
                "documentation": documentation.map { .string("\($0)#\(error.code)") } ?? .null,
            ])
        ])
        var response = HTTPResponse(error.status, body.bytes, as: "application/json")
        // What went wrong once is asked for again, not remembered.
        response.fields["Cache-Control"] = "no-store"
        for field in error.fields.all { response.fields.add(field.name, field.value) }
        return response
    }
}
