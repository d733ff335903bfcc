/// The limits of everything that is parsed here.
package enum HTTPLimits {
    /// The path and query of a request, in bytes.
    package static let targetBytes = 8 * 1024
    /// Segments of a path.
    package static let pathSegments = 64
    /// Items of a query or a form.
    package static let queryItems = 256
    /// Fields of one request.
    package static let fields = 100
    /// Names and values of all fields of one request together, in bytes.
    package static let fieldBytes = 32 * 1024
    /// The body of a request that a route takes in one piece, unless the route has another limit.
    package static let collectedBodyBytes = 1024 * 1024
    /// How much of a streamed body may be buffered for its handler.
    package static let streamedBytes = 256 * 1024
    /// Parameters of one value of a field.
    package static let fieldParameters = 16
    /// Types, codings or languages that a client may weigh.
    package static let preferences = 64
    /// Cookies of one request.
    package static let cookies = 64
    /// Name and value of a cookie that we set, in bytes.
    package static let cookieBytes = 4000
    /// Tags of `If-Match` or `If-None-Match`.
    package static let entityTags = 64
    /// The nesting of objects and arrays in a JSON body.
    package static let jsonDepth = 64
    /// Ranges of one request; more are answered with the whole.
    package static let ranges = 16
}
