import StoreHTTP
import Testing

/// In which order things happen around a handler, and who hears of what.
struct ServiceTests {
    private struct Step: Middleware {
        let name: String
        let steps: Collector<String>
        var answer: HTTPResponse?
        var error: APIError?

        func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
            steps.keep("begin \(name)")
            if let error { throw error }
            return answer
        }

        func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws {
            steps.keep("receive \(name)")
        }

        func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
            steps.keep("end \(name) \(response.status.rawValue)")
        }
    }

    private struct Fault: Error {}

    private let steps = Collector<String>()

    private func step(_ name: String, answer: HTTPResponse? = nil, error: APIError? = nil) -> Step {
        Step(name: name, steps: steps, answer: answer, error: error)
    }

    private func send(_ outer: [Step], _ inner: [Step], _ handler: RouteHandler, target: String = "/") async throws
        -> Int
    {
        let route = Route(.get, "/", handler: handler, middleware: inner)
        let service = HTTPService([route], middleware: outer, errors: JSONErrorForm())
        return try await InMemoryTransport(service, clock: { 0 }).send(.get(target)).status.rawValue
    }

    @Test("Outer things happen around inner ones")
    func order() async throws {
        let handler = RouteHandler.suspending { [steps] _ in
            steps.keep("handler")
            return .text("")
        }
        #expect(try await send([step("a")], [step("b")], handler) == 200)
        #expect(
            steps.all == [
                "begin a", "begin b", "receive a", "receive b", "handler", "end b 200", "end a 200",
            ])
    }

    @Test("An early answer skips what lies inside, and ends what has begun")
    func early() async throws {
        let status = try await send(
            [step("a"), step("b", answer: .text("", status: .accepted))], [step("c")], .immediate { _ in .text("") })
        #expect(status == 202)
        #expect(steps.all == ["begin a", "begin b", "end b 202", "end a 202"])
    }

    @Test("An error in the middle is an answer like any other")
    func error() async throws {
        let error = APIError(.forbidden, code: "c", "m")
        #expect(try await send([step("a")], [step("b", error: error)], .immediate { _ in .text("") }) == 403)
        #expect(steps.all == ["begin a", "begin b", "end b 403", "end a 403"])
    }

    @Test("An unknown path goes through what surrounds the service")
    func unknown() async throws {
        #expect(try await send([step("a")], [step("b")], .immediate { _ in .text("") }, target: "/x") == 404)
        #expect(steps.all == ["begin a", "end a 404"])
    }

    @Test("A fault is reported to us and hidden from the client")
    func fault() async throws {
        let reported = Collector<String>()
        let service = HTTPService([.get("/") { _ in throw Fault() }], errors: JSONErrorForm()) { error, request in
            reported.keep("\(error) at \(request.target.raw)")
        }
        let response = try await InMemoryTransport(service, clock: { 0 }).send(.get("/?a"))
        #expect(response.status == .internalError)
        #expect(reported.all == ["Fault() at /?a"])
        #expect(!String(decoding: try await response.body.collect(), as: UTF8.self).contains("Fault"))
    }

    @Test("Whoever goes away before the answer is no fault; who gives up without that is")
    func abandoned() async throws {
        let reported = Collector<String>()
        let service = HTTPService(
            [
                .get("/waiting") { _ in
                    await Task.yield()
                    // As a listener does whose client has gone.
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw CancellationError()
                },
                .get("/cut") { _ in
                    let body = BodyStream()
                    body.fail(RequestEnded())
                    return try await .text("\(body.collect(limit: 1).count)")
                },
                .get("/strange") { _ in
                    await Task.yield()
                    throw CancellationError()
                },
            ], errors: JSONErrorForm()
        ) { _, request in reported.keep(request.target.raw) }
        let transport = InMemoryTransport(service, clock: { 0 })
        #expect(try await Task { try await transport.send(.get("/waiting")).status }.value == .unavailable)
        #expect(try await transport.send(.get("/cut")).status == .unavailable)
        #expect(reported.all == [])
        #expect(try await transport.send(.get("/strange")).status == .internalError)
        #expect(reported.all == ["/strange"])
    }

    @Test("A route may have errors of its own form")
    func form() async throws {
        struct Plain: ErrorForm {
            func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
                .text("plain \(error.code)", status: error.status)
            }
        }
        let refuse: @Sendable (HTTPRequest) throws -> HTTPResponse = { _ in throw APIError(.gone, code: "c", "m") }
        let own = Route(.get, "/own", handler: .immediate(refuse), errors: Plain())
        let service = HTTPService([own, .get("/other", refuse)], errors: JSONErrorForm())
        let transport = InMemoryTransport(service, clock: { 0 })
        #expect(try await transport.send(.get("/own")).body.collect() == Array("plain c".utf8))
        #expect(try await transport.send(.get("/other")).fields["Content-Type"] == "application/json")
    }
}
