/// Adds the security fields for browsers.
package struct SecurityHeaders: Middleware {
    private let fields: HTTPFields

    private init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// For responses to programs: no rendering, loading or framing.
    package static let api = SecurityHeaders([
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    ])

    /// For pages: only own resources, nothing inline. `framedBy` lists who may show them in a frame.
    package static func pages(framedBy ancestors: [String] = []) -> SecurityHeaders {
        let frames = ancestors.isEmpty ? "'none'" : ancestors.joined(separator: " ")
        let policy =
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors \(frames); object-src 'none'"
        return SecurityHeaders([
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": policy,
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        ])
    }

    /// Fields that a handler has set are kept. So is what came with the response that a client has already: what a 304 says, it
    /// puts in the place of that.
    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        guard response.status != .notModified else { return }
        for field in fields.all where response.fields[field.name] == nil {
            response.fields.add(field.name, field.value)
        }
        // Over plain HTTP browsers ignore it.
        if request.isSecure, response.fields["Strict-Transport-Security"] == nil {
            response.fields["Strict-Transport-Security"] = "max-age=31536000"
        }
    }
}
