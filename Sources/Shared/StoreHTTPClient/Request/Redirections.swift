import StoreHTTP

/// Where a request has been sent on to, and whether it goes on.
struct Redirections {
    private(set) var request: ClientRequest
    private let limit: Int
    private var count = 0

    init(_ request: ClientRequest, limit: Int) {
        self.request = request
        self.limit = limit
    }

    /// Fields that tell a stranger nothing: all that go along to another host.
    private static let harmless: Set<String> = [
        "accept", "accept-encoding", "accept-language", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "range", "user-agent",
    ]

    /// Whether the response sends the request elsewhere, which ``request`` then says.
    ///
    /// Only GET and HEAD are followed: nothing that changes something goes to a place that a server names.
    mutating func follow(_ status: HTTPStatus, _ fields: HTTPFields, from url: ClientURL) throws(HTTPClientError)
        -> Bool
    {
        guard request.followsRedirections, [.get, .head].contains(request.method),
            [301, 302, 303, 307, 308].contains(status.rawValue), let location = fields["Location"]
        else { return false }
        count += 1
        guard count <= limit else {
            throw HTTPClientError(
                .redirection, "\(url.place) redirects more than \(limit) times.", outcome: .answered, status: status)
        }
        let next = try url.following(location)
        guard next.isSecure || !url.isSecure else {
            let message = "\(url.place) redirects to \(next.place): what was asked in secret is not asked in the open."
            throw HTTPClientError(.redirection, message, outcome: .answered, status: status)
        }
        if next.place != url.place { request.fields = Self.harmlessFields(of: request.fields) }
        request.url = next.text
        return true
    }

    private static func harmlessFields(of fields: HTTPFields) -> HTTPFields {
        fields.all.filter { harmless.contains($0.name.lowercased()) }.reduce(into: HTTPFields()) { kept, field in
            kept.add(field.name, field.value)
        }
    }
}
