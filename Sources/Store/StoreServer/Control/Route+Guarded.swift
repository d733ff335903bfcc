package import StoreHTTP

extension Route {
    /// The route for those only who show a token as Bearer.
    ///
    /// - Parameters:
    ///   - scheme: how the description of the interface calls the kind of token.
    ///   - hasForm: what has not the form of a token is refused before its body is read.
    ///   - isKnown: whether a token is let in.
    package func guarded(
        by scheme: String, hasForm: @escaping @Sendable (String) -> Bool,
        _ isKnown: @escaping @Sendable (String) async throws -> Bool
    ) -> Route {
        var route = self
        route.middleware.insert(TokenForm(hasForm: hasForm), at: 0)
        let handler = handler
        route.handler = .suspending { request in
            guard case .bearer(let token) = request.authorization, try await isKnown(token) else {
                throw TokenForm.refusal
            }
            return try await handler.answer(request)
        }
        route.documentation?.bearer = scheme
        route.documentation?.responses.append(.init(.unauthorized, "There is no token, or not a good one.", .error))
        return route
    }

    /// The route with something before its path.
    package func mounted(under prefix: String) -> Route {
        var route = self
        route.pattern = RoutePattern(prefix + pattern.text)
        return route
    }
}

/// Refuses requests without anything that could be a token.
private struct TokenForm: Middleware {
    let hasForm: @Sendable (String) -> Bool

    func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        guard case .bearer(let token) = request.authorization, hasForm(token) else { throw Self.refusal }
        return nil
    }

    static var refusal: APIError {
        var error = APIError(
            .unauthorized, code: "token_invalid", "This needs a token that is valid here, as Bearer.",
            parameter: "Authorization")
        error.fields["WWW-Authenticate"] = "Bearer"
        return error
    }
}
