/// An error of the store's own interfaces.
///
/// A handler throws it; the service writes it in the form of the route.
package struct APIError: Error, Hashable, Sendable {
    package var status: HTTPStatus
    /// The kind of error, one of a few; clients decide by it whether to retry.
    package var type: Kind
    /// The exact reason, one of many.
    package var code: String
    /// What happened, why, and what to do, safe to log.
    package var message: String
    /// The field, header or part of the path it is about.
    package var parameter: String?
    /// Further fields of the response, such as `Retry-After`.
    package var fields = HTTPFields()

    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let invalidRequest = Kind(rawValue: "invalid_request")
        package static let authentication = Kind(rawValue: "authentication")
        package static let permission = Kind(rawValue: "permission")
        package static let conflict = Kind(rawValue: "conflict")
        package static let rateLimit = Kind(rawValue: "rate_limit")
        package static let store = Kind(rawValue: "store")

        init(_ status: HTTPStatus) {
            self =
                switch status {
                case .unauthorized: .authentication
                case .forbidden: .permission
                case .conflict, .preconditionFailed: .conflict
                case .tooManyRequests: .rateLimit
                default: status.rawValue >= 500 ? .store : .invalidRequest
                }
        }
    }

    package init(_ status: HTTPStatus, code: String, _ message: String, parameter: String? = nil) {
        self.status = status
        type = Kind(status)
        self.code = code
        self.message = message
        self.parameter = parameter
    }
}

extension APIError {
    /// A message as a sentence: with a capital letter, unless it begins with the name of a field or an id such as
    /// `com.example.book`, and a full stop.
    package static func sentence(_ text: String, about parameter: String? = nil) -> String {
        // A sentence that begins with the name of a field has it as it is written.
        let isField = parameter.map { text.hasPrefix("\($0):") } ?? false
        let isNamed = isField || text.prefix { $0 != " " }.dropLast().contains(".")
        let start = isNamed ? String(text.prefix(1)) : text.prefix(1).uppercased()
        return start + text.dropFirst() + ([".", "?"].contains { text.hasSuffix($0) } ? "" : ".")
    }
}

/// The form of errors: the store's own interfaces have one, Apple's have another.
package protocol ErrorForm: Sendable {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse
}

/// The form of errors of the store's own interfaces.
package struct JSONErrorForm: ErrorForm {
    /// The address of the page about errors; the code is added as its fragment.
    private let documentation: String?
    /// The members that one interface adds to those of all.
    private let more: @Sendable (APIError) -> [JSONValue.Member]

    package init(
        documentation: String? = nil, more: @escaping @Sendable (APIError) -> [JSONValue.Member] = { _ in [] }
    ) {
        self.documentation = documentation
        self.more = more
    }

    package func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        let members: [JSONValue.Member] = [
            .init("type", .string(error.type.rawValue)),
            .init("code", .string(error.code)),
            .init("message", .string(error.message)),
            .init("parameter", error.parameter.map(JSONValue.string) ?? .null),
            .init("request_id", request.id.isEmpty ? .null : .string(request.id)),
            .init("documentation", documentation.map { .string("\($0)#\(error.code)") } ?? .null),
        ]
        let body = JSONValue.members(["error": .object(members + more(error))])
        var response = HTTPResponse(error.status, body.bytes, as: "application/json")
        // Errors must not be cached.
        response.fields["Cache-Control"] = "no-store"
        for field in error.fields.all { response.fields.add(field.name, field.value) }
        return response
    }
}
