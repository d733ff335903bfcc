import Foundation
import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("Bodies that are read as they arrive", .bounded) struct ClientStreamTests {
    @Test("a body arrives in pieces, whole and in order") func bodyArrivesPieces() async throws {
        let body = SplitMix64Bytes.make(3_000_000)
        try await TestClient.with(
            script: { connection, _ in
                while connection.readHead() != nil { connection.answer(body) }
            },
            test: { client, server in
                for _ in 0..<3 {
                    let response = try await client.stream(.get(server.url()))
                    #expect(response.status == .ok)
                    let received = try await response.body.collect()
                    #expect(received == body)
                }
                #expect(server.accepted == 1)
            })
    }

    @Test("the head is there before the body") func headThereBefore() async throws {
        let gate = Collected<Bool>()
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
                guard connection.readHead() != nil else { return }
                gate.append(true)
            },
            test: { client, server in
                let response = try await client.stream(.get(server.url()))
                #expect(response.fields["Content-Length"] == "3" && gate.all.isEmpty)
            })
    }

    @Test("a reader that does not read holds the server back") func readerDoesNot() async throws {
        let taken = Collected<Int>()
        let piece = SplitMix64Bytes.make(64 * 1024)
        let limit = 200_000_000
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\n\r\n")
                taken.append(connection.fill(piece, upTo: limit))
                taken.append(connection.write(piece) ? piece.count : 0)
            },
            test: { client, server in
                let response = try await client.stream(.get(server.url()))
                await taken.wait(for: 1)
                // What the system buffers for both sides, and what the client does.
                #expect(taken.all[0] < 30_000_000)
                var count = 0
                for try await bytes in response.body { count += bytes.count }
                #expect(count == taken.all[0] + piece.count)
            })
    }

    @Test("letting go of the body ends the request") func lettingGoBody() async throws {
        let ended = Collected<Bool>()
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                connection.waitForEnd()
                ended.append(true)
            },
            test: { client, server in
                _ = try await client.stream(.get(server.url()))
                await ended.wait(for: 1)
                let response = try await client.stream(.get(server.url()))
                response.body.giveUp()
                await ended.wait(for: 2)
                let reader = Task {
                    for try await _ in try await client.stream(.get(server.url())).body {}
                }
                await server.wait(forConnections: 3)
                reader.cancel()
                await ended.wait(for: 3)
                #expect(client.requestsOnTheirWay <= 1)
            })
    }

    @Test("a body that breaks off throws where it breaks") func bodyBreaksOff() async throws {
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            },
            test: { client, server in
                let response = try await client.stream(.get(server.url()))
                let error = await TestClient.failure { try await response.body.collect() }
                #expect(error?.code == .connectionLost && error?.outcome == .answered)
            })
    }

    @Test("a response to HEAD has no body, whatever its length says") func responseHEADHas() async throws {
        try await TestClient.with(
            script: { connection, _ in
                while connection.readHead() != nil {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
                }
            },
            test: { client, server in
                let streamed = try await client.stream(ClientRequest(.head, server.url()))
                let body = try await streamed.body.collect()
                #expect(body == [])
                let collected = try await client.send(ClientRequest(.head, server.url()))
                #expect(collected.fields["Content-Length"] == "10000000000")
            })
    }
}
