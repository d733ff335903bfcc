import StoreHTTP
import Testing

/// The description of an interface.
struct OpenAPITests {
    private static let item = PathParameter<Int>("item", rule: "a whole number")

    private static func route(
        _ pattern: RoutePattern, _ id: String, _ parameters: [OperationDocumentation.Parameter] = [],
        body: OperationDocumentation.Body? = nil, responses: [OperationDocumentation.Response] = [.init(.ok, "Done.")]
    ) -> Route {
        Route.get(pattern) { _ in .text("") }.documented(
            OperationDocumentation(
                id: id, summary: "S.", parameters: parameters, body: body, responses: responses))
    }

    @Test("The document says what the routes say, paths and methods in order")
    func document() {
        let routes: [Route] = [
            Self.route("/b/{item}", "readB", [.path(Self.item, schema: .integer())]),
            Route.post("/a") { _ in .text("") }.documented(
                OperationDocumentation(
                    id: "makeA", summary: "Makes.", tag: "T", parameters: [.query("q", "Q.")],
                    body: .json(.named("A")), responses: [.init(.created, "Made.", .json(.named("A")))])),
            .get("/hidden") { _ in .text("") },
        ]
        let document = OpenAPIDocument(
            title: "T", version: "1", schemas: ["A": .object(["x": .string()], optional: ["x"])], routes: routes)
        #expect(document.problems == [])
        let schema = ##""content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}"##
        let expected = [
            ##"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":"##,
            ##"{"operationId":"makeA","summary":"Makes.","tags":["T"],"parameters":[{"name":"q","in":"query","##,
            ##""description":"Q.","required":false,"schema":{"type":"string"}}],"requestBody":{"required":true,"##,
            schema, ##"},"responses":{"201":{"description":"Made.","##, schema, "}}}},",
            ##""/b/{item}":{"get":{"operationId":"readB","summary":"S.","parameters":[{"name":"item","in":"path","##,
            ##""description":"Must be a whole number.","required":true,"schema":{"type":"integer"}}],"##,
            ##""responses":{"200":{"description":"Done."}}}}},"##,
            ##""components":{"schemas":{"A":{"type":"object","properties":{"x":{"type":"string"}}}}}}"##,
        ]
        #expect(document.json.text == expected.joined())
    }

    @Test("Where description and routes disagree is a problem")
    func problems() {
        let routes = [
            Self.route("/a/{item}", "one"), Self.route("/b", "one", [.path(Self.item)]),
            Self.route("/c", "two", body: .json(.string()), responses: []),
            Self.route("/d", "three", responses: [.init(.ok, "D.", .json(.array(of: .named("X"))))]),
        ]
        let document = OpenAPIDocument(title: "T", version: "1", schemas: ["Y": .nullable(.named("Z"))], routes: routes)
        #expect(
            document.problems == [
                "GET /a/{item}: the description must name exactly the parts of the path.",
                "GET /b: the description must name exactly the parts of the path.", "GET /b: one is another's id.",
                "GET /c: the description names no response.", "GET /c: the route takes no body.",
                "GET /d: there is no schema X.", "Y: there is no schema Z.",
            ])
    }

    @Test("Equal routes give equal bytes, whatever their order")
    func deterministic() {
        let routes = ["/a", "/b", "/c", "/a/b"].map { Self.route(RoutePattern($0), $0) }
        let one = OpenAPIDocument(title: "T", version: "1", routes: routes)
        let other = OpenAPIDocument(title: "T", version: "1", routes: routes.reversed())
        #expect(one.bytes == other.bytes)
    }

    @Test("A rest is a parameter like any other there")
    func rest() {
        let path = PathParameter<String>("path", rule: "a path")
        let document = OpenAPIDocument(
            title: "T", version: "1", routes: [Self.route("/files/{path…}", "read", [.path(path)])])
        #expect(document.problems == [])
        #expect(document.json.text.contains(#""/files/{path}":{"#))
    }
}
