import StoreHTTPClient
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Compressed bodies", .bounded) struct ClientCompressionTests {
    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        try #require(Deflater()).deflate(bytes, isLast: true)
    }

    @Test("a compressed body is decompressed, and its fields tell of the result") func compressedBodyDecompressed()
        async throws
    {
        let text = [UInt8](repeating: 65, count: 50_000)
        let compressed = try Self.gzip(text)
        try await TestClient.with(
            script: { connection, _ in
                guard connection.readHead()?.contains("Accept-Encoding: gzip\r\n") == true else { return }
                connection.answer(fields: ["Content-Encoding: gzip"], compressed)
            },
            test: { client, server in
                let response = try await client.send(.get(server.url()))
                #expect(response.body == text)
                #expect(response.fields["Content-Encoding"] == nil && response.fields["Content-Length"] == nil)
            })
    }

    @Test("a bomb is refused while it unfolds") func bombRefusedWhile() async throws {
        let bomb = try Self.gzip([UInt8](repeating: 0, count: 50_000_000))
        #expect(bomb.count < 100_000)
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.answer(fields: ["Content-Encoding: gzip"], bomb)
            },
            test: { client, server in
                let error = await TestClient.failure { try await client.send(.get(server.url()), limit: 1_000_000) }
                #expect(error?.code == .responseTooLarge && error?.outcome == .answered)
            })
    }

    @Test("without being asked for, compression is neither offered nor undone") func withoutBeingAsked() async throws {
        try await TestClient.with(
            script: { connection, _ in
                guard connection.readHead()?.contains("Accept-Encoding") == false else { return }
                connection.answer(fields: ["Content-Encoding: gzip"], [1, 2, 3])
            },
            test: { client, server in
                var request = ClientRequest.get(server.url())
                request.acceptsCompression = false
                let response = try await client.send(request)
                #expect(response.body == [1, 2, 3] && response.fields["Content-Encoding"] == "gzip")
            })
    }
}
