import Foundation
import StoreHTTP
import StoreHTTPListener
import TestSupport
import Testing

@Suite("A client that takes too long is ended, and nobody else", .ownThread, .bounded)
struct TimeLimitTests {
    @Test("A head that drips in is answered with 408", arguments: ["GET / HT", "GET / HTTP/1.1\r\nHost: a\r\nX: "])
    func slowHead(_ start: String) async throws {
        let text = try await withListener {
            $0.headTime = .milliseconds(200)
        } use: { listener in
            try await drip(start, to: listener)
        }
        #expect(text.hasPrefix("HTTP/1.1 408 "))
        #expect(text.contains("Connection: close\r\n"))
    }

    @Test("A body that drips in is answered with 408")
    func slowBody() async throws {
        let text = try await withListener {
            $0.bodyTime = .milliseconds(200)
        } use: { listener in
            try await drip("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n", to: listener)
        }
        #expect(text.hasPrefix("HTTP/1.1 408 "))
    }

    @Test("A connection that stays idle is closed without a word")
    func idle() async throws {
        let (first, rest) = try await withListener {
            $0.idleTime = .milliseconds(200)
        } use: { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return (ResponseReader(client).next()?.text, client.receiveAll())
            }
        }
        #expect(first == "root")
        #expect(rest == [])
    }

    @Test("A client that never reads its response loses the connection")
    func neverReading() async throws {
        let received = try await withListener {
            $0.stallTime = .milliseconds(200)
        } use: { listener in
            let client = try RawClient(listener.endpoint, receiveBuffer: 4096)
            client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually { listener.statistics.timeouts == 1 && listener.statistics.connections == 0 }
            return try await onThread { client.receiveAll().count }
        }
        #expect(received < 8_000_000)
    }

    @Test("A client that reads slowly, but reads, gets everything")
    func slowReading() async throws {
        // The whole takes more than twice the limit, and no wait in it comes near.
        let received = try await withListener { limits in
            limits.stallTime = .seconds(1)
        } use: { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint, receiveBuffer: 65536)
                client.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                var count = 0
                while true {
                    let some = client.receive(400_000).count
                    if some == 0 { return count }
                    count += some
                    usleep(20_000)
                }
            }
        }
        #expect(received > 8_000_000)
    }

    @Test("A handler that does not end is cancelled, and its request answered with 503")
    func slowHandler() async throws {
        let service = ProbeService.make([
            .get("/never") { _ in
                try await Task.sleep(for: .seconds(3600))
                return .text("late")
            }
        ])
        let response = try await withListener(service) {
            $0.answerTime = .milliseconds(200)
        } use: { listener in
            let response = try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
                return ResponseReader(client).next()
            }
            try await eventually { listener.statistics.suspended == 0 }
            return response
        }
        #expect(response?.status == 503)
        #expect(response?.closes == true)
    }

    /// Sends a start, then a byte whenever the server has had time to take one, until it closes.
    private func drip(_ start: String, to listener: HTTPListener) async throws -> String {
        let client = try RawClient(listener.endpoint)
        client.send(start)
        async let text = onThread { client.receivedText }
        // It ends when the server has closed.
        try await onThread {
            while client.send("x") { usleep(10_000) }
        }
        return try await text
    }
}
