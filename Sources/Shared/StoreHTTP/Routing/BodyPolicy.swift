/// How a route takes the body of its requests.
package enum BodyPolicy: Hashable, Sendable {
    /// A body is refused.
    case none
    /// The handler is called when the whole body is there.
    case collected(limit: Int)
    /// The handler is called at once and reads the body as it arrives. The handler must be a suspending one.
    case streamed(limit: Int)

    package var limit: Int {
        switch self {
        case .none: 0
        case .collected(let limit), .streamed(let limit): limit
        }
    }

    /// What a body beyond the limit is told; a transport also fails the stream of a body with it.
    package var refusal: APIError {
        if case .none = self {
            return APIError(.badRequest, code: "body_unexpected", "This request has no body.", parameter: "body")
        }
        return APIError(
            .contentTooLarge, code: "body_too_large", "The body exceeds \(limit) bytes.", parameter: "body")
    }
}
