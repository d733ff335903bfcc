import Testing

@testable import StoreHTTPListener

@Suite("The watchdog looks for clients that have sent their end")
struct VigilTests {
    private static let limits: Vigil.Limits = {
        var limits = ListenerLimits()
        limits.headTime = .seconds(10)
        limits.idleTime = .seconds(75)
        return Vigil.Limits(limits)
    }()

    /// The ticks at which a vigil looks, of those from 0 to 20.
    private func looks(_ vigil: Vigil) -> [Int] {
        var vigil = vigil
        return (0...20).filter { now in
            var hasLooked = false
            let verdict = vigil.verdict(
                now: now, Self.limits, countsBytes: true, retiredAt: nil,
                isAtEnd: {
                    hasLooked = true
                    return false
                }, progress: { 0 })
            return hasLooked && verdict == nil
        }
    }

    private func vigil(_ phase: Vigil.Phase) -> Vigil {
        var vigil = Vigil(now: 0)
        vigil.enter(phase, now: 0)
        return vigil
    }

    @Test("What is under way is looked at with every tick", arguments: [Vigil.Phase.fresh, .head, .body])
    func underWay(_ phase: Vigil.Phase) {
        #expect(looks(vigil(phase)) == Array(1...20))
    }

    @Test("Idle connections are looked at ever more rarely")
    func idle() {
        #expect(looks(vigil(.idle)) == [1, 2, 4, 8, 16])
    }

    @Test("Nobody looks while a handler works or the client reads", arguments: [Vigil.Phase.answering, .paused])
    func answering(_ phase: Vigil.Phase) {
        #expect(looks(vigil(phase)) == [])
    }

    @Test("A client that has been told to go is not looked at again")
    func leaving() {
        var vigil = vigil(.idle)
        vigil.leave(now: 0)
        #expect(looks(vigil) == [])
    }

    @Test("Whoever has sent the end, with nothing unread before it, is told to go")
    func found() {
        var vigil = vigil(.body)
        let verdicts = [false, false, true].enumerated().map { now, isAtEnd in
            vigil.verdict(
                now: now + 1, Self.limits, countsBytes: true, retiredAt: nil, isAtEnd: { isAtEnd }, progress: { 0 })
        }
        #expect(verdicts == [nil, nil, .farewell])
    }
}
