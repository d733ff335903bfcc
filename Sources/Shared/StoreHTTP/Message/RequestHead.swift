/// The head of a request as a transport received it, before anything was made of it.
package struct RequestHead: Sendable {
    package var method: String
    /// As it stood in the first line.
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

    /// The request it asks for; and why it cannot be taken, if so.
    func read() -> (HTTPRequest, APIError?) {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: .unreadable, fields: fields, peer: peer, isSecure: isSecure)
        do throws(TargetRefusal) {
            let isAboutAll = request.method == .options && target == RequestTarget.asterisk.raw
            request.target = isAboutAll ? .asterisk : try RequestTarget(target)
        } catch {
            return (request, Self.refusal(of: error))
        }
        return (request, refusalOfFields() ?? refusalOfMethod())
    }

    private static func refusal(of target: TargetRefusal) -> APIError {
        switch target {
        case .tooLong:
            let limit = HTTPLimits.targetBytes
            let message = "The path and query exceed \(limit) bytes or \(HTTPLimits.pathSegments) segments."
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
