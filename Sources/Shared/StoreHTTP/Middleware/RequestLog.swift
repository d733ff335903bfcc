/// Writes one entry for each request that was answered, when its answer has gone out or was broken off.
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
        /// The pattern of the route that answered; nil if there was none.
        package let route: String?
        package let status: Int
        /// Bytes of the response's body that went out, where they are known.
        package let bytes: Int?
        /// Whether the whole response went out.
        package let isComplete: Bool
        /// Until the response was ready to be sent.
        package let answerNanoseconds: Int64
        /// Until it had gone out, or was broken off.
        package let nanoseconds: Int64
        package let peer: String

        /// The entry as a line of JSON without its end.
        package var json: String {
            JSONValue.members([
                "request_id": .string(id), "method": .string(method), "path": .string(path),
                "query": query.isEmpty ? nil : .string(query), "status": .integer(status),
                "bytes": bytes.map(JSONValue.integer), "complete": isComplete ? nil : .bool(false),
                "answer_microseconds": .integer(Int(answerNanoseconds / 1000)),
                "microseconds": .integer(Int(nanoseconds / 1000)), "peer": .string(peer),
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
        let (id, method, peer) = (request.id, request.method.rawValue, request.peer.host)
        let (path, query, status) = (path(of: request), items.joined(separator: "&"), response.status.rawValue)
        let (began, route) = (request.began, request.route?.text)
        let answered = max(0, now() - began)
        // The request itself is not kept: its body may be large, and the client slow.
        response.whenEnded { [now, sink] end in
            sink(
                Entry(
                    id: id, method: method, path: path, query: query, route: route, status: status,
                    bytes: end.bytes, isComplete: end.isComplete, answerNanoseconds: answered,
                    nanoseconds: max(answered, now() - began),
                    peer: peer))
        }
    }

    private func path(of request: HTTPRequest) -> String {
        if request.target == .asterisk { return request.target.raw }
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
