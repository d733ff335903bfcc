/// Writes one entry for each request that was answered.
package struct RequestLog: Middleware {
    private let now: @Sendable () -> Int64
    private let hidden: Set<String>
    private let sink: @Sendable (Entry) -> Void

    /// What a request came to. It has no field, no body, no value that was named as secret.
    package struct Entry: Hashable, Sendable {
        package let id: String
        package let method: String
        package let path: String
        package let query: String
        package let status: Int
        /// Bytes of the response's body, where they are known in advance.
        package let bytes: Int?
        /// Until the head of the response was ready.
        package let nanoseconds: Int64
        package let peer: String

        /// The entry as a line of JSON without its end.
        package var json: String {
            JSONValue.members([
                "request_id": .string(id), "method": .string(method), "path": .string(path),
                "query": query.isEmpty ? nil : .string(query), "status": .integer(status),
                "bytes": bytes.map(JSONValue.integer), "microseconds": .integer(Int(nanoseconds / 1000)),
                "peer": .string(peer),
            ]).text
        }
    }

    /// `clock` measures nanoseconds; `hiding` names the parameters of paths and queries whose values are secret.
    package init(
        clock: @escaping @Sendable () -> Int64, hiding hidden: Set<String>, sink: @escaping @Sendable (Entry) -> Void
    ) {
        now = clock
        self.hidden = hidden
        self.sink = sink
    }

    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        request.began = now()
        return nil
    }

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        let items = request.target.query.all.map { item in
            let value = hidden.contains(item.name) ? "…" : PercentEncoding.encode(item.value)
            return "\(PercentEncoding.encode(item.name))=\(value)"
        }
        sink(
            Entry(
                id: request.id, method: request.method.rawValue, path: path(of: request),
                query: items.joined(separator: "&"), status: response.status.rawValue, bytes: response.body.length,
                nanoseconds: max(0, now() - request.began), peer: request.peer.host))
    }

    private func path(of request: HTTPRequest) -> String {
        let names = request.route?.segments ?? []
        let segments = request.target.segments.enumerated().map { index, segment in
            // A rest stands for all that follows it.
            switch index < names.count ? names[index] : names.last {
            case .parameter(let name) where hidden.contains(name), .rest(let name) where hidden.contains(name): "…"
            default: PercentEncoding.encode(segment)
            }
        }
        return "/" + segments.joined(separator: "/") + (request.target.endsWithSlash ? "/" : "")
    }
}
