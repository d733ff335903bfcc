import StoreHTTP
import Testing

/// Which route answers which path.
struct RouterTests {
    private static func route(_ method: HTTPMethod, _ pattern: String) -> Route {
        Route(
            method, RoutePattern(pattern),
            handler: .immediate { request in
                let texts = RoutePattern(pattern).parameterNames.map { request.parameters.text($0) ?? "?" }
                return .text(([pattern] + texts).joined(separator: " "))
            })
    }

    private func answer(_ method: String, _ target: String, _ patterns: [(HTTPMethod, String)]) -> HTTPResponse {
        let service = HTTPService(patterns.map { Self.route($0.0, $0.1) }, errors: JSONErrorForm())
        guard case .ready(let response) = service.accept(RequestHead(method, target)).answer(.empty) else {
            return HTTPResponse(.internalError)
        }
        return response
    }

    private func text(_ target: String, _ patterns: String...) -> String {
        let response = answer("GET", target, patterns.map { (.get, $0) })
        guard response.status == .ok, case .bytes(let bytes) = response.body else {
            return "\(response.status.rawValue)"
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A word outranks a parameter, a parameter a rest, whatever their order")
    func precedence() {
        #expect(text("/a/b", "/a/{x}", "/a/b", "/a/{y…}") == "/a/b")
        #expect(text("/a/c", "/a/{y…}", "/a/{x}", "/a/b") == "/a/{x} c")
        #expect(text("/a/c/d", "/a/{y…}", "/a/{x}", "/a/b") == "/a/{y…} c/d")
    }

    @Test("A path that begins like a word but goes on otherwise falls back to the parameter")
    func fallingBack() {
        #expect(text("/a/b/d", "/a/b/c", "/a/{x}/d") == "/a/{x}/d b")
        #expect(text("/a/b/e", "/a/b/c", "/a/{x}/d", "/{all…}") == "/{all…} a/b/e")
    }

    @Test("A method that a word lacks is looked for behind the parameter")
    func fallingBackByMethod() {
        let patterns: [(HTTPMethod, String)] = [(.post, "/a/b"), (.get, "/a/{x}")]
        #expect(answer("GET", "/a/b", patterns).status == .ok)
        #expect(answer("DELETE", "/a/b", patterns).fields["Allow"] == "GET, HEAD, OPTIONS, POST")
    }

    @Test("The root is a path like any other")
    func root() {
        #expect(text("/", "/") == "/")
        #expect(text("/?a=1", "/") == "/")
        #expect(text("/", "/{x}", "/{y…}") == "404")
    }

    @Test("A rest takes at least one segment")
    func rest() {
        #expect(text("/files", "/files/{path…}") == "404")
        #expect(text("/files/a", "/files/{path…}") == "/files/{path…} a")
        #expect(text("/files/a/b%20c/d", "/files/{path…}") == "/files/{path…} a/b c/d")
    }

    @Test("A rest never contains a slash that was hidden by an escape")
    func hiddenSlash() {
        #expect(text("/files/..%2F..%2Fsecret", "/files/{path…}") == "404")
        #expect(text("/files/a%2Fb", "/files/{path}") == "/files/{path} a/b")
        #expect(answer("OPTIONS", "/files/..%2Fa", [(.get, "/files/{path…}")]).status == .notFound)
    }

    @Test("A slash at the end makes another path, for every kind of route")
    func slashAtEnd() {
        #expect(text("/a/", "/a") == "404")
        #expect(text("/a/b/", "/a/{x}") == "404")
        #expect(text("/a/b/", "/a/{x…}") == "404")
    }

    @Test("An escaped letter is the letter, and words regard case")
    func escapes() {
        #expect(text("/%61", "/a") == "/a")
        #expect(text("/A", "/a") == "404")
        #expect(text("/a+b", "/{x}") == "/{x} a+b")
        #expect(text("/%7Ba%7D", "/{x}") == "/{x} {a}")
    }

    @Test("The absolute form means its path")
    func absoluteForm() throws {
        #expect(text("http://shop.example:8080/a?b=1", "/a") == "/a")
        #expect(text("HTTPS://shop.example", "/") == "/")
        #expect(text("http://shop.example?a=1", "/") == "/")
        #expect(try RequestTarget("http://shop.example:8080/a").authority == "shop.example:8080")
        #expect(throws: TargetRefusal.malformed) { try RequestTarget("http://user@shop.example/a") }
    }

    @Test("Two routes with one meaning are a problem, and the first answers")
    func conflict() {
        let router = Router([Self.route(.get, "/a/{x}"), Self.route(.get, "/a/{y}"), Self.route(.post, "/a/{y}")])
        #expect(router.problems == ["GET /a/{y}: this route means the same as /a/{x}."])
        #expect(text("/a/1", "/a/{x}", "/a/{y}") == "/a/{x} 1")
    }

    @Test("Routes that only overlap are no problem")
    func overlap() {
        let patterns = ["/a/{x}", "/a/b", "/a/{y…}", "/{x}/b", "/{x…}"]
        #expect(Router(patterns.map { Self.route(.get, $0) }).problems == [])
    }

    @Test(
        "A pattern that cannot match as it is meant is a problem",
        arguments: [
            ("a", "a pattern begins with a slash."), ("/a//b", "a segment is empty."), ("/a/", "a segment is empty."),
            ("/{}", "a parameter has no proper name."), ("/{…}", "a parameter has no proper name."),
            ("/{a…}/b", "a rest stands at the end."), ("/{a}/{a}", "two parameters have one name."),
            ("/a{b}", "a{b} is neither a word nor a parameter."), ("/a/..", ".. is neither a word nor a parameter."),
            ("/a%20b", "a%20b is neither a word nor a parameter."),
            (String(repeating: "/a", count: 65), "no path has so many segments."),
        ])
    func badPattern(_ pattern: String, _ problem: String) {
        #expect(Router([Self.route(.get, pattern)]).problems == ["GET \(pattern): \(problem)"])
    }

    @Test("A pattern with one name twice does not stop the service")
    func nameTwice() {
        #expect(text("/a/b", "/{x}/{x}") == "/{x}/{x} a a")
    }

    @Test("A streamed body and a handler that answers at once do not go together")
    func streamedAtOnce() {
        let route = Route.post("/", body: .streamed(limit: 1)) { _ in .text("") }
        let expected = "POST /: a body that is streamed needs a handler that suspends."
        #expect(Router([route]).problems == [expected])
    }

    @Test("Routes for HEAD and OPTIONS are a problem: both are answered from the others")
    func ownHead() {
        #expect(Router([Self.route(.head, "/"), Self.route(.options, "/")]).problems.count == 2)
    }

    @Test("The asterisk asks about the service as a whole, and only OPTIONS may")
    func asterisk() {
        let patterns: [(HTTPMethod, String)] = [(.post, "/a"), (.get, "/b/{x}"), (.delete, "/b/{x}")]
        let response = answer("OPTIONS", "*", patterns)
        #expect(response.status == .noContent)
        #expect(response.fields["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST")
        for method in ["GET", "options", "POST"] { #expect(answer(method, "*", patterns).status == .badRequest) }
        for target in ["**", "*/", "*?a", "/*"] { #expect(answer("OPTIONS", target, patterns).fields["Allow"] == nil) }
        #expect(answer("OPTIONS", "*", [(.get, "/{x…}")]).fields["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test("Any word is a method")
    func unknownMethod() {
        let response = answer("BREW", "/", [(.get, "/")])
        #expect(response.status == .methodNotAllowed)
        #expect(response.fields["Allow"] == "GET, HEAD, OPTIONS")
        #expect(answer("get", "/", [(.get, "/")]).status == .methodNotAllowed)
    }
}
