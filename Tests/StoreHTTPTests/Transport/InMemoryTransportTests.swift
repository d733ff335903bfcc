import StoreHTTP
import Synchronization
import TestSupport
import Testing

/// Every case of the transports, in memory.
struct InMemoryTransportTests {
    private let transport = InMemoryTransport(TransportService.make()) { 784_111_777_000_000_000 }

    @Test("The service of the cases has no problems")
    func service() {
        #expect(TransportService.make().problems == [])
    }

    @Test("A request is answered in memory as over a socket", arguments: TransportCase.all)
    func answers(_ example: TransportCase) async throws {
        #expect(try await example.faults(over: transport) == [])
    }

    @Test("The date of a response is the clock's")
    func date() async throws {
        #expect(try await transport.send(.get("/")).fields["Date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("A writer of a response waits until the client reads")
    func backPressure() async throws {
        let stream = BodyStream(limit: 10)
        let service = HTTPService([.get("/") { _ in HTTPResponse(body: .stream(length: nil, stream)) }], errors: form)
        let response = try await InMemoryTransport(service, clock: { 0 }).send(.get("/"))
        let woken = Mutex(false)
        #expect(stream.write(Array(repeating: 1, count: 10)) { woken.withLock { $0 = true } } == .waitUntilDrained)
        #expect(!woken.withLock { $0 })
        stream.finish()
        #expect(try await response.body.collect().count == 10)
        #expect(woken.withLock { $0 })
    }

    @Test("A handler that writes hears that the client has gone")
    func clientGone() async throws {
        let stream = BodyStream(limit: 10)
        let service = HTTPService([.get("/") { _ in HTTPResponse(body: .stream(length: nil, stream)) }], errors: form)
        let response = try await InMemoryTransport(service, clock: { 0 }).send(.get("/"))
        response.body.giveUp()
        await #expect(throws: BodyReaderGone.self) { try await stream.write([1]) }
    }

    @Test("A client that stops in the middle of its body gets no response")
    func aborted() async {
        let body = BodyStream()
        #expect(body.write([1, 2, 3], drained: {}) == .keepWriting)
        body.fail(Aborted())
        await #expect(throws: Aborted.self) {
            try await transport.send(TransportRequest("POST", "/echo", body: .streaming(body)))
        }
    }

    @Test("A handler that reads as the body arrives hears that the client stopped")
    func abortedStream() async throws {
        let body = BodyStream()
        #expect(body.write([1, 2, 3], drained: {}) == .keepWriting)
        body.fail(Aborted())
        let heard = Mutex(false)
        let route = Route.post("/", body: .streamed(limit: 100)) { request in
            guard case .streaming(let stream) = request.body else { return .text("") }
            do {
                _ = try await stream.collect(limit: 100)
            } catch is Aborted {
                heard.withLock { $0 = true }
            }
            return .text("done")
        }
        let transport = InMemoryTransport(HTTPService([route], errors: form), clock: { 0 })
        _ = try await transport.send(TransportRequest("POST", "/", body: .streaming(body)))
        #expect(heard.withLock { $0 })
    }

    @Test("A writer of a refused body is told to stop")
    func refusedBody() async throws {
        let body = BodyStream()
        _ = try await transport.send(TransportRequest("POST", "/nowhere", body: .streaming(body)))
        #expect(body.isReaderGone)
    }

    @Test("A body shorter or longer than announced fails", arguments: [9, 11])
    func wrongLength(_ count: Int) async throws {
        let stream = BodyStream()
        _ = stream.write(Array(repeating: 1, count: count), drained: {})
        stream.finish()
        let service = HTTPService([.get("/") { _ in HTTPResponse(body: .stream(length: 10, stream)) }], errors: form)
        let response = try await InMemoryTransport(service, clock: { 0 }).send(.get("/"))
        #expect(response.fields["Content-Length"] == "10")
        await #expect(throws: BodyLengthWrong.self) { try await response.body.collect() }
    }

    @Test(
        "What cannot be read is refused before any route is asked",
        arguments: [
            ("GE T", "/", 400), ("", "/", 400), ("GET", "", 400), ("GET", "nowhere", 400), ("GET", "/a b", 400),
            ("GET", "/\u{e9}", 400), ("GET", "/#a", 400), ("GET", "*", 400), ("GET", "ftp://host/", 400),
            ("GET", "http://", 400), ("GET", "/a//b", 400), ("GET", "/a/./b", 400), ("GET", "/%00", 400),
            ("GET", "/%C3", 400), ("GET", "/?a=%", 400), ("GET", String(repeating: "/a", count: 65), 414),
        ])
    func unreadable(_ method: String, _ target: String, _ status: Int) async throws {
        let response = try await transport.send(TransportRequest(method, target))
        #expect(response.status.rawValue == status)
    }

    @Test("A field name that is no word is refused", arguments: ["a b", "", "a:", "é"])
    func badField(_ name: String) async throws {
        #expect(try await transport.send(.get("/", fields: [name: "x"])).status == .badRequest)
    }

    @Test("Fields of many bytes are refused")
    func largeFields() async throws {
        let value = String(repeating: "x", count: HTTPLimits.fieldBytes)
        #expect(try await transport.send(.get("/", fields: ["A": value])).status == .fieldsTooLarge)
    }

    private let form = JSONErrorForm()

    private struct Aborted: Error {}
}

extension HTTPService {
    /// A service whose faults nobody is told of.
    convenience init(_ routes: [Route], middleware: [any Middleware] = [], errors: any ErrorForm) {
        self.init(routes, middleware: middleware, errors: errors) { _, _ in }
    }
}
