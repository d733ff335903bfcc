import Foundation
import StoreFoundation

/// A request as a handler sees it.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    package var target: RequestTarget
    package var fields: HTTPFields
    package var body: RequestBody
    package var peer: PeerAddress
    /// Whether it came over TLS, directly or according to a trusted proxy.
    package var isSecure: Bool
    /// The id of the request in logs and responses.
    package var id: String
    /// The path parameters that the route's pattern found.
    package var parameters: PathParameters
    /// The pattern of the route; nil before it is known.
    package var route: RoutePattern?
    /// What the gate of the route found out for its handler, such as who asks.
    package var context = RequestContext()
    /// Answers in the place of the handler; nil for almost all requests.
    package var interceptor: RequestInterceptor?
    /// Whether every member of a body in JSON counts: see ``ExactBodies``.
    var hasExactBody = false
    /// When it arrived, by the clock of the log.
    var began: Int64 = 0
    /// The state of its rate limit; nil without one.
    var rate: RateStatus?

    package init(
        method: HTTPMethod, target: RequestTarget, fields: HTTPFields = HTTPFields(), body: RequestBody = .empty,
        peer: PeerAddress = .local, isSecure: Bool = false, id: String = ""
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.peer = peer
        self.isSecure = isSecure
        self.id = id
        parameters = PathParameters()
    }
}

/// Answers one request around its handler, which it may call: once, twice or not at all.
///
/// Middleware sets one. It runs when the request is complete and its gate has let it pass.
package typealias RequestInterceptor =
    @Sendable (_ request: HTTPRequest, _ handle: @Sendable () async throws -> HTTPResponse) async throws -> HTTPResponse

/// Values that travel with a request from a gate to a handler, one of each type.
package struct RequestContext: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    package init() {}

    package subscript<Value: Sendable>(_ type: Value.Type) -> Value? {
        get { values[ObjectIdentifier(type)] as? Value }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}

/// The method of a request. Methods are case-sensitive, and any token is one.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")

    /// For a route: any method that the path has no other route for. No request has it, since it is not a token.
    package static let any = HTTPMethod(rawValue: "(any)")

    /// Whether a repeated request has the effect of one (RFC 9110 §9.2.2), so that a client may send it again.
    package var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options].contains(self)
    }
}

/// The head of a request as a transport received it, before it was parsed.
package struct RequestHead: Sendable {
    package var method: String
    /// As in the first line.
    package var target: String
    package var fields: HTTPFields
    package var peer: PeerAddress
    package var isSecure: Bool

    package init(
        _ method: String, _ target: String, fields: HTTPFields = HTTPFields(), peer: PeerAddress = .local,
        isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.peer = peer
        self.isSecure = isSecure
    }

    /// The request, and why it is refused, if so.
    func read() -> (HTTPRequest, APIError?) {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: .unreadable, fields: fields, peer: peer, isSecure: isSecure)
        do throws(TargetRefusal) {
            let isAboutAll = request.method == .options && target == RequestTarget.asterisk.raw
            request.target = isAboutAll ? .asterisk : try RequestTarget(target)
        } catch {
            // The path says in which form it is refused, if it can be read alone.
            if let path = try? RequestTarget(String(target.prefix { $0 != "?" })) { request.target = path }
            return (request, Self.refusal(of: error))
        }
        return (request, refusalOfFields() ?? refusalOfMethod())
    }

    private static func refusal(of target: TargetRefusal) -> APIError {
        switch target {
        case .tooLong:
            let message =
                "The path and the query exceed \(HTTPLimits.targetBytes) bytes, \(HTTPLimits.pathSegments) segments or "
                + "\(HTTPLimits.queryItems) values."
            return APIError(.targetTooLong, code: "target_too_long", message, parameter: "path")
        case .malformed:
            let message = "The path or the query is not a well-formed one; encode what is not a letter or a digit."
            return APIError(.badRequest, code: "target_malformed", message, parameter: "path")
        }
    }

    private func refusalOfMethod() -> APIError? {
        HTTPToken.isToken(method)
            ? nil : APIError(.badRequest, code: "method_malformed", "The method is not a word.", parameter: "method")
    }

    private func refusalOfFields() -> APIError? {
        var bytes = 0
        var areNamed = true
        for field in fields.all {
            bytes += field.name.utf8.count + field.value.utf8.count
            areNamed = areNamed && HTTPToken.isToken(field.name)
        }
        guard fields.all.count <= HTTPLimits.fields, bytes <= HTTPLimits.fieldBytes else {
            let message = "The header exceeds \(HTTPLimits.fields) fields or \(HTTPLimits.fieldBytes) bytes."
            return APIError(.fieldsTooLarge, code: "header_too_large", message, parameter: "header")
        }
        guard areNamed else {
            return APIError(.badRequest, code: "header_malformed", "A field has no proper name.", parameter: "header")
        }
        return nil
    }
}

