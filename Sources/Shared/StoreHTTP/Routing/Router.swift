/// Finds the route of a path. Literal segments take precedence over parameters, parameters over a rest, whatever the
/// order of routes.
///
/// If several patterns match, the first by precedence that has the method wins: with `POST /a/b` and `GET /a/{name}`,
/// the latter gets `GET /a/b`.
package struct Router: Sendable {
    /// The result of a look-up.
    enum Match {
        case found(RouteTree.Leaf, PathParameters)
        /// The path is known, but not with this method.
        case otherMethods([HTTPMethod])
        case nothing
    }

    /// All routes, in the order in which they were given.
    package let routes: [Route]
    /// What is wrong with the routes, a sentence each: duplicates and invalid patterns. Of duplicates the first is
    /// used.
    package var problems: [String] { RouteProblems.find(in: routes) }
    private let root: RouteTree

    package init(_ routes: [Route]) {
        self.routes = routes
        root = RouteTree(routes)
    }

    func match(_ method: HTTPMethod, _ target: RequestTarget) -> Match {
        if let (route, values) = root.find(target.segments[...], method) {
            guard !target.endsWithSlash || route.route.mayEndWithSlash else { return .nothing }
            if values.isEmpty { return .found(route, PathParameters()) }
            // A duplicate name is a problem of the routes, not of the request.
            let texts = Dictionary(zip(route.route.pattern.parameterNames, values)) { first, _ in first }
            return .found(route, PathParameters(texts: texts))
        }
        return methods(at: target).map(Match.otherMethods) ?? .nothing
    }

    /// The pattern that a path has, whatever the method, and whether or not it ends with a slash; nil if there is none.
    func pattern(at target: RequestTarget) -> RoutePattern? {
        root.find(target.segments[...], nil)?.0.route.pattern
    }

    /// The methods of a path, or of all paths for the asterisk, sorted; nil if no route matches the path.
    func methods(at target: RequestTarget) -> [HTTPMethod]? {
        guard !target.endsWithSlash else { return nil }
        var names: Set<String> = []
        if target == .asterisk {
            names.formUnion(routes.map(\.method.rawValue))
        } else {
            root.collectMethods(target.segments[...], &names)
        }
        guard !names.isEmpty else { return nil }
        names.remove(HTTPMethod.any.rawValue)
        if names.contains(HTTPMethod.get.rawValue) { names.insert(HTTPMethod.head.rawValue) }
        names.insert(HTTPMethod.options.rawValue)
        return names.sorted().map(HTTPMethod.init)
    }
}

/// The routes by the segments of their patterns.
final class RouteTree: Sendable {
    private typealias Entry = (segments: ArraySlice<RoutePattern.Segment>, route: Leaf)

    /// A reference to a route, which avoids copies of it.
    final class Leaf: Sendable {
        let route: Route

        init(_ route: Route) {
            self.route = route
        }
    }

    private let words: [String: RouteTree]
    private let parameter: RouteTree?
    /// The routes of a rest that begins here.
    private let rest: [HTTPMethod: Leaf]
    /// The routes of a path that ends here.
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

    /// The route with a method, or with any if nil, and the texts of its parameters in their order.
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

/// Finds what is wrong with routes before a request does.
enum RouteProblems {
    static func find(in routes: [Route]) -> [String] {
        routes.flatMap(problems) + conflicts(in: routes)
    }

    private static func problems(of route: Route) -> [String] {
        let pattern = route.pattern
        let name = "\(route.method.rawValue) \(pattern.text)"
        var found = pattern.problems.map { "\(name): \($0)" }
        if case .streamed = route.body, case .immediate = route.handler {
            found.append("\(name): a body that is streamed needs a handler that suspends.")
        }
        if route.method == .head || route.method == .options {
            found.append("\(name): \(route.method.rawValue) is answered from the other routes of the path.")
        }
        return found
    }

    /// Routes that answer the same requests: one method and patterns that differ in names only.
    private static func conflicts(in routes: [Route]) -> [String] {
        var seen: [Meaning: Route] = [:]
        return routes.compactMap { route in
            let meaning = Meaning(method: route.method, shape: route.pattern.shape)
            guard let first = seen[meaning] else {
                seen[meaning] = route
                return nil
            }
            let (one, other) = (first.pattern.text, route.pattern.text)
            return "\(route.method.rawValue) \(other): this route means the same as \(one)."
        }
    }

    private struct Meaning: Hashable {
        let method: HTTPMethod
        let shape: [RoutePattern.Segment]
    }
}
