/// The target of a request as a log may show it: without the values that were named as secret.
struct LoggedTarget: Hashable, Sendable, CustomStringConvertible {
    private let target: RequestTarget
    let pattern: RoutePattern?
    private let hidden: Set<String>

    /// - Parameters:
    ///   - pattern: that of its route, by which its parameters have names.
    ///   - hidden: the names of parameters of paths and queries that nobody may see.
    init(_ target: RequestTarget, pattern: RoutePattern?, hiding hidden: Set<String>) {
        self.target = target
        self.pattern = pattern
        self.hidden = hidden
    }

    /// What it shows, also where somebody prints the whole entry.
    var description: String { query.isEmpty ? path : path + "?" + query }

    var path: String {
        if target == .asterisk { return target.raw }
        let names = pattern?.segments ?? []
        let segments = target.segments.enumerated().map { index, segment in
            // A rest stands for all that follows it.
            switch index < names.count ? names[index] : names.last {
            case .parameter(let name) where hidden.contains(name), .rest(let name) where hidden.contains(name): "…"
            default: PercentEncoding.encode(segment)
            }
        }
        return "/" + segments.joined(separator: "/") + (target.endsWithSlash ? "/" : "")
    }

    var query: String {
        target.query.all.map { item in
            let value = hidden.contains(item.name) ? "…" : PercentEncoding.encode(item.value)
            return "\(PercentEncoding.encode(item.name))=\(value)"
        }.joined(separator: "&")
    }
}
