import TestSupport
import Testing

@testable import StoreHTTP

/// How much a client may ask.
struct RateLimitTests {
    private let clock = ManualClock(1_700_000_000_000_000_000)

    private func transport(_ retryAfter: RateLimit.RetryAfter = .seconds) -> InMemoryTransport {
        let limit = RateLimit(
            capacity: 2, perMinute: 6, retryAfter: retryAfter, clock: { [clock] in clock.now },
            key: { $0.fields["X-Key"] })
        let service = HTTPService([.get("/") { _ in .text("") }], middleware: [limit], errors: JSONErrorForm())
        return InMemoryTransport(service, clock: { 0 })
    }

    @Test("Everybody is told how much is left, and when to come back")
    func headers() async throws {
        let transport = transport()
        var responses: [TransportResponse] = []
        for _ in 0..<3 { responses.append(try await transport.send(.get("/", fields: ["X-Key": "a"]))) }
        #expect(responses.map(\.status) == [.ok, .ok, .tooManyRequests])
        #expect(responses.map { $0.fields["X-RateLimit-Remaining"] } == ["1", "0", "0"])
        #expect(responses[2].fields["X-RateLimit-Limit"] == "2")
        #expect(responses[2].fields["Retry-After"] == "10")
        #expect(responses[0].fields["Retry-After"] == nil)
    }

    @Test("The instant to come back is in milliseconds where clients of Apple's interfaces expect it")
    func apple() async throws {
        let transport = transport(.instantInMilliseconds)
        for _ in 0..<2 { _ = try await transport.send(.get("/", fields: ["X-Key": "a"])) }
        let refused = try await transport.send(.get("/", fields: ["X-Key": "a"]))
        #expect(refused.fields["Retry-After"] == "1700000010000")
    }

    @Test("Who waits as told is let in")
    func waiting() async throws {
        let transport = transport()
        for _ in 0..<3 { _ = try await transport.send(.get("/", fields: ["X-Key": "a"])) }
        clock.advance(seconds: 9.9)
        #expect(try await transport.send(.get("/", fields: ["X-Key": "a"])).status == .tooManyRequests)
        clock.advance(seconds: 0.1)
        #expect(try await transport.send(.get("/", fields: ["X-Key": "a"])).status == .ok)
    }

    @Test("One key is no other's, and none is not counted")
    func keys() async throws {
        let transport = transport()
        for _ in 0..<5 { _ = try await transport.send(.get("/", fields: ["X-Key": "a"])) }
        #expect(try await transport.send(.get("/", fields: ["X-Key": "b"])).status == .ok)
        let uncounted = try await transport.send(.get("/"))
        #expect(uncounted.fields["X-RateLimit-Limit"] == nil)
    }

