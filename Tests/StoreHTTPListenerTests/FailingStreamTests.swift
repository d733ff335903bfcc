import Foundation
import StoreHTTP
import StoreHTTPListener
import Synchronization
import TestSupport
import Testing

@Suite("A body that fails ends its connection", .ownThread, .bounded)
struct FailingStreamTests {
    private struct Failure: Error {}

    private static func service(after pieces: Int, length: Int?, later: Bool) -> HTTPService {
        ProbeService.make([
            .get("/failing") { _ in
                let stream = BodyStream()
                func end() async {
                    for _ in 0..<pieces { try? await stream.write(Array("piece".utf8)) }
                    stream.fail(Failure())
                }
                if later { Task { await end() } } else { await end() }
                return HTTPResponse(.ok, body: .stream(length: length, stream))
            }
        ])
    }

    /// Nothing ends a connection by time before the client loses patience.
    private static func wait(_ limits: inout ListenerLimits) {
        limits.stallTime = .seconds(600)
        limits.answerTime = .seconds(600)
        limits.idleTime = .seconds(600)
    }

    private func answer(_ service: HTTPService) async throws -> (text: String, isEnded: Bool) {
        try await withListener(service, adjust: Self.wait) { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("GET /failing HTTP/1.1\r\nHost: a\r\n\r\n")
                let text = client.receivedText
                return (text, client.wasEnded)
            }
        }
    }

    @Test("Before its first byte, and after some of it", arguments: [0, 1], [nil, 100] as [Int?])
    func ended(pieces: Int, length: Int?) async throws {
        for later in [false, true] {
            let (text, isEnded) = try await answer(Self.service(after: pieces, length: length, later: later))
            // A client can tell that something is missing: neither the length nor the last chunk is there.
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 200 "))
            #expect(!text.hasSuffix("\r\n0\r\n\r\n"))
            #expect(isEnded, "pieces: \(pieces), length: \(length ?? -1), later: \(later)")
        }
    }

    @Test("The next connection is served as ever")
    func next() async throws {
        try await withListener(Self.service(after: 0, length: nil, later: true), threads: 1) { listener in
            let texts = try await onThread {
                try (0..<10).map { _ in
                    let client = try RawClient(listener.endpoint)
                    client.send("GET /failing HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = client.receiveAll()
                    let other = try RawClient(listener.endpoint)
                    other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    return ResponseReader(other).next()?.text
                }
            }
            #expect(texts == [String?](repeating: "root", count: 10))
            try await eventually { listener.statistics.connections == 0 }
        }
    }

    @Test("An answer that is withheld ends the connection without a byte, at once or later", arguments: [false, true])
    func withheld(later: Bool) async throws {
        let ends = Mutex<[ResponseEnd]>([])
        let service = ProbeService.make([
            .get("/failing") { _ in
                if later { await Task.yield() }
                var response = HTTPResponse.text("acted on")
                response.isWithheld = true
                response.whenEnded { end in ends.withLock { $0.append(end) } }
                return response
            }
        ])
        let (text, isEnded) = try await answer(service)
        #expect(text.isEmpty && isEnded)
        try await eventually { ends.withLock(\.count) == 1 }
        #expect(ends.withLock(\.first) == ResponseEnd(bytes: 0, isComplete: false))
    }
}
