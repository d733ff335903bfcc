import Foundation
import StoreHTTP
import StoreHTTPClient
import TestSupport
import Testing

@Suite("A failure says what happened, and what may have been done", .bounded) struct FailureTests {
    private static let head = "HTTP/1.1 200 OK\r\n"

    /// What a server answers, and what that is.
    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
        let code: HTTPClientError.Code
        let outcome: HTTPClientError.Outcome

        init(
            _ name: String, _ bytes: String, _ code: HTTPClientError.Code,
            _ outcome: HTTPClientError.Outcome = .unknown
        ) {
            testDescription = name
            self.bytes = bytes
            self.code = code
            self.outcome = outcome
        }
    }

    /// Those of which no line arrives.
    private static let unanswered: Set = ["nothing", "half a status line"]

    static let answers: [Answer] = [
        Answer("nothing", "", .connectionLost),
        Answer("half a status line", "HTTP/1.1 2", .connectionLost),
        Answer("half a head", head + "Content-Length: 5\r\n", .connectionLost),
        Answer("a body that is too short", head + "Content-Length: 5\r\n\r\nabc", .connectionLost, .answered),
        Answer(
            "a chunk that is too short", head + "Transfer-Encoding: chunked\r\n\r\n5\r\nab", .connectionLost, .answered),
        Answer("no last chunk", head + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", .connectionLost, .answered),
        Answer(
            "a chunk without a length", head + "Transfer-Encoding: chunked\r\n\r\nxy\r\nab", .connectionLost, .answered),
        Answer("the words of another protocol", "220 mail ready\r\n250 ok\r\n", .responseMalformed),
        Answer("a body without a head", "<html>\r\n\r\n", .responseMalformed),
        Answer("a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", .responseMalformed),
        Answer("two lengths", head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", .responseMalformed),
        Answer("a line that is no field", head + "no colon here\r\n\r\n", .responseMalformed),
        Answer("a field that goes on in the next line", head + "A: 1\r\n  2\r\n\r\n", .responseMalformed),
        Answer("a length beyond the limit", head + "Content-Length: 1001\r\n\r\n", .responseTooLarge, .answered),
        Answer(
            "a body beyond the limit", head + "\r\n" + String(repeating: "a", count: 1001), .responseTooLarge, .answered
        ),
        Answer("too many fields", head + String(repeating: "A: 1\r\n", count: 300) + "\r\n", .responseTooLarge),
        Answer(
            "a long header",
            head + String(repeating: "A: \(String(repeating: "b", count: 1000))\r\n", count: 100) + "\r\n",
            .responseTooLarge),
        Answer("an endless line", head + "A: " + String(repeating: "b", count: 1 << 20), .responseTooLarge),
        Answer(
            "interim responses without end", String(repeating: "HTTP/1.1 103 Early\r\nA: 1\r\n\r\n", count: 10_000),
            .responseTooLarge),
        Answer(
            "a coding that is none", head + "Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!",
            .responseMalformed, .answered),
    ]

    @Test("an answer that is not whole is an error that says so", arguments: answers)
    func answerNotWhole(_ answer: Answer) async throws {
        try await TestClient.with(
            script: { connection, _ in
                guard connection.readHead() != nil else { return }
                connection.write(answer.bytes)
            },
            test: { client, server in
                let error = await TestClient.failure {
                    try await client.send(.get(server.url("/secret?token=secret")), limit: 1000)
                }
                #expect(error?.code == answer.code)
                #expect(error?.outcome == answer.outcome)
                #expect(error?.status == (answer.outcome == .answered ? .ok : nil))
                if answer.code == .connectionLost {
                    #expect(error?.hasBegun == !Self.unanswered.contains(answer.testDescription))
                }
                #expect(error?.description.contains("secret") == false)
            })
    }

    @Test("interim responses are passed over") func interimResponsesPassed() async throws {
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n")
                connection.answer("202 Fine", fields: ["A: 1"], [7])
            },
            test: { client, server in
                let response = try await client.send(.get(server.url()))
                #expect(response.status == .accepted)
                #expect(response.fields["Link"] == nil && response.fields["A"] == "1")
                #expect(response.body == [7])
            })
    }

    @Test("a request that reached nobody was certainly not sent") func requestReachedNobody() async throws {
        let server = try ScriptedServer { _, _ in }
        server.stop()
        let client = TestClient.make()
        let refused = await TestClient.failure { try await client.send(.get(server.url())) }
        #expect(refused?.code == .unreachable && refused?.outcome == .notSent)
        let nowhere = await TestClient.failure { try await client.send(.get("http://nowhere.invalid/")) }
        #expect(nowhere?.code == .nameUnknown && nowhere?.outcome == .notSent)
        var request = ClientRequest.get("http://localhost/")
        request.socketPath = "/nowhere/socket"
        let socket = await TestClient.failure { try await client.send(request) }
        #expect(socket?.code == .unreachable && socket?.outcome == .notSent)
    }

    @Test("a server that says nothing leaves the outcome open") func serverSaysNothing() async throws {
        try await TestClient.with(
            script: { connection, _ in connection.waitForEnd() },
            test: { client, server in
                for timeouts in [
                    ClientTimeouts(total: .milliseconds(200)), ClientTimeouts(idle: .seconds(1), total: nil),
                ] {
                    var request = ClientRequest(.post, server.url(), body: .bytes([1]))
                    request.timeouts = timeouts
                    let error = await TestClient.failure { [request] in try await client.send(request) }
                    #expect(error?.code == .timedOut && error?.outcome == .unknown)
                    // A secure connection comes before the request, so that nothing was sent here.
                    request.url = request.url.replacing("http:", with: "https:")
                    request.timeouts?.connect = .milliseconds(200)
                    let secure = await TestClient.failure { [request] in try await client.send(request) }
                    #expect(secure?.code == .timedOut && secure?.outcome == .notSent)
                }
            })
    }

    @Test("a body that dries up is an error after the idle time") func bodyDriesUp() async throws {
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                connection.waitForEnd()
            },
            test: { client, server in
                var request = ClientRequest.get(server.url())
                request.timeouts = ClientTimeouts(idle: .seconds(1), total: nil)
                let error = await TestClient.failure { [request] in try await client.send(request) }
                #expect(error?.code == .timedOut && error?.outcome == .answered && error?.status == .ok)
            })
    }

    @Test("a connection reset in the middle is an error") func connectionResetMiddle() async throws {
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                connection.reset()
            },
            test: { client, server in
                let error = await TestClient.failure { try await client.send(.get(server.url())) }
                #expect(error?.code == .connectionLost)
            })
    }

    @Test("what must not be done twice is sent once, even when the connection ends at its reuse") func whatMustNot()
        async throws
    {
        let heads = Collected<String>()
        try await TestClient.with(
            script: { connection, number in
                guard let first = connection.readHead() else { return }
                heads.append(first)
                // A GET is answered and the connection kept; what follows on it is read, and the connection closed.
                if first.hasPrefix("POST") { return }
                connection.answer()
                if let second = connection.readHead() { heads.append(second) }
            },
            test: { client, server in
                try await client.send(.get(server.url("/1")))
                let post = ClientRequest(.post, server.url("/2"), body: .bytes([1]))
                let error = await TestClient.failure { try await client.send(post) }
                #expect(error?.code == .connectionLost && error?.outcome == .unknown)
                #expect(heads.all.count { $0.hasPrefix("POST") } == 1)
                // A GET may be repeated, and is, on a new connection.
                let response = try await client.send(.get(server.url("/3")))
                #expect(response.status == .ok)
            })
    }

    @Test("a keyed request uses a kept connection and survives its end") func keyedRequestUses() async throws {
        let heads = Collected<String>()
        try await TestClient.with(
            script: { connection, number in
                while let head = connection.readHead() {
                    heads.append(head)
                    // The second request on the first connection meets a server that has just lost patience.
                    if number == 0, head.hasPrefix("POST") { return }
                    if head.hasPrefix("POST") { _ = connection.read(1) }
                    connection.answer()
                }
            },
            test: { client, server in
                try await client.send(.get(server.url()))
                let post = ClientRequest(.post, server.url(), fields: ["Idempotency-Key": "k"], body: .bytes([1]))
                let response = try await client.send(post)
                #expect(response.status == .ok)
                #expect(heads.all.count { $0.hasPrefix("POST") } == 2)
                #expect(server.accepted == 2)
            })
    }

    @Test("what a server sends cannot confuse the client") func whatServerSends() async throws {
        let genuine = [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: 1\r\n\r\n",
            "HTTP/1.1 103 Early\r\nA: 1\r\n\r\nHTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n",
        ]
        let mutants = Array(Mutants("responses", of: genuine, rounds: 300))
        try await TestClient.with(
            { $0.limits.connectionsPerHost = 1 },
            script: { connection, number in
                guard connection.readHead() != nil, number < mutants.count else { return }
                connection.write(mutants[number].bytes)
            },
            test: { client, server in
                for mutant in mutants {
                    // One mutant for each connection: nothing is sent again, and none is kept.
                    let request = ClientRequest(.post, server.url(), fields: ["Connection-Probe": "1"])
                    do {
                        let response = try await client.send(request, limit: 10_000)
                        #expect(response.body.count <= mutant.bytes.count, "\(mutant)")
                    } catch let error as HTTPClientError {
                        #expect(error.outcome != .notSent, "\(mutant): \(error)")
                    }
                }
            })
    }
}
