/// Finds the route of a path. Words outrank parameters, parameters outrank a rest, whatever the order of routes.
///
/// A path that several patterns match belongs to the first of that rank which has the method, so that `POST /a/b` beside
/// `GET /a/{name}` leaves `GET /a/b` to the latter.
package struct Router: Sendable {
    /// What a look-up found.
    enum Match {
        case found(RouteTree.Leaf, PathParameters)
        /// The path is known, but not with this method.
        case otherMethods([HTTPMethod])
        case nothing
    }

    /// All routes, in the order in which they were given.
    package let routes: [Route]
    /// What is wrong with the routes, a sentence each: two with one meaning, patterns that cannot be. Of two routes with
    /// one meaning the first answers.
    package let problems: [String]
    private let root: RouteTree

    package init(_ routes: [Route]) {
        self.routes = routes
        problems = RouteProblems.find(in: routes)
        root = RouteTree(routes)
    }

    func match(_ method: HTTPMethod, _ target: RequestTarget) -> Match {
        guard !target.endsWithSlash else { return .nothing }
        if let (route, values) = root.find(target.segments[...], method) {
            if values.isEmpty { return .found(route, PathParameters()) }
            // A name that occurs twice is a problem of the routes, not of the request.
            let texts = Dictionary(zip(route.route.pattern.parameterNames, values)) { first, _ in first }
            return .found(route, PathParameters(texts: texts))
        }
        return methods(at: target).map(Match.otherMethods) ?? .nothing
    }

    /// The pattern that a path has, whatever the method, and whether or not it ends with a slash; nil if it has none.
    func pattern(at target: RequestTarget) -> RoutePattern? {
        root.find(target.segments[...], nil)?.0.route.pattern
    }

    /// The methods that a path answers, or any path for the asterisk, in the order of the alphabet; nil if there is
    /// nothing at the path.
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
