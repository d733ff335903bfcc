import StoreHTTP
import Testing

/// Parts of a path that are read by type.
struct PathParameterTests {
    private let number = PathParameter<Int>("number", rule: "a whole number")

    private func request(_ target: String, _ pattern: RoutePattern) throws -> HTTPRequest {
        let catcher = RequestCatcher()
        let route = Route(.get, pattern, handler: .immediate { _ in .text("") }, middleware: [catcher])
        _ = HTTPService([route], errors: JSONErrorForm()).accept(RequestHead("GET", target))
        return try #require(catcher.request)
    }

    @Test("A good text becomes a value")
    func good() throws {
        #expect(try request("/items/-12", "/items/{number}")[number] == -12)
    }

    @Test("A bad text is answered with the name and the rule", arguments: ["x", "1.5", "9223372036854775808", "1%20"])
    func bad(_ text: String) throws {
        let request = try request("/items/\(text)", "/items/{number}")
        let error = try #require(throws: APIError.self) { try request[number] }
        #expect(error.status == .notFound)
        #expect(error.parameter == "number")
        #expect(error.message == "number in the path must be a whole number.")
    }

    @Test("A parameter that the pattern lacks is the store's fault, not the client's")
    func missing() throws {
        let request = try request("/items/1", "/items/{other}")
        let error = try #require(throws: APIError.self) { try request[number] }
        #expect(error.status == .internalError)
    }
}
