/// How errors look to the client: the store's own interfaces have one form, those that are Apple's have theirs.
package protocol ErrorForm: Sendable {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse
}
