/// Writes one entry for each request, when its response was sent or broken off.
package struct RequestLog: Middleware {
    private let now: @Sendable () -> Int64
    private let hidden: PathSecrets
    private let sink: @Sendable (Entry) -> Void

    /// The entry of a request. It contains no fields, no body, no values of queries, and none of secret parameters of paths.
    package struct Entry: Hashable, Sendable {
        package let id: String
        package let method: String
        fileprivate let target: LoggedTarget
        package let status: Int
        /// Bytes of the response's body that were sent, if known.
        package let bytes: Int?
        /// Whether the whole response was sent.
        package let isComplete: Bool
        /// Until the response was ready to be sent.
        package let answerNanoseconds: Int64
        /// Until it was sent or broken off.
        package let nanoseconds: Int64
        package let peer: String

        package var path: String { target.path }
        package var query: String { target.query }
        /// The pattern of the route that answered; nil if there was none.
        package var route: String? { target.pattern?.text }

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

    /// `clock` measures nanoseconds; `hiding` is what is secret in paths; of queries no value is kept.
    package init(
        clock: @escaping @Sendable () -> Int64, hiding hidden: PathSecrets, sink: @escaping @Sendable (Entry) -> Void
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
        // The request itself is not kept: its body may be large, and the client slow.
        let (id, method, peer, began) = (request.id, request.method.rawValue, request.peer.host, request.began)
        let target = LoggedTarget(request.target, pattern: request.route, hiding: hidden)
        let status = response.status.rawValue
        let answered = max(0, now() - began)
        response.whenEnded { [now, sink] end in
            sink(
                Entry(
                    id: id, method: method, target: target, status: status, bytes: end.bytes,
                    isComplete: end.isComplete, answerNanoseconds: answered,
                    nanoseconds: max(answered, now() - began), peer: peer))
        }
    }
}

/// The target of a request for the log: without the values of secret parameters.
struct LoggedTarget: Hashable, Sendable, CustomStringConvertible {
    private let target: RequestTarget
    let pattern: RoutePattern?
    private let hidden: PathSecrets

    /// - Parameters:
    ///   - pattern: that of its route, with the names of its parameters.
    ///   - hidden: what is secret in paths.
    init(_ target: RequestTarget, pattern: RoutePattern?, hiding hidden: PathSecrets) {
        self.target = target
        self.pattern = pattern
        self.hidden = hidden
    }

    /// The text without secrets, also if the whole entry is printed.
    var description: String { query.isEmpty ? path : path + "?" + query }

    var path: String {
        if target == .asterisk { return target.raw }
        let end = target.endsWithSlash ? "/" : ""
        if pattern == nil, let shown = hidden.shown(of: target.segments) {
            return "/" + (shown.map(PercentEncoding.encode) + ["…"]).joined(separator: "/") + end
        }
        let names = pattern?.segments ?? []
        let segments = target.segments.enumerated().map { index, segment in
            // A rest matches everything that follows.
            switch index < names.count ? names[index] : names.last {
            case .parameter(let name) where hidden.hides(parameter: name),
                .rest(let name) where hidden.hides(parameter: name):
                "…"
            default: PercentEncoding.encode(segment)
            }
        }
        return "/" + segments.joined(separator: "/") + end
    }

    /// The names of the query's items only: a client may write a password there, whatever the route takes.
    var query: String { target.query.all.map { PercentEncoding.encode($0.name) }.joined(separator: "&") }
}

extension RequestTarget {
    /// The path for people, without what is secret and without what was asked.
    package func logged(pattern: RoutePattern?, hiding hidden: PathSecrets) -> String {
        LoggedTarget(self, pattern: pattern, hiding: hidden).path
    }
}
