import StoreHTTP
import Testing

/// What browsers are told.
struct SecurityHeaderTests {
    private func fields(
        _ headers: SecurityHeaders, isSecure: Bool = false, own: HTTPFields = [:], target: String = "/"
    ) async throws -> HTTPFields {
        let route = Route.get("/") { _ in
            var response = HTTPResponse.html("<p>")
            for field in own.all { response.fields.add(field.name, field.value) }
            return response
        }
        let service = HTTPService([route], middleware: [headers], errors: JSONErrorForm())
        let request = TransportRequest("GET", target, isSecure: isSecure)
        return try await InMemoryTransport(service, clock: { 0 }).send(request).fields
    }

    @Test("Answers to programs render, load and frame nothing")
    func api() async throws {
        let fields = try await fields(.api)
        #expect(fields["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'")
        #expect(fields["X-Content-Type-Options"] == "nosniff")
        #expect(fields["Referrer-Policy"] == "no-referrer")
    }

    @Test("Pages are framed by nobody but those who are named")
    func pages() async throws {
        let alone = try await fields(.pages())
        #expect(alone["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
        let framed = try await fields(.pages(framedBy: ["https://shop.example"]))
        #expect(framed["Content-Security-Policy"]?.contains("frame-ancestors https://shop.example;") == true)
        #expect(framed["Content-Security-Policy"]?.contains("unsafe") == false)
    }

    @Test("HTTPS is promised over HTTPS only")
    func transportSecurity() async throws {
        #expect(try await fields(.api)["Strict-Transport-Security"] == nil)
        #expect(try await fields(.api, isSecure: true)["Strict-Transport-Security"] == "max-age=31536000")
    }

    @Test("What a handler has said for itself stays")
    func own() async throws {
        let fields = try await fields(.pages(), own: ["Content-Security-Policy": "sandbox"])
        #expect(fields.values("Content-Security-Policy") == ["sandbox"])
    }

    @Test("What a client has already keeps the fields that it came with", arguments: ["\"a\"", "\"b\""])
    func notModified(_ known: String) async throws {
        var route = Route.get("/") { _ in
            var response = HTTPResponse.html("<p>")
            response.fields["ETag"] = "\"a\""
            return response
        }
        route.middleware = [SecurityHeaders.pages()]
        let service = HTTPService(
            [route], middleware: [SecurityHeaders.api, ConditionalRequests(random: { 0 })], errors: JSONErrorForm())
        let request = TransportRequest("GET", "/", fields: ["If-None-Match": known])
        let response = try await InMemoryTransport(service, clock: { 0 }).send(request)
        #expect(response.status == (known == "\"a\"" ? .notModified : .ok))
        let policy = response.fields["Content-Security-Policy"]
        #expect(response.status == .notModified ? policy == nil : policy?.hasPrefix("default-src 'self'") == true)
    }

    @Test("Errors have them as well")
    func errors() async throws {
        #expect(try await fields(.api, target: "/nowhere")["X-Content-Type-Options"] == "nosniff")
    }
}
