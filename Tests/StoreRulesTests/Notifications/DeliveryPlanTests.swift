import StoreRules
import Testing

@Suite("Turns of receivers") struct DeliveryPlanTests {
    private typealias Plan = DeliveryPlan<Int>
    private static let limits = Plan.Limits(
        quick: 64, new: 64, slow: 384, doubtful: 64, perReceiver: 32, perSlowReceiver: 4)
    private static let live = 0

    /// Receivers of which those that are dead never answer, and the live one always does at once.
    private struct World {
        var plan = Plan(limits)
        /// Attempts to dead receivers, the oldest first, with the round in which each began.
        var pending: [(ticket: Plan.Ticket, round: Int)] = []
        var most = 0
        /// How many rounds of half a second an attempt lasts that is not answered.
        static let timeout = 20

        /// One round of half a second; gives how many the live receiver got in it.
        mutating func round(_ number: Int) -> Int {
            while let first = pending.first, number - first.round >= Self.timeout {
                plan.end(first.ticket, isSuccess: false)
                pending.removeFirst()
            }
            var got = 0
            while true {
                let turns = plan.turns()
                guard !turns.isEmpty else { break }
                for turn in turns {
                    for _ in 0..<turn.count {
                        let ticket = plan.begin(turn.receiver)
                        most = max(most, plan.count)
                        if turn.receiver == live {
                            got += 1
                            plan.end(ticket, isSuccess: true)
                        } else {
                            pending.append((ticket, number))
                        }
                    }
                }
                guard got < 100 else { break }
            }
            plan.sweep()
            return got
        }
    }

    @Test("X7: A receiver that answers is not held up by a thousand that never do")
    func thousandDead() {
        var world = World()
        for dead in 1...1000 { world.plan.call(dead) }
        world.plan.call(Self.live)
        // All begin at once, and nothing is known of any: the live one is behind all others.
        var first: Int?
        for number in 0..<100 {
            let got = world.round(number)
            if got > 0 { first = first ?? number }
            if let first, number > first { #expect(got > 0, "round \(number)") }
        }
        // A thousand have places of 64, which they leave after two sweeps.
        #expect(first.map { $0 <= 60 } == true, "\(first.map { "\($0)" } ?? "never")")
        #expect(world.most <= Self.limits.all)
        // From then on it always has places, whatever the dead do.
        for number in 100..<200 { #expect(world.round(number) >= 100, "round \(number)") }
    }

    @Test("X7: A receiver that has answered before does not stand behind a thousand of which nothing is known")
    func known() {
        var world = World()
        for dead in 1...500 { world.plan.call(dead) }
        for dead in 501...1000 {
            world.plan.note(dead, isSuccess: false)
            world.plan.call(dead)
        }
        world.plan.note(Self.live, isSuccess: true)
        world.plan.call(Self.live)
        for number in 0..<50 { #expect(world.round(number) >= 100, "round \(number)") }
        #expect(world.most <= Self.limits.all)
    }

    @Test("A receiver that has not answered yet gets one attempt, and many once it has")
    func budgets() {
        var plan = Plan(Self.limits)
        plan.call(1)
        #expect(plan.turns() == [Plan.Turn(receiver: 1, count: 1)])
        let first = plan.begin(1)
        plan.call(1)
        #expect(plan.turns().isEmpty)
        plan.end(first, isSuccess: true)
        #expect(plan.turns() == [Plan.Turn(receiver: 1, count: 32)])
        let many = (0..<32).map { _ in plan.begin(1) }
        plan.call(1)
        #expect(plan.turns().isEmpty)
        plan.end(many[0], isSuccess: false)
        // It is doubtful, and has more than one on their way.
        #expect(plan.turns().isEmpty)
        for ticket in many.dropFirst() { plan.end(ticket, isSuccess: false) }
        #expect(plan.turns() == [Plan.Turn(receiver: 1, count: 1)])
    }

    @Test("A receiver that answers slowly gets few at once, until it is quick again") func slow() {
        var plan = Plan(Self.limits)
        plan.call(1)
        _ = plan.turns()
        let ticket = plan.begin(1)
        plan.sweep()
        plan.sweep()
        plan.end(ticket, isSuccess: true)
        #expect(plan.turns() == [Plan.Turn(receiver: 1, count: 4)])
        let quick = plan.begin(1)
        plan.end(quick, isSuccess: true)
        #expect(plan.turns() == [Plan.Turn(receiver: 1, count: 32)])
    }

    @Test("Receivers share the places, and whoever had a turn stands at the end of the line")
    func shares() {
        var plan = Plan(Plan.Limits(quick: 2, new: 2, slow: 0, doubtful: 1, perReceiver: 2, perSlowReceiver: 1))
        for receiver in 1...3 { plan.call(receiver) }
        #expect(plan.turns().map(\.receiver) == [1, 2])
        let first = plan.begin(1)
        _ = plan.begin(2)
        plan.end(first, isSuccess: true)
        #expect(plan.turns().map(\.receiver) == [3, 1])
    }

    @Test("A receiver that had less than its turn allowed is not asked again until it is called")
    func finish() {
        var plan = Plan(Self.limits)
        plan.call(1)
        plan.call(2)
        #expect(plan.turns().count == 2)
        // Something came for it while it was asked.
        plan.call(2)
        plan.finish([1, 2])
        #expect(plan.turns().map(\.receiver) == [2])
        plan.finish([2])
        #expect(plan.turns().isEmpty)
        plan.call(1)
        #expect(plan.turns().map(\.receiver) == [1])
    }
}
