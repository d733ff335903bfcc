/// The routes by the segments of their patterns.
final class RouteTree: Sendable {
    private typealias Entry = (segments: ArraySlice<RoutePattern.Segment>, route: Leaf)

    /// A route, of which a request takes what it needs without a copy of the whole.
    final class Leaf: Sendable {
        let route: Route

        init(_ route: Route) {
            self.route = route
        }
    }

    private let words: [String: RouteTree]
    private let parameter: RouteTree?
    /// What answers here, whatever follows.
    private let rest: [HTTPMethod: Leaf]
    /// What answers a path that ends here.
    private let routes: [HTTPMethod: Leaf]

    convenience init(_ routes: [Route]) {
        self.init(routes.map { (segments: $0.pattern.segments[...], route: Leaf($0)) })
    }

    private init(_ entries: [Entry]) {
        var words: [String: [Entry]] = [:]
        var parameters: [Entry] = []
        var rest: [HTTPMethod: Leaf] = [:]
        var routes: [HTTPMethod: Leaf] = [:]
        for (segments, route) in entries {
            let below = (segments: segments.dropFirst(), route: route)
            switch segments.first {
            case nil: routes[route.route.method] = routes[route.route.method] ?? route
            case .word(let word): words[word, default: []].append(below)
            case .parameter: parameters.append(below)
            case .rest: rest[route.route.method] = rest[route.route.method] ?? route
            }
        }
        self.words = words.mapValues(RouteTree.init)
        parameter = parameters.isEmpty ? nil : RouteTree(parameters)
        self.rest = rest
        self.routes = routes
    }

    /// The route with a method, or with any for nil, and the texts of its parameters in their order.
    func find(_ segments: ArraySlice<String>, _ method: HTTPMethod?) -> (Leaf, [String])? {
        guard let segment = segments.first else {
            return Self.route(method, in: routes).map { ($0, []) }
        }
        if let found = words[segment]?.find(segments.dropFirst(), method) { return found }
        if let (route, values) = parameter?.find(segments.dropFirst(), method) { return (route, [segment] + values) }
        guard let route = Self.route(method, in: rest), let path = Self.path(segments) ?? (method == nil ? "" : nil)
        else { return nil }
        return (route, [path])
    }

    func collectMethods(_ segments: ArraySlice<String>, _ names: inout Set<String>) {
        guard let segment = segments.first else {
            names.formUnion(routes.keys.map(\.rawValue))
            return
        }
        words[segment]?.collectMethods(segments.dropFirst(), &names)
        parameter?.collectMethods(segments.dropFirst(), &names)
        if Self.path(segments) != nil { names.formUnion(rest.keys.map(\.rawValue)) }
    }

    private static func route(_ method: HTTPMethod?, in routes: [HTTPMethod: Leaf]) -> Leaf? {
        guard let method else { return routes.min { $0.key.rawValue < $1.key.rawValue }?.value }
        return routes[method] ?? (method == .head ? routes[.get] : nil) ?? routes[.any]
    }

    /// The rest of a path as one text; nil if a segment hides a slash, which would let `a%2F..%2Fb` climb.
    private static func path(_ segments: ArraySlice<String>) -> String? {
        segments.contains { $0.utf8.contains(UInt8(ascii: "/")) } ? nil : segments.joined(separator: "/")
    }
}
