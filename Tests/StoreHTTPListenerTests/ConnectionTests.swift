import Foundation
import StoreHTTP
import StoreHTTPListener
import TestSupport
import Testing

@Suite("Connections are kept, shared out and given back", .ownThread, .bounded)
struct ConnectionTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("Pipelined requests are answered in their order")
    func pipelined() async throws {
        let texts = try await withListener { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                let later = "GET /later HTTP/1.1\r\nHost: a\r\n\r\n"
                let post = "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                client.send(later + Self.get + post + later + Self.get)
                let reader = ResponseReader(client)
                return (0..<5).map { _ in reader.next()?.text }
            }
        }
        #expect(texts == ["later", "root", "3", "later", "root"])
    }

    @Test("HTTP/1.0 is answered and its connection closed")
    func old() async throws {
        let text = try await withListener { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("GET / HTTP/1.0\r\n\r\n")
                return client.receivedText
            }
        }
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        #expect(text.hasSuffix("\r\n\r\nroot"))
    }

    @Test("A client that asks first is told to go on")
    func expectation() async throws {
        let (go, text) = try await withListener { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                let go = String(decoding: client.receive(), as: UTF8.self)
                client.send("abc")
                return (go, ResponseReader(client).next()?.text)
            }
        }
        #expect(go == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(text == "3")
    }

    @Test("A client that asks first whether it may send too much is told not to")
    func refusedExpectation() async throws {
        let response = try await withListener { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send(
                    "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\nExpect: 100-continue\r\n\r\n")
                return ResponseReader(client).next()
            }
        }
        #expect(response?.status == 413)
        #expect(response?.closes == true)
    }

    @Test("A connection beyond the limit is told to come back later")
    func surplus() async throws {
        try await withListener {
            $0.connections = 2
        } use: { listener in
            let held = try [RawClient(listener.endpoint), RawClient(listener.endpoint)]
            try await eventually { listener.statistics.connections == 2 }
            let response = try await onThread { try Self.ask(listener) }
            #expect(response?.status == 503)
            #expect(response?.fields["Retry-After"] != nil)
            #expect(response?.closes == true)
            let served = try await onThread {
                held.map { client in
                    client.send(Self.get)
                    return ResponseReader(client).next()?.status
                }
            }
            #expect(served == [200, 200])
        }
    }

    @Test("A connection beyond the limit of its address is told to come back later, those of others are served")
    func surplusOfAddress() async throws {
        try await withListener {
            $0.connectionsPerAddress = 2
        } use: { listener in
            var held = try [RawClient(listener.endpoint), RawClient(listener.endpoint)]
            try await eventually { listener.statistics.connections == 2 }
            let (refused, other) = try await onThread {
                (try Self.ask(listener), try Self.ask(listener, from: 0x7F00_0002))
            }
            #expect(refused?.status == 503)
            #expect(refused?.closes == true)
            #expect(other?.status == 200)
            held.removeLast()
            try await eventually { listener.statistics.connections == 1 }
            let freed = try await onThread { try Self.ask(listener) }
            #expect(freed?.status == 200)
            withExtendedLifetime(held) {}
        }
    }

    /// The response to one request over a connection of its own.
    private static func ask(
        _ listener: HTTPListener, from source: UInt32 = 0x7F00_0001
    ) throws -> ResponseReader.Response? {
        let client = try RawClient(listener.endpoint, from: source)
        client.send(get)
        return ResponseReader(client).next()
    }

    @Test("A request beyond the limit of those at work is told to come back later, others are served")
    func surplusRequest() async throws {
        let gate = Gate()
        try await withListener(ProbeService.make([gate.route])) {
            $0.suspendedRequests = 1
        } use: { listener in
            let first = try RawClient(listener.endpoint)
            first.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
            try await gate.waiting.wait { $0 == 1 }
            let (refused, served) = try await onThread {
                let other = try RawClient(listener.endpoint)
                other.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
                let third = try RawClient(listener.endpoint)
                third.send(Self.get)
                return (ResponseReader(other).next()?.status, ResponseReader(third).next()?.status)
            }
            #expect(refused == 503)
            #expect(served == 200)
            gate.open()
            let late = try await onThread { ResponseReader(first).next()?.text }
            #expect(late == "news")
        }
    }

    @Test("Clients that go away in the middle of anything leave nothing behind")
    func aborted() async throws {
        let gate = Gate()
        try await withListener(ProbeService.make([gate.route])) { listener in
            for start in [
                "GET / HT", "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
                "POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
                "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /poll HTTP/1.1\r\nHost: a\r\n\r\n",
            ] {
                let client = try RawClient(listener.endpoint)
                client.send(start)
            }
            try await gate.waiting.wait { $0 == 1 }
            gate.open()
            try await eventually { listener.statistics.connections == 0 && listener.statistics.suspended == 0 }
        }
    }

    @Test("A body streams with no more in memory than its limit, however slowly it is read")
    func backPressure() async throws {
        let total = 20_000_000
        let text = try await withListener { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: \(total)\r\n\r\n")
                let piece = [UInt8](repeating: 1, count: 1_000_000)
                for _ in 0..<(total / piece.count) { client.send(piece) }
                return ResponseReader(client).next()?.text
            }
        }
        #expect(text == "\(total)")
    }

    @Test("A thousand long polls wait at once, and all get their news")
    func polls() async throws {
        let gate = Gate()
        try await withListener(ProbeService.make([gate.route])) { listener in
            let clients = try (0..<1000).map { _ in
                let client = try RawClient(listener.endpoint)
                client.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
                return client
            }
            try await gate.waiting.wait { $0 == 1000 }
            #expect(listener.statistics.suspended == 1000)
            gate.open()
            let news = try await onThread { clients.filter { ResponseReader($0).next()?.text == "news" }.count }
            #expect(news == 1000)
        }
    }
}
