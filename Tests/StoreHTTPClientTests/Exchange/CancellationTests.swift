import Foundation
import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("Nothing leaks, whenever a task is cancelled", .serialized) struct CancellationTests {
    /// What a server does until its client has gone.
    enum Stall: CaseIterable {
        case atOnce, afterHead, inBody, never
    }

    private static let script: ScriptedServer.Script = { connection, number in
        while connection.readHead() != nil {
            switch Stall.allCases[number % 4] {
            case .atOnce: return connection.waitForEnd()
            case .afterHead: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            case .inBody: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            case .never: connection.answer([1, 2, 3])
            }
        }
    }

    @Test func `a cancelled request says that it was cancelled, and what may have happened`() async throws {
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

    @Test func `a thousand requests cancelled at any instant leave nothing behind`() async throws {
        let handles = EasyHandle.count
        let server = try ScriptedServer(Self.script)
        let client = TestClient.make { $0.limits.connections = 16 }
        var random = RandomizedRun.generator(named: "cancelled requests")
        var memory: [Int] = []
        let rounds = RandomizedRun.cases(10)
        for round in 0..<rounds {
            await withTaskGroup { group in
                for _ in 0..<100 {
                    let isStreamed = Bool.random(using: &random)
                    let isUpload = Bool.random(using: &random)
                    let task = Task { await Self.request(client, server.url(), isStreamed, isUpload) }
                    let yields = 1 << Int.random(in: 0...12, using: &random)
                    group.addTask {
                        for _ in 0..<yields { await Task.yield() }
                        task.cancel()
                        await task.value
                    }
                }
            }
            if round == rounds / 2 || round == rounds - 1 { memory.append(Self.residentPages) }
        }
        // Many of them got as far as the server.
        #expect(server.accepted > 100)
        await client.shutDown()
        #expect(client.requestsOnTheirWay == 0)
        #expect(EasyHandle.count <= handles)
        server.stop()
        #expect(memory[1] - memory[0] < 8 * 256, "so many pages were not given back")
    }

    private static func request(_ client: HTTPClient, _ url: String, _ isStreamed: Bool, _ isUpload: Bool) async {
        let stream = BodyStream(limit: 1000)
        let writer = Task {
            while true { try await stream.write([UInt8](repeating: 1, count: 600)) }
        }
        var request = ClientRequest.get(url)
        if isUpload { request = ClientRequest(.post, url, body: .stream(length: nil, stream)) }
        do {
            if isStreamed {
                for try await _ in try await client.stream(request).body {}
            } else {
                try await client.send(request)
            }
        } catch is HTTPClientError {
        } catch is CancellationError {
        } catch {
            Issue.record("\(error)")
        }
        if !isUpload { stream.giveUp() }
        // Ends only if the client has let go of the body of the request.
        _ = await writer.result
    }

    @Test func `a client that was shut down refuses, and has closed everything`() async throws {
        let server = try ScriptedServer(Self.script)
        let before = OpenDescriptors.all.count
        let client = TestClient.make()
        let waiting = (0..<8).map { _ in
            Task { await TestClient.failure { try await client.send(.get(server.url())) } }
        }
        while server.accepted < 8 { await Task.yield() }
        await client.shutDown()
        await client.shutDown()
        for (number, task) in waiting.enumerated() {
            guard let error = await task.value else { continue }
            #expect(error.code == .shutDown, "\(number)")
        }
        let late = await TestClient.failure { try await client.send(.get(server.url())) }
        #expect(late?.code == .shutDown && late?.outcome == .notSent)
        server.stop()
        #expect(before > 0)
    }

    @Test func `a client that nobody has any more ends its requests`() async throws {
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

    @Test func `requests beyond the queue are refused at once`() async throws {
        try await TestClient.with(
            {
                $0.limits.queuedRequests = 3
                $0.limits.connections = 1
            }, script: { connection, _ in connection.waitForEnd() },
            test: { client, server in
                let waiting = (0..<3).map { _ in
                    Task { await TestClient.failure { try await client.send(.get(server.url())) } }
                }
                while client.requestsOnTheirWay < 3 { await Task.yield() }
                let error = await TestClient.failure { try await client.send(.get(server.url())) }
                #expect(error?.code == .queueFull && error?.outcome == .notSent)
                while server.accepted < 1 { await Task.yield() }
                #expect(server.accepted == 1)
                for task in waiting { task.cancel() }
                for task in waiting { #expect(await task.value?.code == .cancelled) }
            })
    }

    private static var residentPages: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
