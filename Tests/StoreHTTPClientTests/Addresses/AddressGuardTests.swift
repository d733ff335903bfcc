import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("Addresses that must not be reached are not reached, however they are written", .bounded)
struct AddressGuardTests {
    /// One or more addresses of each kind, and those just outside.
    static let table: [(AddressKind, [String])] = [
        (
            .public,
            ["1.1.1.1", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255", "172.32.0.0"]
        ),
        (
            .public,
            ["100.63.255.255", "100.128.0.0", "169.253.255.255", "192.167.255.255", "192.169.0.0", "223.255.255.255"]
        ),
        (.public, ["2606:4700::1111", "2a00::", "3ffe::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2001:200::1"]),
        (.loopback, ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1"]),
        (.private, ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1", "192.168.255.255"]),
        (.private, ["fc00::1", "fdff::1", "::ffff:10.0.0.1", "64:ff9b::192.168.1.1", "fec0::1"]),
        (.shared, ["100.64.0.0", "100.127.255.255", "::ffff:100.64.0.1"]),
        (.linkLocal, ["169.254.169.254", "fe80::1", "febf::1", "::ffff:169.254.169.254", "fe80::1%lo"]),
        (.multicast, ["224.0.0.1", "239.255.255.255", "ff02::1", "::ffff:224.0.0.1"]),
        (.unspecified, ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0", "64:ff9b::0.0.0.0"]),
        (.documentation, ["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "2001:db8::1"]),
        (.documentation, ["3fff::1", "3fff:fff:ffff::1"]),
        (
            .reserved,
            ["192.0.0.1", "192.88.99.1", "240.0.0.1", "255.255.255.255", "2002:7f00:1::", "2001::1", "2001:1ff::1"]
        ),
        (.reserved, ["64:ff9b:1::1", "100::1", "::2", "::127.0.0.1", "1::", "4000::", "5f00::1", "fe00::1"]),
    ]

    @Test("an address is known for what it is for", arguments: table) func addressKnownWhat(
        kind: AddressKind, addresses: [String]
    ) throws {
        for text in addresses {
            let address = try #require(NetworkAddress(text), "\(text)")
            #expect(address.kind == kind, "\(text)")
            #expect(AddressGuard.publicOnly.allows(address) == (kind == .public), "\(text)")
            #expect(AddressGuard.everywhere.allows(address))
        }
    }

    @Test("what is no address is none") func whatNoAddress() {
        for text in ["", "localhost", "1.2.3", "1.2.3.256", "0x7f.0.0.1", "12345::", ":::", "1.2.3.4.5", "[::1]"] {
            #expect(NetworkAddress(text) == nil, "\(text)")
        }
    }

    /// Ways to write this machine, all of which lead here.
    static let spellings = [
        "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]",
        "0.0.0.0", "0", "[::]", "[::ffff:7f00:1]",
    ]

    @Test("this machine is not reached, whatever it is called", arguments: spellings)
    func thisMachineNot(host: String) async throws {
        let server = try ScriptedServer { connection, _ in connection.answer() }
        defer { server.stop() }
        var configuration = HTTPClientConfiguration(addresses: .publicOnly)
        configuration.timeouts.total = .seconds(20)
        let client = HTTPClient(configuration)
        let error = await TestClient.failure { try await client.send(.get("http://\(host):\(server.port)/")) }
        #expect(error?.code == .addressRefused, "\(error?.description ?? "reached")")
        #expect(error?.outcome == .notSent)
        #expect(server.accepted == 0)
    }

    @Test("a request may be for other addresses than its client") func otherAddresses() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer() }
        }
        defer { server.stop() }
        let client = HTTPClient(HTTPClientConfiguration(addresses: .publicOnly))
        var request = ClientRequest.get("http://localhost:\(server.port)/")
        request.addresses = AddressGuard(allowing: [.loopback])
        #expect(try await client.send(request).status == .ok)
        request.addresses = AddressGuard(allowing: [.private])
        let refused = request
        let other = await TestClient.failure {
            try await HTTPClient(HTTPClientConfiguration(addresses: .everywhere)).send(refused)
        }
        #expect(other?.code == .addressRefused && other?.outcome == .notSent)
    }

    @Test("a redirection leads to no address that must not be reached") func redirectionLeadsNo() async throws {
        let forbidden = try ScriptedServer { connection, _ in connection.answer() }
        defer { forbidden.stop() }
        let target = "http://0.0.0.0:\(forbidden.port)/"
        try await TestClient.with(
            { $0.addresses = AddressGuard(allowing: [.loopback]) },
            script: { connection, _ in
                while connection.readHead() != nil { connection.answer("302 Found", fields: ["Location: \(target)"]) }
            },
            test: { client, server in
                var request = ClientRequest.get(server.url())
                request.followsRedirections = true
                let redirected = request
                let error = await TestClient.failure { try await client.send(redirected) }
                #expect(error?.code == .addressRefused && error?.outcome == .notSent)
                #expect(forbidden.accepted == 0 && server.accepted == 1)
            })
    }

    @Test("behind a proxy an address in the URL is still judged, and the proxy itself is not") func behindProxyAddress()
        async throws
    {
        let heads = Collected<String>()
        let proxy = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                heads.append(head)
                connection.answer()
            }
        }
        defer { proxy.stop() }
        var configuration = HTTPClientConfiguration(addresses: .publicOnly)
        configuration.proxy = .proxy(.init(.http, host: "127.0.0.1", port: proxy.port))
        let client = HTTPClient(configuration)
        for host in ["10.0.0.1", "169.254.169.254", "[::1]", "2130706433"] {
            let error = await TestClient.failure { try await client.send(.get("http://\(host)/")) }
            #expect(error?.code == .addressRefused && error?.outcome == .notSent, "\(host)")
        }
        #expect(heads.all.isEmpty)
        #expect(try await client.send(.get("http://shop.example/")).status == .ok)
        #expect(heads.all[0].hasPrefix("GET http://shop.example/ HTTP/1.1\r\n"))
    }
}
