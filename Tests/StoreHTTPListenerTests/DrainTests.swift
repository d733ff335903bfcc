import Foundation
import StoreHTTP
import StoreHTTPListener
import Synchronization
import TestSupport
import Testing

@Suite("A listener that stops finishes what it has begun", .ownThread, .bounded)
struct DrainTests {
    @Test("A request that is at work when the listener stops is answered, and told to connect anew")
    func finishes() async throws {
        let gate = Gate()
        let listener = try HTTPListener(
            ListenerConfiguration(.tcp(port: 0)), serving: ProbeService.make([gate.route]))
        let client = try RawClient(listener.endpoint)
        client.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
        try await gate.waiting.wait { $0 == 1 }
        async let stopped = listener.stop(within: .seconds(20))
        gate.open()
        let response = try await onThread { ResponseReader(client).next() }
        #expect(response?.text == "news")
        let isComplete = await stopped
        #expect(isComplete)
        #expect(throws: (any Error).self) { try RawClient(listener.endpoint) }
    }

    @Test("What does not end in time is cut off")
    func cutsOff() async throws {
        let gate = Gate()
        let listener = try HTTPListener(
            ListenerConfiguration(.tcp(port: 0)), serving: ProbeService.make([gate.route]))
        let client = try RawClient(listener.endpoint)
        client.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
        try await gate.waiting.wait { $0 == 1 }
        #expect(await listener.stop(within: .milliseconds(100)) == false)
        let rest = try await onThread { client.receiveAll() }
        #expect(rest == [])
        gate.open()
    }

    @Test("No response is lost when a listener stops under load")
    func loseNothing() async throws {
        var configuration = ListenerConfiguration(.tcp(port: 0))
        configuration.limits.farewellTime = .milliseconds(500)
        let listener = try HTTPListener(configuration, serving: ProbeService.make())
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    try await onThread { try Self.load(listener.endpoint, number, tally) }
                }
            }
            try await tally.answered.wait { $0 > 500 }
            #expect(await listener.stop(within: .seconds(20)))
            try await group.waitForAll()
        }
        #expect(tally.lost.load(ordering: .relaxed) == 0)
    }

    /// Responses, and requests of established connections that got none.
    private final class Tally: Sendable {
        let answered = Observed(0)
        let lost = Atomic(0)
    }

    /// Asks until told to connect anew.
    private static func load(_ endpoint: ListenerEndpoint, _ number: Int, _ tally: Tally) throws {
        let client = try RawClient(endpoint)
        let reader = ResponseReader(client)
        while true {
            client.send("GET /\(number.isMultiple(of: 2) ? "later" : "") HTTP/1.1\r\nHost: a\r\n\r\n")
            guard let response = reader.next() else {
                tally.lost.add(1, ordering: .relaxed)
                return
            }
            tally.answered.update { $0 += 1 }
            if response.closes { return }
        }
    }
}
