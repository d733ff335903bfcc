import Foundation
import StoreHTTP
import StoreHTTPClient
import TestSupport
import Testing

@Suite("nginx is understood, over TCP, TLS and a socket of the file system", .bounded) struct NginxTests {
    private static let body = SplitMix64Bytes.make(2_000_000)

    private func server() throws -> NginxServer {
        let server = try NginxServer.start()
        try server.publish(Self.body, as: "file")
        return server
    }

    @Test("a file arrives over each of them, many at a time") func fileArrivesOver() async throws {
        let server = try server()
        let client = TestClient.make { $0.trust = TrustSettings(.file(server.certificates.authority("localhost"))) }
        var socket = ClientRequest.get("http://localhost/file")
        socket.socketPath = server.socketPath
        let requests = [.get(server.url("/file")), .get(server.secureURL("/file")), socket]
        try await withThrowingTaskGroup { group in
            for number in 0..<30 {
                group.addTask {
                    let request = requests[number % 3]
                    guard number % 2 == 0 else { return try await client.send(request).body }
                    return try await client.stream(request).body.collect()
                }
            }
            for try await body in group { #expect(body == Self.body) }
        }
        await client.shutDown()
    }

    @Test("nginx compresses, and the client undoes it") func nginxCompressesClient() async throws {
        let server = try server()
        let text = [UInt8]("Magic coins. ".utf8) + [UInt8](repeating: 65, count: 100_000)
        try server.publish(text, as: "text")
        let client = TestClient.make()
        let response = try await client.send(.get(server.url("/zipped/text")))
        #expect(response.body == text && response.fields["Content-Length"] == nil)
    }

    @Test("only the trusted authority is believed, given as a file or as bytes") func onlyTrustedAuthority()
        async throws
    {
        let server = try server()
        let right = server.certificates.authority("localhost")
        let wrong = server.certificates.authority("other")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: right)))
        for trust in [TrustSettings(.file(right)), TrustSettings(.pem(bytes))] {
            let client = TestClient.make { $0.trust = trust }
            #expect(try await client.send(.get(server.secureURL("/file"))).body == Self.body)
        }
        for trust in [TrustSettings(.system), TrustSettings(.file(wrong))] {
            let client = TestClient.make { $0.trust = trust }
            let error = await TestClient.failure {
                try await client.send(ClientRequest(.post, server.secureURL("/file"), body: .bytes([1])))
            }
            #expect(error?.code == .untrusted && error?.outcome == .notSent)
        }
        for authorities in [TrustSettings.Authorities.file("/nowhere.pem"), .pem([1, 2, 3])] {
            let client = TestClient.make { $0.trust = TrustSettings(authorities) }
            let error = await TestClient.failure { try await client.send(.get(server.secureURL("/file"))) }
            #expect(error?.code == .settings && error?.outcome == .notSent)
        }
    }

    @Test("a certificate for another host is refused") func certificateAnotherHost() async throws {
        let server = try server()
        let client = TestClient.make { $0.trust = TrustSettings(.file(server.certificates.authority("other"))) }
        let error = await TestClient.failure { try await client.send(.get("https://localhost:\(server.otherPort)/")) }
        #expect(error?.code == .untrusted && error?.outcome == .notSent)
    }

    @Test("TLS before 1.2 is refused") func tlsBefore1() async throws {
        let server = try server()
        let client = TestClient.make { $0.trust = TrustSettings(.file(server.certificates.authority("localhost"))) }
        let error = await TestClient.failure { try await client.send(.get("https://localhost:\(server.oldPort)/")) }
        #expect(error?.code == .secureConnectionFailed && error?.outcome == .notSent)
    }

    @Test("a pinned key must be the server's, even under the right authority") func pinnedKeyMust() async throws {
        let server = try server()
        let authority = TrustSettings.Authorities.file(server.certificates.authority("localhost"))
        let right = try server.certificates.pin("localhost")
        let wrong = try server.certificates.pin("other")
        #expect(right.count == 32 && right != wrong)
        for pins in [[right], [wrong, right]] {
            let client = TestClient.make { $0.trust = TrustSettings(authority, pinnedKeys: pins) }
            #expect(try await client.send(.get(server.secureURL("/file"))).status == .ok)
        }
        let client = TestClient.make { $0.trust = TrustSettings(authority, pinnedKeys: [wrong]) }
        let error = await TestClient.failure { try await client.send(.get(server.secureURL("/file"))) }
        #expect(error?.code == .untrusted && error?.outcome == .notSent)
    }

    @Test("redirections are followed only where asked, so far, and never from secure to open")
    func redirectionsFollowedOnly() async throws {
        let server = try server()
        let client = TestClient.make { $0.trust = TrustSettings(.file(server.certificates.authority("localhost"))) }
        #expect(try await client.send(.get(server.url("/moved"))).status.rawValue == 302)
        var request = ClientRequest.get(server.url("/moved"))
        request.followsRedirections = true
        #expect(try await client.send(request).body == Self.body)
        let streamed = try await client.stream(request)
        #expect(streamed.status == .ok)
        #expect(try await streamed.body.collect() == Self.body)
        for url in [server.url("/around"), server.secureURL("/open")] {
            var request = ClientRequest.get(url)
            request.followsRedirections = true
            let followed = request
            let error = await TestClient.failure { try await client.send(followed) }
            #expect(error?.code == .redirection)
        }
        let post = { (path: String) in
            var request = ClientRequest(.post, server.url(path), body: .bytes([1]))
            request.followsRedirections = true
            return request
        }
        #expect(try await client.send(post("/moved")).status.rawValue == 302)
    }
}
