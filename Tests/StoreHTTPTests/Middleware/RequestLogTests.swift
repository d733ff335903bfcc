import StoreHTTP
import TestSupport
import Testing

/// Names of requests, and what is written of them.
struct RequestLogTests {
    private let clock = ManualClock()
    private let entries = Collector<RequestLog.Entry>()
    private let stream = BodyStream()

    private func transport(trusted: Bool = false) -> InMemoryTransport {
        let secrets = PathSecrets(["token", "secret"], after: ["/content", "/console/enter"])
        let log = RequestLog(clock: { [clock] in clock.now }, hiding: secrets, sink: entries.keep)
        let identity = RequestIdentity(random: { 0xAB }, isTrusted: { _ in trusted })
        let routes: [Route] = [
            .get("/content/{token}") { [clock] _ in
                clock.advance(seconds: 0.25)
                return .text("12345")
            },
            .get("/files/{secret…}") { _ in .text("") },
            .get("/stream") { [stream] _ in HTTPResponse(body: .stream(length: nil, stream)) },
            .get("/faulty") { _ in throw APIError(.conflict, code: "c", "m") },
        ]
        let service = HTTPService(routes, middleware: [identity, log], errors: JSONErrorForm())
        return InMemoryTransport(service, clock: { 0 })
    }

    @Test("A request has one name in the log, in the answer and in its errors")
    func name() async throws {
        let response = try await transport().send(.get("/faulty", fields: ["X-Request-Id": "mine"]))
        let id = "00000000000000ab00000000000000ab"
        #expect(response.fields["X-Request-Id"] == id)
        #expect(entries.all.map(\.id) == [id])
        #expect(String(decoding: try await response.body.collect(), as: UTF8.self).contains(id))
    }

    @Test(
        "Those who are trusted name their requests, if the name is a name",
        arguments: [
            ("mine-1_2.3", true), ("a b", false), ("", false), ("a\"b", false),
            (String(repeating: "a", count: 65), false),
            ("é", false), ("a'b", false),
        ])
    func trusted(_ id: String, _ isTaken: Bool) async throws {
        let response = try await transport(trusted: true).send(.get("/faulty", fields: ["X-Request-Id": id]))
        #expect((response.fields["X-Request-Id"] == id) == isTaken)
    }

    @Test("An entry says what happened and how long it took")
    func entry() async throws {
        _ = try await transport().send(.get("/content/abc?token=1&page=2&a%20b=c%26"))
        let entry = try #require(entries.all.first)
        #expect(
            entry.json == #"{"request_id":"00000000000000ab00000000000000ab","method":"GET","path":"/content/…","#
                + #""query":"token&page&a%20b","status":200,"bytes":5,"answer_microseconds":250000,"#
                + #""microseconds":250000,"peer":"local"}"#)
    }

    @Test("A stream is logged when it has gone out, with what went out and how long it took")
    func streamed() async throws {
        let response = try await transport().send(.get("/stream"))
        clock.advance(seconds: 1)
        try await stream.write([1, 2, 3])
        #expect(entries.all == [])
        stream.finish()
        _ = try await response.body.collect()
        let entry = try #require(entries.all.first)
        #expect(entries.all.count == 1)
        #expect(entry.isComplete)
        #expect((entry.bytes, entry.answerNanoseconds, entry.nanoseconds) == (3, 0, 1_000_000_000))
        #expect(!entry.json.contains("complete"))
    }

    @Test("A stream that its reader or its writer breaks off is logged as broken, once", arguments: [true, false])
    func brokenOff(_ byReader: Bool) async throws {
        struct Broken: Error {}
        let response = try await transport().send(.get("/stream"))
        var pieces = response.body.makeAsyncIterator()
        try await stream.write([1, 2])
        #expect(try await pieces.next() == [1, 2])
        if byReader { response.body.giveUp() } else { stream.fail(Broken()) }
        await #expect(throws: (any Error).self) { try await pieces.next() }
        response.body.giveUp()
        #expect(entries.all.map(\.isComplete) == [false])
        #expect(entries.all.map(\.bytes) == [2])
        #expect(entries.all.first?.json.contains(#""bytes":2,"complete":false,"#) == true)
    }

