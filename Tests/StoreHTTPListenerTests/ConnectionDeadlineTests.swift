import Testing

@testable import StoreHTTPListener

@Suite("The watchdog looks for clients that have sent their end")
struct ConnectionDeadlineTests {
    private static let limits: ConnectionDeadline.Limits = {
        var limits = ListenerLimits()
        limits.headTime = .seconds(10)
        limits.idleTime = .seconds(75)
        return ConnectionDeadline.Limits(limits)
    }()

    /// The ticks at which a deadline looks, of those from 0 to 10.
    private func looks(_ deadline: ConnectionDeadline) -> [Int] {
        var deadline = deadline
        return (0...10).filter { now in
            var hasLooked = false
            let verdict = deadline.verdict(
                now: now, Self.limits, countsBytes: true, retiredAt: nil,
                unread: {
                    hasLooked = true
                    return .nothing
                }, progress: { 0 })
            return hasLooked && verdict == nil
        }
    }

    private func deadline(_ phase: ConnectionDeadline.Phase) -> ConnectionDeadline {
        var deadline = ConnectionDeadline(now: 0)
        deadline.enter(phase, now: 0)
        return deadline
    }

    @Test("What is under way is looked at with every tick", arguments: [ConnectionDeadline.Phase.fresh, .head, .body])
    func underWay(_ phase: ConnectionDeadline.Phase) {
        #expect(looks(deadline(phase)) == Array(1...10))
    }

    @Test("Idle connections are looked at ever more rarely")
    func idle() {
        #expect(looks(deadline(.idle)) == [1, 2, 4, 8])
    }

    @Test(
        "Nobody looks while a handler works or the client reads",
        arguments: [ConnectionDeadline.Phase.answering, .paused])
    func answering(_ phase: ConnectionDeadline.Phase) {
        #expect(looks(deadline(phase)) == [])
    }

    @Test("A client that has been told to go is not looked at again")
    func leaving() {
        var deadline = deadline(.idle)
        deadline.leave(now: 0)
        #expect(looks(deadline) == [])
    }

    @Test("Whoever has sent the end, with nothing unread before it, is told to go")
    func found() {
        var deadline = deadline(.body)
        let verdicts = [ConnectionDeadline.Unread.nothing, .data, .end].enumerated().map { now, unread in
            deadline.verdict(
                now: now + 1, Self.limits, countsBytes: true, retiredAt: nil, unread: { unread }, progress: { 0 })
        }
        #expect(verdicts == [nil, nil, .farewell])
    }

    @Test(
        "A request that has arrived and is not read has its time twice, because the server is late",
        arguments: [ConnectionDeadline.Phase.fresh, .head, .body])
    func late(_ phase: ConnectionDeadline.Phase) {
        let limit = phase == .body ? Self.limits.body : Self.limits.head
        func verdict(at now: Int, _ unread: ConnectionDeadline.Unread) -> ConnectionDeadline.Verdict? {
            var deadline = deadline(phase)
            return deadline.verdict(
                now: now, Self.limits, countsBytes: true, retiredAt: nil, unread: { unread }, progress: { 0 })
        }
        #expect(verdict(at: limit, .nothing) == nil)
        #expect(verdict(at: limit + 1, .nothing) == .requestTimeout)
        #expect(verdict(at: 2 * limit, .data) == nil)
        #expect(verdict(at: 2 * limit + 1, .data) == .requestTimeout)
    }
}