    @Test("What is counted afterwards is refused once there is too much of it, and looking takes nothing")
    func afterwards() async throws {
        let limit = RateLimit(capacity: 2, perMinute: 6, clock: { [clock] in clock.now }, key: { $0.fields["X-Key"] })
        let service = HTTPService(
            [
                .get("/") { request in
                    try limit.requireRest(for: request)
                    if request.fields["X-Fails"] != nil { limit.count(request) }
                    return .text("")
                }
            ], middleware: [], errors: JSONErrorForm())
        let transport = InMemoryTransport(service, clock: { 0 })
        func status(_ fields: HTTPFields) async throws -> HTTPStatus {
            try await transport.send(.get("/", fields: fields)).status
        }
        for _ in 0..<5 { #expect(try await status(["X-Key": "a"]) == .ok) }
        for _ in 0..<2 { #expect(try await status(["X-Key": "a", "X-Fails": "1"]) == .ok) }
        #expect(try await status(["X-Key": "a"]) == .tooManyRequests)
        #expect(try await status(["X-Key": "b"]) == .ok)
        clock.advance(seconds: 10)
        #expect(try await status(["X-Key": "a"]) == .ok)
    }

    @Test("Of several limits the tightest is told, whichever stands outside")
    func several() async throws {
        for capacities in [[2, 5], [5, 2]] {
            let limits = capacities.map { RateLimit(capacity: $0, perMinute: 1, clock: { 0 }, key: { _ in "all" }) }
            let service = HTTPService(
                [Route(.get, "/", handler: .immediate { _ in .text("") }, middleware: [limits[1]])],
                middleware: [limits[0]], errors: JSONErrorForm())
            let transport = InMemoryTransport(service, clock: { 0 })
            var told: [String] = []
            for _ in 0..<3 {
                let fields = try await transport.send(.get("/")).fields
                told.append("\(fields["X-RateLimit-Remaining"] ?? "")/\(fields["X-RateLimit-Limit"] ?? "")")
            }
            #expect(told == ["1/2", "0/2", "0/2"])
        }
    }

    @Test("The limit that refuses is told, also if another has nothing left")
    func refusing() async throws {
        let outer = RateLimit(capacity: 2, perMinute: 60, clock: { 0 }, key: { _ in "all" })
        let inner = RateLimit(capacity: 1, perMinute: 1, clock: { 0 }, key: { _ in "all" })
        let service = HTTPService([.get("/") { _ in .text("") }], middleware: [outer, inner], errors: JSONErrorForm())
        let transport = InMemoryTransport(service, clock: { 0 })
        _ = try await transport.send(.get("/"))
        let refused = try await transport.send(.get("/"))
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.values("X-RateLimit-Limit") == ["1"])
        #expect(refused.fields.values("X-RateLimit-Remaining") == ["0"])
        #expect(refused.fields["Retry-After"] == "60")
    }

    @Test("Clients are told apart by their networks")
    func networks() async throws {
        let limit = RateLimit(capacity: 1, perMinute: 1, clock: { 0 })
        let service = HTTPService([.get("/") { _ in .text("") }], middleware: [limit], errors: JSONErrorForm())
        let transport = InMemoryTransport(service, clock: { 0 })
        var statuses: [Int] = []
        for host in ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"] {
            var request = TransportRequest.get("/")
            request.peer = PeerAddress(host: host, port: 1)
            statuses.append(try await transport.send(request).status.rawValue)
        }
        #expect(statuses == [200, 429, 200, 200, 429, 200])
    }

    @Test("A bucket never holds more than its capacity, however long nobody comes")
    func capacity() {
        var buckets = TokenBuckets(capacity: 3, perMinute: 60, keys: 10)
        #expect(buckets.take("a", at: 0).remaining == 2)
        #expect(buckets.take("a", at: .max).remaining == 2)
        #expect(buckets.take("a", at: .min).remaining == 1)
    }

    @Test("A clock that is set back gives nothing")
    func clockBack() {
        var buckets = TokenBuckets(capacity: 1, perMinute: 60, keys: 10)
        #expect(buckets.take("a", at: 100).isAllowed)
        #expect(!buckets.take("a", at: 0).isAllowed)
        #expect(!buckets.take("a", at: 999_999_999).isAllowed)
        #expect(buckets.take("a", at: 1_000_000_100).isAllowed)
    }

    @Test("A flood of keys takes bounded memory, and does not free those who are over their limit")
    func flood() {
        var buckets = TokenBuckets(capacity: 5, perMinute: 1, keys: 1000)
        for _ in 0..<6 { _ = buckets.take("greedy", at: 0) }
        var largest = 0
        for number in 0..<20_000 {
            _ = buckets.take("key \(number)", at: Int64(number))
            largest = max(largest, buckets.count)
        }
        #expect(largest <= 1000)
        #expect(!buckets.take("greedy", at: 20_000).isAllowed)
    }

    @Test("Those whose buckets are full again are forgotten first")
    func idle() {
        var buckets = TokenBuckets(capacity: 1, perMinute: 60, keys: 4)
        for key in ["a", "b", "c", "d"] { _ = buckets.take(key, at: 0) }
        _ = buckets.take("e", at: 2_000_000_000)
        #expect(buckets.count == 1)
    }

    @Test("Over a long time nobody gets more than the rate, whatever the pace")
    func rate() {
        var random = RandomizedRun.generator(named: "rate limits")
        for _ in 0..<RandomizedRun.cases(50) {
            var buckets = TokenBuckets(capacity: 10, perMinute: 120, keys: 10)
            var (now, allowed) = (Int64(0), 0)
            for _ in 0..<500 {
                now += Int64.random(in: 0...1_000_000_000, using: &random)
                if buckets.take("a", at: now).isAllowed { allowed += 1 }
            }
            #expect(Double(allowed) <= 10 + Double(now) / 1e9 * 2 + 1)
        }
    }
}
