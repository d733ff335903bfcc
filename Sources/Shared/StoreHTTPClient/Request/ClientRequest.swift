package import StoreHTTP

/// A request to be sent.
package struct ClientRequest: Sendable {
    package var method: HTTPMethod
    /// Absolute, `http` or `https`, without user or password, with everything encoded that needs it.
    package var url: String
    package var fields: HTTPFields
    package var body: ClientBody
    /// Asks at this socket of the file system instead of at the host of the address.
    package var socketPath: String?
    /// Other time limits than the client's.
    package var timeouts: ClientTimeouts?
    /// Follows redirections of GET and HEAD, as far as the client's limit; other requests never follow any.
    package var followsRedirections = false
    /// Whether its sender knows that to send it twice has the effect of sending it once, though its method does not say so.
    package var isRepeatableByItself = false
    /// Takes a collected body compressed.
    package var acceptsCompression = true

    package init(
        _ method: HTTPMethod, _ url: String, fields: HTTPFields = HTTPFields(), body: ClientBody = .empty,
        socketPath: String? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.socketPath = socketPath
    }

    package static func get(_ url: String, fields: HTTPFields = HTTPFields()) -> ClientRequest {
        ClientRequest(.get, url, fields: fields)
    }

    /// Whether to send it twice has the effect of sending it once.
    package var isRepeatable: Bool {
        guard body.isRepeatable else { return false }
        return isRepeatableByItself || method.isIdempotent || fields["Idempotency-Key"] != nil
    }
}
