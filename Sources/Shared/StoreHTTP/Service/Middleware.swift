/// Something that happens around many routes: naming requests, logging, limiting, compressing.
///
/// It has parts before and after instead of a call around the handler, so that a handler that answers at once is never suspended.
package protocol Middleware: Sendable {
    /// Runs before the handler, from the outermost inwards. An answer given here is the answer.
    func begin(_ request: inout HTTPRequest) throws -> HTTPResponse?

    /// Runs when the body is there or begins to arrive, from the outermost inwards.
    func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws

    /// Runs after the handler, from the innermost outwards, for whatever response there is.
    func end(_ response: inout HTTPResponse, of request: HTTPRequest)
}

extension Middleware {
    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? { nil }

    package func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws {}

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {}
}
