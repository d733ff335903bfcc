package import StoreHTTP

/// A request to be sent.
package struct ClientRequest: Sendable {
    package var method: HTTPMethod
    /// Absolute, `http` or `https`, without user or password, with everything encoded that needs it.
    package var url: String
    package var fields: HTTPFields
    package var body: ClientBody
    /// Connects to this Unix domain socket instead of the host of the URL.
    package var socketPath: String?
    /// Other addresses than the client's may be reached. All requests to one origin have the same: connections are kept.
    package var addresses: AddressGuard?
    /// Other time limits than the client's.
    package var timeouts: ClientTimeouts?
    /// Follows redirections of GET and HEAD, as far as the client's limit; other requests never follow any.
    package var followsRedirections = false
    /// Whether sending it twice has the effect of sending it once, though its method is not idempotent.
    package var isRepeatableByItself = false
    /// Accepts a compressed body if it is collected.
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

    /// Whether sending it twice has the effect of sending it once.
    package var isRepeatable: Bool {
        guard body.isRepeatable else { return false }
        return isRepeatableByItself || method.isIdempotent || fields["Idempotency-Key"] != nil
    }
}

/// The body of a request to be sent.
package enum ClientBody: Sendable {
    case empty
    case bytes([UInt8])
    case file(FileBody)
    /// A stream of pieces, with the length if known.
    case stream(length: Int?, BodyStream)

    /// Whether it can be sent a second time.
    package var isRepeatable: Bool {
        if case .stream = self { false } else { true }
    }

    /// Cancels it, or its rest.
    func giveUp() {
        if case .stream(_, let stream) = self { stream.giveUp() }
    }

    /// The length, where it is known.
    package var length: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.range.count
        case .stream(let length, _): length
        }
    }
}

/// A response with its whole body.
package struct ClientResponse: Sendable {
    package let status: HTTPStatus
    /// Without `Content-Encoding` and `Content-Length` if the body was decompressed.
    package let fields: HTTPFields
    package let body: [UInt8]

    package init(_ status: HTTPStatus, fields: HTTPFields, body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Follows the redirections of a request.
struct Redirections {
    private(set) var request: ClientRequest
    private let limit: Int
    private var count = 0

    init(_ request: ClientRequest, limit: Int) {
        self.request = request
        self.limit = limit
    }

    /// The fields that are sent to another host: those without secrets.
    private static let harmless: Set<String> = [
        "accept", "accept-encoding", "accept-language", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "range", "user-agent",
    ]

    /// Whether the response redirects the request; ``request`` is then the next one.
    ///
    /// Only GET and HEAD are followed: a request that changes state is never sent to a place that a server names.
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
