import StoreHTTP

extension Route {
    /// The route with its description: what it is for, what it takes, what it answers.
    ///
    /// - Parameters:
    ///   - description: more than the line of the summary.
    ///   - token: the kind of token it wants as Bearer, if it wants one.
    ///   - refusals: the statuses with which it refuses, beside those that every route has.
    func described(
        _ id: String, _ summary: String, description: String? = nil, tag: String, token: String? = nil,
        parameters: [OperationDocumentation.Parameter] = [], body: JSONSchema? = nil,
        answers: [OperationDocumentation.Response], refusals: [HTTPStatus] = []
    ) -> Route {
        var statuses = Set(refusals.map(\.rawValue))
        statuses.insert(HTTPStatus.badRequest.rawValue)
        if token != nil { statuses.insert(HTTPStatus.unauthorized.rawValue) }
        if body != nil {
            statuses.formUnion([HTTPStatus.contentTooLarge.rawValue, HTTPStatus.unsupportedMediaType.rawValue])
        }
        let refused = statuses.sorted().map { status in
            OperationDocumentation.Response(
                HTTPStatus(rawValue: status), Self.reasons[status] ?? "It is refused.", .error)
        }
        return documented(
            OperationDocumentation(
                id: id, summary: summary, description: description, tag: tag, parameters: parameters,
                body: body.map { .json($0) },
                responses: answers + refused, bearer: token))
    }

    private static let reasons = [
        400: "A value is missing or breaks its rule; the error names it.", 401: "There is no token, or not a good one.",
        403: "It is not allowed here.", 404: "There is no such thing in the scope of the token.",
        409: "It contradicts what happened before.", 410: "This place in the events means nothing any more.",
        413: "The body is too large.", 415: "The body is not JSON, or does not say so.", 429: "It is too much.",
    ]
}

extension OperationDocumentation.Body {
    /// What a type reads and writes as JSON.
    static func of(_ type: any Decodable.Type) -> OperationDocumentation.Body { .json(.of(type)) }
}

extension HTTPRequest {
    /// What the histories of purchases know the request by; nil for one that never came over a listener.
    var name: String? { id.isEmpty ? nil : id }
}
