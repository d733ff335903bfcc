import StoreHTTP
import StoreHTTPListener
import TestSupport
import Testing

@Suite("What went out over a socket is logged when it has gone out", .bounded)
struct RequestLogTests {
    private final class Entries: Sendable {
        private let kept = Observed<[RequestLog.Entry]>([])

        var all: [RequestLog.Entry] { kept.value }

        func keep(_ entry: RequestLog.Entry) { kept.update { $0.append(entry) } }

        func first() async throws -> RequestLog.Entry? { try await kept.wait { !$0.isEmpty }.first }
    }

    private let entries = Entries()
    private let gate = Gate()
    private let endless = BodyStream()

    private var service: HTTPService {
        let routes: [Route] = [
            .get("/") { _ in .text("root") },
            .get("/large") { _ in HTTPResponse(.ok, [UInt8](repeating: 7, count: 8_000_000), as: "text/plain") },
            .get("/stream") { _ in
                let stream = BodyStream()
                _ = stream.write([1, 2, 3], drained: {})
                stream.finish()
                return HTTPResponse(body: .stream(length: nil, stream))
            },
            .get("/endless") { [endless] _ in HTTPResponse(body: .stream(length: nil, endless)) },
            .post("/body", body: .collected(limit: 3)) { .text("\($0.body.bytes.count)") },
            gate.route,
        ]
        let log = RequestLog(clock: { 0 }, hiding: .none, sink: entries.keep)
        return HTTPService(routes, middleware: [log], errors: JSONErrorForm()) { _, _ in }
    }

    @Test(
        "An entry has the bytes of the body that went out",
        arguments: [
            ("GET", "/", 200, 4), ("HEAD", "/", 200, 0), ("GET", "/stream", 200, 3), ("HEAD", "/stream", 200, 0),
            ("GET", "/large", 200, 8_000_000), ("OPTIONS", "*", 204, 0),
        ])
    func complete(_ method: String, _ target: String, _ status: Int, _ bytes: Int) async throws {
        let entry = try await withListener(service) { listener in
            _ = try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("\(method) \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return client.receiveAll()
            }
            return try await entries.first()
        }
        #expect((entry?.status, entry?.bytes, entry?.isComplete) == (status, bytes, true))
        #expect(entries.all.count == 1)
    }

    @Test("Every one of several requests on a connection has its entry, refused ones too")
    func several() async throws {
        try await withListener(service) { listener in
            _ = try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n")
                client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
                client.send("POST /body HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nabcd")
                return client.receiveAll()
            }
        }
        #expect(entries.all.map(\.status) == [200, 404, 200, 413])
        #expect(entries.all.allSatisfy { $0.isComplete })
    }

    @Test("A client that leaves in the middle of a stream leaves an entry that says so")
    func brokenStream() async throws {
        let entry = try await withListener(service) { listener in
            _ = try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = endless.write([1, 2, 3], drained: {})
                var seen: [UInt8] = []
                while !seen.contains(3) { seen += client.receive() }
            }
            while (try? await endless.write([UInt8](repeating: 9, count: 65536))) != nil {}
            return try await entries.first()
        }
        #expect(entry?.isComplete == false)
        #expect((entry?.bytes ?? 0) >= 3)
    }

    @Test("A client that never takes its response leaves an entry that says so")
    func neverRead() async throws {
        let entry = try await withListener(service) {
            $0.stallTime = .milliseconds(200)
        } use: { listener in
            let client = try RawClient(listener.endpoint, receiveBuffer: 4096)
            client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            defer { withExtendedLifetime(client) {} }
            return try await entries.first()
        }
        #expect(entry?.isComplete == false)
        #expect(entry?.bytes == nil)
    }

    @Test("An answer that nobody waits for any more is logged as broken off")
    func abandoned() async throws {
        let entry = try await withListener(service) {
            $0.answerTime = .milliseconds(200)
        } use: { listener in
            let status = try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
                return ResponseReader(client).next()?.status
            }
            #expect(status == 503)
            gate.open()
            return try await entries.first()
        }
        #expect((entry?.status, entry?.bytes, entry?.isComplete) == (200, 0, false))
        #expect(entries.all.count == 1)
    }
}
