import StoreHTTP
import TestSupport
import Testing

/// Who counts as one client.
struct PeerAddressTests {
    private func network(_ host: String) -> String { PeerAddress(host: host, port: 1).network }

    @Test(
        "An address counts by its network",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("local", "local"), ("", ""),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
            ("::1", "0:0:0:0::/64"),
            ("fe80::1%eth0", "fe80:0:0:0::/64%eth0"), ("fe80::1%eth1", "fe80:0:0:0::/64%eth1"),
        ])
    func networks(_ host: String, _ expected: String) {
        #expect(network(host) == expected)
    }

    @Test(
        "An IPv4 address is itself, however IPv6 writes it",
        arguments: ["::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:192.0.2.1", "64:ff9b::192.0.2.1"])
    func mapped(_ host: String) {
        #expect(network(host) == "192.0.2.1")
    }

    @Test("What only looks like an address is itself", arguments: ["a:b", "::g", "1:2:3", ":", "%", "::1::", "::1%%"])
    func noAddress(_ host: String) {
        #expect(network(host) == (host == "::1%%" ? "0:0:0:0::/64%%" : host))
    }

    @Test("All addresses of one network are one client, and those of another are not")
    func random() {
        var random = RandomizedRun.generator(named: "networks")
        for _ in 0..<RandomizedRun.cases(200) {
            // Not those that stand for IPv4.
            var groups = (0..<8).map { _ in UInt16.random(in: 0x100...0xFEFF, using: &random) }
            let original = network(text(groups))
            groups[Int.random(in: 4..<8, using: &random)] ^= 1
            #expect(network(text(groups)) == original)
            groups[Int.random(in: 0..<4, using: &random)] ^= 1
            #expect(network(text(groups)) != original)
        }
    }

    private func text(_ groups: [UInt16]) -> String { groups.map { String($0, radix: 16) }.joined(separator: ":") }
}
