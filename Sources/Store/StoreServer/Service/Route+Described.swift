import StoreHTTP
import StoreModel

extension Route {
    /// The route with its description: what it is for, what it takes, what it answers.
    ///
    /// - Parameters:
    ///   - description: more than the line of the summary.
    ///   - token: the kind of token it wants as Bearer, if it wants one.
    ///   - refusals: the codes with which it refuses, beside those that every route has. Their statuses follow from their
    ///     declarations. A test fails when a route answers a code that is not among them.
    func described(
        _ id: String, _ summary: String, description: String? = nil, tag: String, token: String? = nil,
        parameters: [OperationDocumentation.Parameter] = [], body: JSONSchema? = nil,
        answers: [OperationDocumentation.Response], refusals: [RefusalCode] = []
    ) -> Route {
        var common: [RefusalCode] = [.valueInvalid, .valueMissing]
        if token != nil { common += [.tokenInvalid, .tokenMissing] }
        let ofBody: [HTTPStatus] = body == nil ? [] : [.contentTooLarge, .unsupportedMediaType]
        return documented(
            OperationDocumentation(
                id: id, summary: summary, description: description, tag: tag, parameters: parameters,
                body: body.map { .json($0) },
                responses: answers + ofBody.map { .init($0, Self.reason($0), .error) }, bearer: token)
        ).refusing(common + refusals)
    }

    /// The route with more codes with which it refuses, as its description has them.
    func refusing(_ codes: [RefusalCode]) -> Route {
        guard var documentation else { return self }
        for code in codes {
            let status = HTTPStatus(code)
            let place =
                documentation.responses.firstIndex { $0.status == status } ?? documentation.responses.endIndex
            if place == documentation.responses.endIndex {
                documentation.responses.append(.init(status, Self.reason(status), .error))
            }
            documentation.responses[place].add(code: code.rawValue)
        }
        return documented(documentation)
    }

    private static func reason(_ status: HTTPStatus) -> String { reasons[status.rawValue] ?? "It is refused." }

    private static let reasons = [
        400: "A value is missing or breaks its rule; the error names it.", 401: "There is no token, or not a good one.",
        403: "It is not allowed here.", 404: "There is no such thing in the scope of the token.",
        409: "It contradicts what happened before.", 410: "This place in the events means nothing any more.",
        413: "The body is too large.", 415: "The body is not JSON, or does not say so.", 429: "It is too much.",
        503: "The store cannot answer just now; Retry-After says when to ask again.",
    ]
}

/// What several operations refuse.
extension [RefusalCode] {
    /// There is no such product, or no such app.
    static let product: [RefusalCode] = [.appUnknown, .productUnknown]

    /// Something cannot be bought.
    static let sale: [RefusalCode] =
        product + offer + [
            .appBlocked, .keyReused, .notSignedIn, .productUnavailable, .quantityOutOfRange, .storefrontUnknown,
            .testerSpent, .tooMany,
        ]

    /// An offer cannot be had.
    static let offer: [RefusalCode] =
        code + [.invalidOfferSignature, .missingOfferParams]

    /// A code cannot be redeemed.
    static let code: [RefusalCode] = [
        .codeExpired, .codeSpent, .codeUnknown, .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
    ]
}

extension HTTPStatus {
    /// The status of answers with this code.
    init(_ code: RefusalCode) {
        self.init(rawValue: code.declaration.status.rawValue)
    }
}

extension OperationDocumentation.Body {
    /// What a type reads and writes as JSON.
    static func of(_ type: any Decodable.Type) -> OperationDocumentation.Body { .json(.of(type)) }
}

extension HTTPRequest {
    /// What the histories of purchases know the request by; nil for one that never came over a listener.
    var name: String? { id.isEmpty ? nil : id }
}
