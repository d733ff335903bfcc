import Foundation
import StoreHTTP
import StoreHTTPClient
import TestSupport
import Testing

@Suite("Proxies and redirections to other hosts", .bounded) struct ProxyTests {
    private static func client(_ kind: ProxySettings.Proxy.Kind, _ port: Int, trust: TrustSettings = TrustSettings())
        -> HTTPClient
    {
        TestClient.make {
            $0.proxy = .proxy(.init(kind, host: "127.0.0.1", port: port, user: "anna", password: "se:cret"))
            $0.trust = trust
        }
    }

    @Test("a proxy gets its credentials, and the server behind it does not") func proxyGetsCredentials() async throws {
        let heads = Collected<String>()
        let proxy = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                heads.append(head)
                connection.answer(fields: ["Via: probe"])
            }
        }
        defer { proxy.stop() }
        let response = try await Self.client(.http, proxy.port).send(.get("http://shop.example:81/a?b"))
        #expect(response.fields["Via"] == "probe")
        let head = try #require(heads.all.first)
        #expect(head.hasPrefix("GET http://shop.example:81/a?b HTTP/1.1\r\n"))
        let credentials = Data("anna:se:cret".utf8).base64EncodedString()
        #expect(head.contains("\r\nProxy-Authorization: Basic \(credentials)\r\n"))
        #expect(!head.contains("\r\nAuthorization:"))
    }

    @Test("TLS goes through the tunnel of a proxy to nginx") func tlsGoesThrough() async throws {
        let nginx = try NginxServer.start()
        try nginx.publish([1, 2, 3], as: "file")
        let heads = Collected<String>()
        let proxy = try ScriptedServer { connection, _ in
            heads.append(connection.readHead() ?? "")
            connection.write("HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n")
            connection.joined(toPort: nginx.securePort)
        }
        defer { proxy.stop() }
        let trust = TrustSettings(.file(nginx.certificates.authority("localhost")))
        let client = Self.client(.http, proxy.port, trust: trust)
        let response = try await client.send(.get(nginx.secureURL("/file")))
        #expect(response.body == [1, 2, 3] && response.fields["X-Proxy"] == nil)
        #expect(heads.all[0].hasPrefix("CONNECT localhost:\(nginx.securePort) HTTP/1.1\r\n"))
        // The key and the name are those of the server, not of the proxy.
        let suspicious = Self.client(.http, proxy.port)
        let error = await TestClient.failure { try await suspicious.send(.get(nginx.secureURL("/file"))) }
        #expect(error?.code == .untrusted)
    }

    @Test("a SOCKS proxy resolves the name itself") func socksProxyResolves() async throws {
        let asked = Collected<[UInt8]>()
        let proxy = try ScriptedServer { connection, _ in
            guard let greeting = connection.read(2), let methods = connection.read(Int(greeting[1])) else { return }
            guard methods.contains(2), connection.write([5, 2]), let user = connection.read(2),
                connection.read(Int(user[1])) == Array("anna".utf8), let length = connection.read(1),
                connection.read(Int(length[0])) == Array("se:cret".utf8), connection.write([1, 0]),
                let request = connection.read(5), request[3] == 3, let name = connection.read(Int(request[4]) + 2)
            else { return }
            asked.append(name)
            connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            if connection.readHead()?.hasPrefix("GET /a HTTP/1.1\r\n") == true { connection.answer([9]) }
        }
        defer { proxy.stop() }
        let response = try await Self.client(.socks5, proxy.port).send(.get("http://shop.example:80/a"))
        #expect(response.body == [9])
        #expect(asked.all == [Array("shop.example".utf8) + [0, 80]])
    }

    @Test("a proxy that refuses, or is not there, is an error without secrets") func proxyRefusesNot() async throws {
        let proxy = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.answer("407 No", fields: ["Proxy-Authenticate: Basic realm=x"])
        }
        let client = Self.client(.http, proxy.port)
        #expect(try await client.send(.get("http://shop.example/")).status.rawValue == 407)
        let tunnel = await TestClient.failure { try await client.send(.get("https://shop.example/")) }
        #expect(tunnel?.code == .connectionLost || tunnel?.code == .unreachable)
        proxy.stop()
        let gone = await TestClient.failure { try await client.send(.get("http://shop.example/")) }
        #expect(gone?.code == .unreachable && gone?.outcome == .notSent)
        for error in [tunnel, gone] { #expect(error?.description.contains("cret") == false) }
    }

    @Test("a redirection to another host does not take the authorisation along") func redirectionAnotherHost()
        async throws
    {
        let heads = Collected<String>()
        let other = try ScriptedServer { connection, _ in
            heads.append(connection.readHead() ?? "")
            connection.answer()
        }
        defer { other.stop() }
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.answer("302 Found", fields: ["Location: \(other.url("/there"))"])
            },
            test: { client, server in
                var request = ClientRequest.get(
                    server.url(),
                    fields: [
                        "Authorization": "Bearer secret", "Cookie": "a=secret", "X-Api-Key": "secret",
                        "Accept": "x/y",
                    ])
                request.followsRedirections = true
                let response = try await client.send(request)
                #expect(response.status == .ok)
                #expect(heads.all[0].hasPrefix("GET /there HTTP/1.1\r\n"))
                #expect(!heads.all[0].contains("secret") && heads.all[0].contains("\r\nAccept: x/y\r\n"))
            })
    }
}
