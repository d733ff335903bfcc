import StoreModel
import StoreSigning
import Testing

@testable import till

@Suite("Where verifiers ask about certificates (X3, X9)") struct OnlineChecksTests {
    private static func address(
        _ url: String, listen: String? = nil, ocsp: String? = nil, tls: Bool = false
    ) throws -> String? {
        let listen = try listen.map { try #require(ListenAddress($0)) }
        let checks = OnlineChecks(listen: listen, url: try ocsp.map { try #require(PublicURL($0)) })
        return checks.addresses({ _ in StoreAddress(url) }, port: listen?.port, speaksTLS: tls)[.production]
    }

    @Test("They ask over plain HTTP, at the store's own port, a port for that, or the proxy's") func places() throws {
        #expect(try Self.address("http://127.0.0.1:8080") == "http://127.0.0.1:8080/ocsp/production")
        #expect(try Self.address("https://shop.example") == "http://shop.example/ocsp/production")
        #expect(try Self.address("https://shop.example:8443", tls: true) == nil)
        #expect(
            try Self.address("https://shop.example:8443", listen: "0.0.0.0:8082", tls: true)
                == "http://shop.example:8082/ocsp/production")
        #expect(
            try Self.address("https://[::1]:8443", listen: "[::1]:80", tls: true) == "http://[::1]/ocsp/production")
        #expect(
            try Self.address("https://shop.example", listen: "0.0.0.0:8082", ocsp: "http://ocsp.shop.example")
                == "http://ocsp.shop.example/ocsp/production")
    }

    @Test("Doctor names certificates that name another place, and what mends them") func doctor() async throws {
        let transcript = try Transcript()
        let keys = KeyStore(dataDirectory: transcript.data)
        func finding(_ address: String?, hasBegun: Bool = true) throws -> Finding {
            let findings = CertificateAddressCheck(
                keys: keys, addresses: address.map { [.production: $0] } ?? [:], hasBegun: hasBegun
            ).findings()
            return try #require(findings.count == 1 ? findings.first : nil)
        }
        let (known, other) = ("http://shop.example/ocsp/production", "http://other.example/ocsp/production")
        _ = try keys.create(.production, organization: "Till", onlineChecks: known, at: Transcript.start)
        #expect(try finding(known).level == .ok)
        #expect(try finding(nil).level == .ok)
        #expect(try finding(other, hasBegun: false).level == .ok)
        let warning = try finding(other)
        #expect(warning.level == .warning && warning.message.contains(known) && warning.message.contains(other))
        #expect(warning.remedy?.contains("till keys rotate --environment production") == true)
    }
}
