import StoreHTTP
import Testing

/// Bodies of which every member counts.
struct ExactBodyTests {
    private struct Order: Decodable {
        struct Item: Decodable {
            let name: String
            let count: Int?
        }
        let items: [Item]?
        let texts: [String: Item]?
        let paid: Bool?
    }

    private struct Named: Decodable {
        let name: String
    }

    /// What somebody else decides the form of.
    private struct Foreign: Decodable, OpenMessage {
        let status: String?
        let item: Order.Item?
    }

    private func request(_ body: String, as type: String? = "application/json", isExact: Bool = true) throws
        -> HTTPRequest
    {
        var request = HTTPRequest(method: .post, target: try RequestTarget("/"))
        request.fields["Content-Type"] = type
        if !body.isEmpty { request.body = .collected(Array(body.utf8)) }
        if isExact { _ = try ExactBodies().begin(&request) }
        return request
    }

    @Test(
        "A member that is not known is refused by its name and place",
        arguments: [
            (#"{"payed":true}"#, "payed"), (#"{"items":[{"name":"a"},{"name":"b","cuont":1}]}"#, "items[1].cuont"),
            (#"{"texts":{"de":{"name":"a","x":{}}}}"#, "texts.de.x"), (#"{"b":1,"a":2}"#, "a"),
            (#"{"Paid":true}"#, "Paid"),
        ])
    func unknown(_ body: String, _ place: String) throws {
        let error = try #require(throws: APIError.self) { try request(body).decode(Order.self) }
        #expect(error.code == "member_unknown" && error.parameter == place && error.status == .badRequest)
        #expect(try request(body, isExact: false).decode(Order.self).paid == nil)
    }

    @Test(
        "What is known is taken, in whatever order, and null for what may be missing",
        arguments: [
            #"{}"#, #"{"paid":null,"items":[]}"#, #"{"items":[{"count":1,"name":"a"}],"texts":{"x":{"name":"b"}}}"#,
        ])
    func known(_ body: String) throws {
        _ = try request(body).decode(Order.self)
    }

    @Test("A form that is somebody else's may have more members, but not within what is ours")
    func foreign() throws {
        #expect(try request(#"{"status":"a","next":{"b":1}}"#).decode(Foreign.self).status == "a")
        let error = try #require(throws: APIError.self) {
            try request(#"{"next":1,"item":{"name":"a","x":1}}"#).decode(Foreign.self)
        }
        #expect(error.parameter == "item.x")
    }

    @Test("A body that is missing is an object without members", arguments: ["application/json", nil])
    func missing(_ type: String?) throws {
        #expect(try request("", as: type).decode(Order.self).paid == nil)
        let error = try #require(throws: APIError.self) { try request("", as: type).decode(Named.self) }
        #expect(error.code == "value_missing" && error.parameter == "name")
        #expect(throws: APIError.self) { try request("", as: type, isExact: false).decode(Order.self) }
    }

    @Test("The description says which members there are, and whether there has to be a body")
    func description() {
        func described(_ type: any Decodable.Type) -> String {
            let route = Route.post("/a") { _ in HTTPResponse(.ok) }.documented(
                OperationDocumentation(id: "a", summary: "A.", body: .json(.of(type)), responses: [.init(.ok, "Done.")])
            ).withExactBodies
            let document = OpenAPIDocument(title: "T", version: "1", schemas: [:], routes: [route])
            return String(decoding: document.bytes, as: UTF8.self)
        }
        let order = described(Order.self)
        #expect(order.contains(#""requestBody":{"required":false"#))
        #expect(order.matches(of: /"additionalProperties":false/).count == 3, "\(order)")
        #expect(described(Named.self).contains(#""requestBody":{"required":true"#))
        #expect(described(Foreign.self).contains(#""additionalProperties":true"#))
    }
}
