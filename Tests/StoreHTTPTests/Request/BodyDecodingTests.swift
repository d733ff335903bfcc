import StoreHTTP
import Testing

/// Forms and JSON.
struct BodyDecodingTests {
    private struct Order: Decodable, Equatable {
        struct Item: Decodable, Equatable {
            let name: String
            let count: Int
        }
        let items: [Item]
        let paid: Bool?
    }

    private func request(_ body: String, as type: String?) throws -> HTTPRequest {
        var request = HTTPRequest(method: .post, target: try RequestTarget("/"))
        request.fields["Content-Type"] = type
        request.body = .collected(Array(body.utf8))
        return request
    }

    @Test(
        "A body in JSON becomes a value",
        arguments: ["application/json", "application/json; charset=utf-8", "a/b+json"])
    func json(_ type: String) throws {
        let order = try request(#"{"items":[{"name":"a","count":2}]}"#, as: type).decode(Order.self)
        #expect(order == Order(items: [.init(name: "a", count: 2)], paid: nil))
    }

    @Test(
        "An error names the value that is wrong",
        arguments: [
            (#"{"items":[{"name":"a","count":1},{"name":"b"}]}"#, "items[1].count", "value_missing"),
            (#"{"items":[{"name":1,"count":1}]}"#, "items[0].name", "value_invalid"),
            (#"{"items":[{"name":"a","count":"x"}]}"#, "items[0].count", "value_invalid"),
            (#"{"items":[{"name":"a","count":1.5}]}"#, "body", "json_malformed"),
            (#"{"items":null}"#, "items", "value_missing"), (#"{}"#, "items", "value_missing"),
            (#"{"items":[],"paid":1}"#, "paid", "value_invalid"), (#"[]"#, "body", "value_invalid"),
            (#"{"items":["#, "body", "json_malformed"), ("", "body", "json_malformed"),
            ("\u{0}", "body", "json_malformed"),
        ])
    func jsonError(_ body: String, _ parameter: String, _ code: String) throws {
        let request = try request(body, as: "application/json")
        let error = try #require(throws: APIError.self) { try request.decode(Order.self) }
        #expect(error.status == .badRequest)
        #expect(error.parameter == parameter)
        #expect(error.code == code)
    }

    @Test("An error says nothing of what the body contains")
    func discreet() throws {
        let request = try request(#"{"items":[{"name":"a","count":"hunter2"}]}"#, as: "application/json")
        let error = try #require(throws: APIError.self) { try request.decode(Order.self) }
        #expect(error.message == "This must be a whole number.")
    }

    @Test("A bomb of brackets is refused")
    func nesting() throws {
        let request = try request(String(repeating: "[", count: 100_000), as: "application/json")
        #expect(throws: APIError.self) { try request.decode([String].self) }
    }

    @Test("Another media type is refused unless the interface takes any", arguments: ["text/plain", nil, "json"])
    func mediaType(_ type: String?) throws {
        let request = try request("[1]", as: type)
        let error = try #require(throws: APIError.self) { try request.decode([Int].self) }
        #expect(error.status == .unsupportedMediaType)
        #expect(try request.decode([Int].self, checkingMediaType: false) == [1])
    }

    @Test("A form is read like a query")
    func form() throws {
        let form = try request("a=1+2&b=%C3%A9&a=3", as: "application/x-www-form-urlencoded; charset=UTF-8").form()
        #expect(form["a"] == "1 2")
        #expect(form.values("a") == ["1 2", "3"])
        #expect(form["b"] == "é")
    }

    @Test("A broken form and another media type are refused")
    func badForm() throws {
        let broken = try request("a=%zz", as: "application/x-www-form-urlencoded")
        #expect(try #require(throws: APIError.self) { try broken.form() }.code == "form_malformed")
        let other = try request("a=1", as: "application/json")
        #expect(try #require(throws: APIError.self) { try other.form() }.status == .unsupportedMediaType)
    }
}
