import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("Requests are repeated where it may help and can do no harm", .bounded) struct RetryTests {
    /// A server that answers the requests it gets with these, in order, and notes their heads; nothing closes the connection.
    private static func answering(
        _ answers: [String], _ request: (ScriptedServer) -> ClientRequest, attempts: Int = 5,
        test: (Result<ClientResponse, HTTPClientError>, [String], [Duration]) -> Void
    ) async throws {
        let heads = Collected<String>()
        let waits = Collected<Duration>()
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            let number = heads.all.count
            heads.append(head)
            if number < answers.count { connection.write(answers[number]) }
        }
        defer { server.stop() }
        let client = TestClient.make { $0.limits.connections = 1 }
        let policy = RetryPolicy(attempts: attempts, random: { 0.5 }, wait: { waits.append($0) })
        let result: Result<ClientResponse, HTTPClientError>
        do {
            result = .success(try await client.send(request(server), retrying: policy))
        } catch let error as HTTPClientError {
            result = .failure(error)
        }
        test(result, heads.all, waits.all)
        await client.shutDown()
    }

    private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    private static let later = "HTTP/1.1 503 Later\r\nContent-Length: 0\r\n"
    private static let lost = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"

    @Test("a GET is repeated after lost connections and temporary answers, ever later") func getRepeatedAfter()
        async throws
    {
        try await Self.answering(["", Self.lost, Self.later + "\r\n", Self.fine]) {
            .get($0.url())
        } test: {
            result, heads, waits in
            #expect((try? result.get().status) == .ok)
            #expect(heads.count == 4)
            #expect(waits == [.microseconds(187_500), .microseconds(375_000), .microseconds(750_000)])
        }
    }

    @Test("a POST is repeated only with a key, and carries the same key and body again") func postRepeatedOnly()
        async throws
    {
        let body = ClientBody.bytes([65, 66])
        try await Self.answering(["", Self.fine]) {
            ClientRequest(.post, $0.url(), body: body)
        } test: {
            result, heads, waits in
            guard case .failure(let error) = result else {
                Issue.record("a POST was repeated")
                return
            }
            #expect(error.outcome == .unknown && heads.count == 1 && waits.isEmpty)
        }
        try await Self.answering([Self.later + "\r\n", Self.fine]) {
            ClientRequest(.post, $0.url(), body: body)
        } test: {
            result, heads, _ in
            #expect((try? result.get().status) == .unavailable && heads.count == 1)
        }
        try await Self.answering(["", Self.later + "\r\n", Self.fine]) {
            ClientRequest(.post, $0.url(), fields: ["Idempotency-Key": "k1"], body: body)
        } test: { result, heads, _ in
            #expect((try? result.get().status) == .ok && heads.count == 3)
            #expect(heads.allSatisfy { $0.contains("Idempotency-Key: k1") && $0.contains("Content-Length: 2") })
        }
    }

    @Test("a body that cannot be made again is sent once") func bodyCannotBe() async throws {
        try await Self.answering(["", Self.fine]) { server in
            let stream = BodyStream()
            stream.finish()
            return ClientRequest(.put, server.url(), body: .stream(length: nil, stream))
        } test: { result, heads, _ in
            #expect((try? result.get()) == nil && heads.count == 1)
        }
    }

    @Test("what was certainly not sent is repeated, whatever it is") func whatWasCertainly() async throws {
        let server = try ScriptedServer { _, _ in }
        server.stop()
        let waits = Collected<Duration>()
        let policy = RetryPolicy(attempts: 4, random: { 0 }, wait: { waits.append($0) })
        let client = TestClient.make()
        let error = await TestClient.failure {
            try await client.send(ClientRequest(.post, server.url(), body: .bytes([1])), retrying: policy)
        }
        #expect(error?.code == .unreachable && error?.outcome == .notSent && waits.all.count == 3)
    }

    @Test("once it may have been done, it stays unknown, however the last attempt ended") func onceMayHave()
        async throws
    {
        let reached = Collected<Bool>()
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            reached.append(true)
        }
        let client = TestClient.make()
        // The server is gone after the first attempt.
        let policy = RetryPolicy(attempts: 3, random: { 0 }, wait: { _ in server.stop() })
        let request = ClientRequest(.post, server.url(), fields: ["Idempotency-Key": "k"], body: .bytes([1]))
        let error = await TestClient.failure { try await client.send(request, retrying: policy) }
        #expect(reached.all.count == 1)
        #expect(error?.code == .unreachable && error?.outcome == .unknown)
    }

    @Test("a refusal that will stay is not argued with") func refusalWillStay() async throws {
        for status in ["400 Bad", "401 Who", "404 None", "409 Conflict", "501 Never"] {
            try await Self.answering(["HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"]) {
                .get($0.url())
            } test: {
                result, heads, _ in
                #expect((try? result.get().status.rawValue) == Int(status.prefix(3)) && heads.count == 1)
            }
        }
    }

    @Test("attempts end, and the last answer is told") func attemptsEndLast() async throws {
        let answers = Array(repeating: Self.later + "\r\n", count: 9)
        try await Self.answering(answers) {
            .get($0.url())
        } test: { result, heads, _ in
            #expect((try? result.get().status) == .unavailable && heads.count == 5)
        }
    }

    @Test(
        "a server says when to come back",
        arguments: [
            ("Retry-After: 7", Duration.seconds(7)), ("Retry-After: 0", .microseconds(187_500)),
            ("Retry-After: soon", .microseconds(187_500)), ("Retry-After: -5", .microseconds(187_500)),
            ("Retry-After: Sun, 22 Nov 2026 00:01:00 GMT", .microseconds(187_500)),
            ("Date: Sun, 22 Nov 2026 00:00:30 GMT\r\nRetry-After: Sun, 22 Nov 2026 00:01:00 GMT", .seconds(30)),
            (
                "Date: Sun, 22 Nov 2026 00:02:30 GMT\r\nRetry-After: Sun, 22 Nov 2026 00:01:00 GMT",
                .microseconds(187_500)
            ),
        ])
    func serverSaysWhen(fields: String, wait: Duration) async throws {
        try await Self.answering([Self.later + fields + "\r\n\r\n", Self.fine]) {
            .get($0.url())
        } test: {
            result, _, waits in
            #expect((try? result.get().status) == .ok && waits == [wait])
        }
    }

    @Test(
        "a server that wants to be left alone for long is not waited for",
        arguments: ["121", "999999999", "99999999999999999999"])
    func serverWantsBe(seconds: String) async throws {
        try await Self.answering([Self.later + "Retry-After: \(seconds)\r\n\r\n", Self.fine]) {
            .get($0.url())
        } test: {
            result, heads, waits in
            let isTooLongToRead = seconds.count > 9
            #expect((try? result.get().status) == (isTooLongToRead ? .ok : .unavailable))
            #expect(waits.count == (isTooLongToRead ? 1 : 0) && heads.count == waits.count + 1)
        }
    }

    @Test("waits double up to a limit, and chance takes up to half of them") func waitsDoubleUp() {
        var policy = RetryPolicy(attempts: .max, firstDelay: .seconds(1), longestDelay: .seconds(20), random: { 1 })
        #expect((1...7).map { policy.delay(afterFailures: $0) } == [1, 2, 4, 8, 16, 20, 20].map { .seconds($0) })
        #expect(policy.delay(afterFailures: 1_000_000) == .seconds(20))
        policy.random = { 0 }
        #expect(policy.delay(afterFailures: 3) == .seconds(2))
        policy.random = { -5 }
        #expect(policy.delay(afterFailures: 3) == .seconds(2))
        policy.attempts = 3
        #expect(policy.delay(afterFailures: 2) != nil && policy.delay(afterFailures: 3) == nil)
        #expect(RetryPolicy.none.delay(afterFailures: 1) == nil)
    }

    @Test("cancelling ends a wait and tells what may have happened") func cancellingEndsWait() async throws {
        let server = try ScriptedServer { connection, _ in _ = connection.readHead() }
        defer { server.stop() }
        let waiting = Collected<Bool>()
        let client = TestClient.make()
        let task = Task {
            await TestClient.failure {
                try await client.send(.get(server.url()), retrying: DownloadBench.endlessWait(waiting))
            }
        }
        await waiting.wait(for: 1)
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled && error?.outcome == .unknown)
    }
}
