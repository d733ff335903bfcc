import StoreHTTP

/// What a form has sent.
struct FormInput: Sendable {
    /// How much a form may send.
    struct Limits: Sendable {
        /// Of the whole body.
        let bytes: Int
        let fields: Int

        static let usual = Limits(bytes: FormInput.limit, fields: HTTPLimits.queryItems)
    }

    /// The largest body of a usual form.
    static let limit = 16 * 1024

    /// Nothing was sent.
    static let none = FormInput(items: QueryItems())

    let items: QueryItems

    private init(items: QueryItems) {
        self.items = items
    }

    /// Refuses what no form of ours sends, and what the page of another host has sent.
    init(_ request: HTTPRequest, _ limits: Limits = .usual) throws(APIError) {
        let type = request.fields["Content-Type"]?.lowercased() ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") || request.body.bytes.isEmpty else {
            throw APIError(
                .unsupportedMediaType, code: "media_type", "A form is application/x-www-form-urlencoded.",
                parameter: "Content-Type")
        }
        try Self.requireOwn(request)
        guard
            let items = QueryItems(parsing: String(decoding: request.body.bytes, as: UTF8.self), atMost: limits.fields)
        else {
            throw APIError(.badRequest, code: "form_invalid", "The form cannot be read.", parameter: "body")
        }
        self.items = items
    }

    /// Refuses a form of a page of somebody else. Browsers say where a form stands, without TLS by its origin only; other
    /// programs say nothing.
    static func requireOwn(_ request: HTTPRequest) throws(APIError) {
        let isOwn =
            switch (request.fields["Sec-Fetch-Site"], request.fields["Origin"]) {
            case (let site?, _): site == "same-origin" || site == "none"
            case (nil, let origin?):
                isSame(origin, as: request.fields["Host"] ?? "none")
            case (nil, nil): true
            }
        guard isOwn else {
            throw APIError(.forbidden, code: "foreign_form", "This form is on a page of somebody else.")
        }
    }

    /// Whether an origin is the host that a request was sent to. Proxies hand on the name, and not always the port: where there is
    /// one, it counts.
    private static func isSame(_ origin: String, as host: String) -> Bool {
        let (from, to) = (parts(origin.split(separator: "/").last ?? ""), parts(host))
        let usual = origin.lowercased().hasPrefix("https:") ? "443" : "80"
        return from.name == to.name && (to.port == nil || to.port == from.port ?? usual)
    }

    /// The name in an authority, and its port if it has one.
    private static func parts(_ authority: some StringProtocol) -> (name: String, port: String?) {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":")
        let name = authority[..<(end ?? authority.endIndex)].lowercased()
        let rest = authority[(end ?? authority.endIndex)...].drop { "]:".contains($0) }
        return (name, rest.isEmpty ? nil : String(rest))
    }

    subscript(name: String) -> String { items[name] ?? "" }

    /// The text of a field; nil where nothing was typed.
    func text(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }
}