extension HTTPRequest {
    /// The items of a form, from a body that was taken in one piece.
    package func form() throws(APIError) -> QueryItems {
        try requireMediaType("application/x-www-form-urlencoded") { $0.essence == "application/x-www-form-urlencoded" }
        guard let text = String(validating: body.bytes, as: UTF8.self), let items = QueryItems(parsing: text) else {
            let message = "The form has a broken escape or more than \(HTTPLimits.queryItems) items."
            throw APIError(.badRequest, code: "form_malformed", message, parameter: "body")
        }
        return items
    }

    /// The value of a body in JSON. An error names the part that is wrong: `items[2].price`.
    ///
    /// `checkingMediaType` is false for interfaces whose clients do not send one.
    package func decode<Value: Decodable>(_ type: Value.Type, checkingMediaType: Bool = true) throws(APIError) -> Value
    {
        let isMissing = hasExactBody && body.bytes.isEmpty
        if checkingMediaType && !isMissing { try requireMediaType("application/json", \.isJSON) }
        let bytes = isMissing ? Array("{}".utf8) : body.bytes
        let node: JSONNode?
        do throws(JSONReader.Fault) {
            try JSONReader.check(bytes, depth: HTTPLimits.jsonDepth)
            node = hasExactBody ? try JSONNode(bytes, depth: HTTPLimits.jsonDepth) : nil
        } catch {
            throw APIError(error)
        }
        if let member = node.flatMap({ JSONSchema.of(type).unknownMember(in: $0) }) {
            throw APIError(
                .badRequest, code: "member_unknown",
                "Nothing of this name is taken here; /openapi.json lists the names that are.", parameter: member)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw APIError(error)
        } catch {
            throw APIError(.badRequest, code: "json_malformed", "The body is not JSON.", parameter: "body")
        }
    }

    /// The bytes of a JSON body, for a parser of the caller.
    package func json() throws(APIError) -> [UInt8] {
        try requireMediaType("application/json", \.isJSON)
        return body.bytes
    }

    private func requireMediaType(_ name: String, _ isRight: (MediaType) -> Bool) throws(APIError) {
        guard let type = fields.mediaType, isRight(type) else {
            throw APIError(
                .unsupportedMediaType, code: "media_type_unsupported", "The body must be \(name), and say so.",
                parameter: "Content-Type")
        }
    }
}

extension APIError {
    /// What is wrong with the form of a body in JSON.
    init(_ fault: JSONReader.Fault) {
        let message =
            switch fault.kind {
            case .malformed: "The body is not JSON in UTF-8."
            case .tooDeep: "The body has more than \(HTTPLimits.jsonDepth) objects and arrays within one another."
            case .repeated: "An object in the body has two members of one name."
            }
        self.init(.badRequest, code: "json_malformed", message, parameter: "body")
    }

    /// What is wrong with a JSON body, without its content.
    init(_ error: DecodingError) {
        let (code, message, path): (String, String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context):
                ("value_missing", "This value is missing.", context.codingPath + [key])
            case .valueNotFound(let type, let context):
                ("value_missing", "This must not be null but \(Self.name(of: type)).", context.codingPath)
            case .typeMismatch(let type, let context):
                ("value_invalid", "This must be \(Self.name(of: type)).", context.codingPath)
            case .dataCorrupted(let context) where context.codingPath.isEmpty:
                ("json_malformed", "The body is not JSON, or has a number that is too large or no whole one.", [])
            case .dataCorrupted(let context): ("value_invalid", "This value is not a possible one.", context.codingPath)
            @unknown default: ("json_malformed", "The body is not JSON of the right form.", [])
            }
        self.init(.badRequest, code: code, message, parameter: path.isEmpty ? "body" : Self.text(path))
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        default: "of another kind"
        }
    }
}
