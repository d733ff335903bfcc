import Foundation
import StoreHTTP
import StoreHTTPListener
import TestSupport
import Testing

@Suite("A handler runs on the thread of its connection and leaves that to others", .ownThread, .bounded)
struct HandlerTests {
    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test("It goes on there after it gave way, and after another thread woke it")
    func sameThread() async throws {
        let service = ProbeService.make([
            .get("/thread") { _ in .text("\(pthread_self())") },
            .get("/threads") { _ in
                var threads = [pthread_self()]
                await Task.yield()
                threads.append(pthread_self())
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume() }
                }
                threads.append(pthread_self())
                return .text(threads.map { "\($0)" }.joined(separator: " "))
            },
        ])
        try await withListener(service, threads: 1) { listener in
            let own = try #require(try await ask(listener, "/thread"))
            let met = try await ask(listener, "/threads")
            #expect(met == "\(own) \(own) \(own)")
        }
    }

    @Test("One that gives way for ever lets the other connections of its thread through")
    func fair() async throws {
        let service = ProbeService.make([
            .get("/forever") { _ in
                while !Task.isCancelled { await Task.yield() }
                throw CancellationError()
            }
        ])
        let text = try await withListener(service, threads: 1) {
            $0.answerTime = .seconds(60)
        } use: { listener in
            let busy = try RawClient(listener.endpoint)
            busy.send(Self.get("/forever"))
            try await eventually { listener.statistics.suspended == 1 }
            return try await ask(listener, "/later")
        }
        #expect(text == "later")
    }

    @Test("One that wakes again and again is timed out like one that sleeps")
    func restless() async throws {
        let service = ProbeService.make([
            .get("/restless") { _ in
                while !Task.isCancelled {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            usleep(1000)
                            continuation.resume()
                        }
                    }
                }
                throw CancellationError()
            }
        ])
        let status = try await withListener(service) {
            $0.answerTime = .milliseconds(200)
        } use: { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send(Self.get("/restless"))
                return ResponseReader(client).next()?.status
            }
        }
        #expect(status == 503)
    }

    @Test("One that was given up still comes to its end")
    func orphaned() async throws {
        let gate = Gate()
        let ended = Observed(0)
        let service = ProbeService.make([
            .get("/wait") { _ in
                await gate.wait()
                ended.update { $0 += 1 }
                return .text("unheard")
            }
        ])
        try await withListener(service) {
            $0.answerTime = .milliseconds(200)
        } use: { listener in
            let gone = try RawClient(listener.endpoint)
            gone.send(Self.get("/wait"))
            let late = try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send(Self.get("/wait"))
                return ResponseReader(client).next()?.status
            }
            #expect(late == 503)
            try await gate.waiting.wait { $0 == 2 }
            withExtendedLifetime(gone) {}
        }
        gate.open()
        try await ended.wait { $0 == 2 }
    }

    private func ask(_ listener: HTTPListener, _ path: String) async throws -> String? {
        try await onThread {
            let client = try RawClient(listener.endpoint)
            client.send(Self.get(path))
            return ResponseReader(client).next()?.text
        }
    }
}
