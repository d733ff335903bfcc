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
