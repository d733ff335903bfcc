/// A request as a handler sees it.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    package var target: RequestTarget
    package var fields: HTTPFields
    package var body: RequestBody
    package var peer: PeerAddress
    /// Whether it came over TLS, directly or by the word of a trusted proxy.
    package var isSecure: Bool
    /// Names the request in logs and answers.
    package var id: String
    /// What the pattern of the route found in the path.
    package var parameters: PathParameters
    /// The pattern of the route; nil until there is one.
    package var route: RoutePattern?
    /// When it came, by the clock of the log.
    var began: Int64 = 0
    /// How much more its sender may ask; nil if nobody counts.
    var rate: RateStanding?

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