    @Test(
        "X6: Of a path that fits no route nothing is logged that follows the words before a secret",
        arguments: [
            ("/console/enter/abc/", "/console/enter/…/"), ("/Console/ENTER/abc", "/Console/ENTER/…"),
            ("/console/enter", "/console/enter"), ("/content/abc/", "/content/…/"),
            ("/v1/content/abc/d", "/v1/content/…"),
            ("/content%2Fabc", "/content/…"), ("/contents/abc", "/contents/abc"), ("/Files/abc", "/Files/abc"),
        ])
    func noRoute(_ path: String, _ logged: String) async throws {
        _ = try await transport().send(.get(path))
        #expect(entries.all.map(\.path) == [logged])
    }

    @Test("HEAD sends no bytes")
    func head() async throws {
        _ = try await transport().send(TransportRequest("HEAD", "/content/abc"))
        #expect(entries.all.map(\.bytes) == [0])
    }

    @Test("An answer that is abandoned is logged, and its writer told")
    func abandoned() async throws {
        let log = RequestLog(clock: { [clock] in clock.now }, hiding: .none, sink: entries.keep)
        var response = HTTPResponse(body: .stream(length: nil, stream))
        log.end(&response, of: HTTPRequest(method: .get, target: try RequestTarget("/")))
        response.abandon()
        #expect(entries.all.map(\.isComplete) == [false])
        #expect(stream.isReaderGone)
    }

    @Test("Nothing secret gets into an entry: no path, no query, no field")
    func secrets() async throws {
        let fields: HTTPFields = ["Authorization": "Bearer hunter2", "Cookie": "a=hunter2"]
        for target in ["/content/hunter2", "/content/x?secret=hunter2", "/files/hunter2/hunter2?token=hunter2"] {
            _ = try await transport().send(.get(target, fields: fields))
        }
        #expect(entries.all.count == 3)
        #expect(entries.all.allSatisfy { !$0.json.contains("hunter2") && !"\($0)".contains("hunter2") })
    }

    @Test(
        "What is secret of a path stays so where the path has no such method, or is another by a slash",
        arguments: [
            ("DELETE", "/content/hunter2", 405), ("OPTIONS", "/content/hunter2", 204),
            ("GET", "/content/hunter2/", 404),
            ("GET", "/files/a/hunter2/", 404), ("GET", "/files/a%2Fhunter2", 404), ("PUT", "/files/hunter2/b", 405),
        ])
    func unroutedSecrets(_ method: String, _ target: String, _ status: Int) async throws {
        _ = try await transport().send(TransportRequest(method, target))
        #expect(entries.all.map(\.status) == [status])
        #expect(entries.all.allSatisfy { !$0.json.contains("hunter2") })
    }

    @Test("What was refused is logged as well, and stays one line")
    func refused() async throws {
        _ = try await transport().send(.get("/nowhere/%0A%22"))
        _ = try await transport().send(.get("no path"))
        _ = try await transport().send(TransportRequest("OPTIONS", "*"))
        #expect(entries.all.map(\.path) == ["/nowhere/%0A%22", "/", "*"])
        #expect(entries.all.map(\.status) == [404, 400, 204])
    }

    @Test("A clock that is set back takes no negative time")
    func clockBack() async throws {
        let log = RequestLog(clock: { [clock] in clock.now }, hiding: .none, sink: entries.keep)
        let route = Route.get("/") { [clock] _ in
            clock.advance(seconds: -5)
            return .text("")
        }
        let service = HTTPService([route], middleware: [log], errors: JSONErrorForm())
        _ = try await InMemoryTransport(service, clock: { 0 }).send(.get("/"))
        #expect(entries.all.first?.nanoseconds == 0)
    }
}
