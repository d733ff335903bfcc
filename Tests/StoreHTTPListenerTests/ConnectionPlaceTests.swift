import StoreHTTP
import Testing

@testable import StoreHTTPListener

@Suite("Places of connections")
struct ConnectionPlaceTests {
    private func core(perAddress limit: Int) -> ListenerCore {
        var limits = ListenerLimits()
        limits.connectionsPerAddress = limit
        let service = HTTPService([], errors: JSONErrorForm(), report: { _, _ in })
        return ListenerCore(service, limits: limits)
    }

    @Test("All addresses of one network of IPv6 share their places, and give them back")
    func networks() {
        let core = core(perAddress: 2)
        let peers = ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:0:1::3"].map { PeerAddress(host: $0, port: 1) }
        #expect(core.open(for: peers[0]) && core.open(for: peers[1]))
        #expect(!core.open(for: peers[2]))
        #expect(core.open(for: PeerAddress(host: "2001:db8:0:1::1", port: 1)))
        core.close(peers[2], hadPlace: false)
        #expect(!core.open(for: peers[2]))
        core.close(peers[0], hadPlace: true)
        #expect(core.open(for: peers[2]))
    }

    @Test("An address of IPv4 is itself, however it is written")
    func versionFour() {
        let core = core(perAddress: 1)
        #expect(core.open(for: PeerAddress(host: "192.0.2.1", port: 1)))
        #expect(!core.open(for: PeerAddress(host: "::ffff:192.0.2.1", port: 2)))
        #expect(core.open(for: PeerAddress(host: "192.0.2.2", port: 1)))
    }
}
