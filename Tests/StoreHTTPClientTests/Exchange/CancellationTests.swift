import Foundation
import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("Requests end when nobody waits for them any more", .bounded) struct CancellationTests {
    @Test("a cancelled request says that it was cancelled, and what may have happened") func cancelledRequestSays()
        async throws
    {
        let heads = Collected<String>()
        try await TestClient.with(
            script: { connection, _ in
                heads.append(connection.readHead() ?? "")
                connection.waitForEnd()
            },
            test: { client, server in
                let task = Task { await TestClient.failure { try await client.send(.get(server.url())) } }
                await heads.wait(for: 1)
                task.cancel()
                let error = await task.value
                #expect(error?.code == .cancelled && error?.outcome == .unknown)
                let early = await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await TestClient.failure { try await client.send(.get(server.url())) }
                }.value
                #expect(early?.code == .cancelled && early?.outcome == .notSent)
                #expect(server.accepted == 1)
            })
    }

    @Test("a client that was shut down refuses, and has closed everything") func clientWasShut() async throws {
        let server = try ScriptedServer { connection, _ in connection.waitForEnd() }
        let client = TestClient.make()
        let waiting = (0..<8).map { _ in
            Task { await TestClient.failure { try await client.send(.get(server.url())) } }
        }
        await server.wait(forConnections: 8)
        await client.shutDown()
        await client.shutDown()
        for (number, task) in waiting.enumerated() {
            let error = await task.value
            #expect(error?.code == .shutDown, "\(number)")
        }
        let late = await TestClient.failure { try await client.send(.get(server.url())) }
        #expect(late?.code == .shutDown && late?.outcome == .notSent)
        server.stop()
    }

    @Test("a client that nobody has any more ends its requests") func clientNobodyHas() async throws {
        let ended = Collected<Bool>()
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer()
            connection.waitForEnd()
            ended.append(true)
        }
        defer { server.stop() }
        func useOnce() async throws -> HTTPStatus {
            let client = TestClient.make()
            return try await client.send(.get(server.url())).status
        }
        #expect(try await useOnce() == .ok)
        // The kept connection is closed with its client.
        await ended.wait(for: 1)
    }

    @Test("requests beyond the queue are refused at once") func requestsBeyondQueue() async throws {
        try await TestClient.with(
            {
                $0.limits.queuedRequests = 3
                $0.limits.connections = 1
            }, script: { connection, _ in connection.waitForEnd() },
            test: { client, server in
                await withTaskGroup(of: HTTPClientError?.self) { group in
                    for _ in 0..<4 {
                        group.addTask { await TestClient.failure { try await client.send(.get(server.url())) } }
                    }
                    // The server answers none of them, so the one that ends is the one that was refused.
                    let error = await group.next() ?? nil
                    #expect(error?.code == .queueFull && error?.outcome == .notSent)
                    await server.wait(forConnections: 1)
                    #expect(server.accepted == 1)
                    group.cancelAll()
                    for await error in group { #expect(error?.code == .cancelled) }
                }
            })
    }
}
