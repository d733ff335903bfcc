import StoreHTTP
import Testing

@testable import StoreHTTPListener

@Suite("Places of connections")
struct ConnectionPlaceTests {
    private func core(perAddress limit: Int) -> ListenerCore {
        var limits = ListenerLimits()
        limits.connectionsPerAddress = limit
        let service = HTTPService([], errors: JSONErrorForm(), report: { _, _ in })
        return ListenerCore(
            service, limits: limits, budget: ListenerBudget(connections: 1000, listeners: 1).part(0))
    }

    @Test("All addresses of one network of IPv6 share their places, and give them back")
    func networks() {
        let core = core(perAddress: 2)
        let peers = ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:0:1::3"].map { PeerAddress(host: $0, port: 1) }
        #expect(peers[..<2].map { core.open(for: $0) } == [.admitted, .admitted])
        #expect(core.open(for: peers[2]) == .surplus)
        #expect(core.open(for: PeerAddress(host: "2001:db8:0:1::1", port: 1)) == .admitted)
        core.close(peers[2], .surplus)
        #expect(core.open(for: peers[2]) == .surplus)
        core.close(peers[0], .admitted)
        #expect(core.open(for: peers[2]) == .admitted)
    }

    @Test("An address of IPv4 is itself, however it is written")
    func versionFour() {
        let core = core(perAddress: 1)
        #expect(core.open(for: PeerAddress(host: "192.0.2.1", port: 1)) == .admitted)
        #expect(core.open(for: PeerAddress(host: "::ffff:192.0.2.1", port: 2)) == .surplus)
        #expect(core.open(for: PeerAddress(host: "192.0.2.2", port: 1)) == .admitted)
    }

    @Test("Only so many wait for the answer that there are too many; others are refused at once")
    func surplus() {
        let core = core(perAddress: 1)
        let peer = PeerAddress(host: "192.0.2.1", port: 1)
        #expect(core.open(for: peer) == .admitted)
        for _ in 0..<ListenerLimits.surplusConnections { #expect(core.open(for: peer) == .surplus) }
        #expect(core.open(for: peer) == .refused)
        core.close(peer, .refused)
        #expect(core.open(for: peer) == .refused)
        core.close(peer, .surplus)
        #expect(core.open(for: peer) == .surplus)
    }

    @Test("Of several listeners none can use up the share of another")
    func budget() {
        let budget = ListenerBudget(connections: 100, listeners: 2)
        let (production, sandbox) = (budget.part(0), budget.part(1))
        #expect((0..<200).filter { _ in sandbox.takeConnection() }.count == 75)
        #expect((0..<200).filter { _ in production.takeConnection() }.count == 25)
        for _ in 0..<60 { sandbox.releaseConnection() }
        #expect((0..<200).filter { _ in production.takeConnection() }.count == 50)
        #expect((0..<200).filter { _ in sandbox.takeConnection() }.count == 10)
    }
}
