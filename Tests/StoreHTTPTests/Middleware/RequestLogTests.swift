import StoreHTTP
import TestSupport
import Testing

/// Names of requests, and what is written of them.
struct RequestLogTests {
    private let clock = ManualClock()
    private let entries = Collector<RequestLog.Entry>()

    private func transport(trusted: Bool = false) -> InMemoryTransport {
        let log = RequestLog(clock: { [clock] in clock.now }, hiding: ["token", "secret"], sink: entries.keep)
        let identity = RequestIdentity(random: { 0xAB }, isTrusted: { _ in trusted })
        let routes: [Route] = [
            .get("/content/{token}") { [clock] _ in
                clock.advance(seconds: 0.25)
                return .text("12345")
            },
            .get("/files/{secret…}") { _ in .text("") },
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
                + #""query":"token=…&page=2&a%20b=c%26","status":200,"bytes":5,"microseconds":250000,"peer":"local"}"#)
    }

    @Test("Nothing secret gets into an entry: no path, no query, no field")
    func secrets() async throws {
        let fields: HTTPFields = ["Authorization": "Bearer hunter2", "Cookie": "a=hunter2"]
        for target in ["/content/hunter2", "/content/x?secret=hunter2", "/files/hunter2/hunter2?token=hunter2"] {
            _ = try await transport().send(.get(target, fields: fields))
        }
        #expect(entries.all.count == 3)
        #expect(entries.all.allSatisfy { !$0.json.contains("hunter2") })
    }

    @Test("What was refused is logged as well, and stays one line")
    func refused() async throws {
        _ = try await transport().send(.get("/nowhere/%0A%22"))
        _ = try await transport().send(.get("no path"))
        #expect(entries.all.map(\.status) == [404, 400])
        #expect(entries.all.map(\.path) == ["/nowhere/%0A%22", "/"])
    }

    @Test("A clock that is set back takes no negative time")
    func clockBack() async throws {
        let log = RequestLog(clock: { [clock] in clock.now }, hiding: [], sink: entries.keep)
        let route = Route.get("/") { [clock] _ in
            clock.advance(seconds: -5)
            return .text("")
        }
        let service = HTTPService([route], middleware: [log], errors: JSONErrorForm())
        _ = try await InMemoryTransport(service, clock: { 0 }).send(.get("/"))
        #expect(entries.all.first?.nanoseconds == 0)
    }
}
