import StoreHTTP
import Testing

@testable import StoreHTTPClient

/// Clients for tests: they reach everything, and lose patience only when something hangs.
enum TestClient {
    static func make(_ change: (inout HTTPClientConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.timeouts = ClientTimeouts(connect: .seconds(120), idle: .seconds(240), total: .seconds(600))
        change(&configuration)
        return HTTPClient(configuration)
    }

    /// A server and a client for the length of a test.
    static func with(
        _ change: (inout HTTPClientConfiguration) -> Void = { _ in }, script: @escaping ScriptedServer.Script,
        test: (HTTPClient, ScriptedServer) async throws -> Void
    ) async throws {
        let server = try ScriptedServer(script)
        defer { server.stop() }
        let client = make(change)
        try await test(client, server)
        await client.shutDown()
        #expect(client.requestsOnTheirWay == 0)
    }

    /// The error that a request ends with.
    static func failure(_ body: () async throws -> some Sendable) async -> HTTPClientError? {
        do {
            _ = try await body()
            return nil
        } catch let error as HTTPClientError {
            return error
        } catch {
            Issue.record("\(error) is no error of the client")
            return nil
        }
    }
}
