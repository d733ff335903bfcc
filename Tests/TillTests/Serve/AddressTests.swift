import Testing

@testable import till

@Suite("Addresses on the command line (X9)")
struct AddressTests {
    @Test(
        "An address of a listener is a numeric host and a port",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080), ("0.0.0.0:0", "0.0.0.0", 0), ("localhost:1", "127.0.0.1", 1),
            ("[::1]:65535", "::1", 65535), ("[fe80::1]:80", "fe80::1", 80),
        ])
    func listenAddresses(text: String, host: String, port: Int) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host && address.port == port)
        #expect(ListenAddress(address.description) == address)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", ":", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
            "127.0.0.1:8080 ", "store.example.com:80", "::1:80", "[::1]", "[127.0.0.1]:80", "[store]:80", "1.2.3:80",
            "127.0.0.1:80:80", "127.0.0.1:0x10", "127.0.0.1:８０",
        ])
    func noListenAddresses(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(
        "A public address is a scheme, a host, and perhaps a port",
        arguments: [
            ("https://store.example.com", "https://store.example.com"), ("http://[::1]:8080/", "http://[::1]:8080"),
            ("https://store.example.com:8443", "https://store.example.com:8443"),
        ])
    func publicURLs(text: String, description: String) {
        #expect(PublicURL(text)?.description == description)
    }

    @Test(
        "What is more or less than that is none",
        arguments: [
            "", "store.example.com", "ftp://store.example.com", "https://", "https:///", "https://a/b", "https://a?b",
            "https://a#b", "https://user@a", "https://u:p@a", "https://a b", "https://a//", "https://a:0",
            "https://a:99999", "https://ä", "javascript:alert(1)", "https://a\n",
        ])
    func noPublicURLs(text: String) {
        #expect(PublicURL(text) == nil)
    }

    @Test("The engine is told by the address, and nothing of the password by the engine")
    func databases() {
        #expect(DatabaseAddress("sqlite") == .sqlite)
        #expect(DatabaseAddress("postgresql://u:secret@h/d")?.engine == "PostgreSQL")
        #expect(DatabaseAddress("postgres:///till") == .postgres("postgres:///till"))
        for text in ["", "mysql://h/d", "sqlite:", "/srv/db", "host=h"] { #expect(DatabaseAddress(text) == nil) }
    }
}
