import StoreModel
import Testing

@testable import StoreRules

@Suite struct RefundRequestTests {
    private typealias State = RefundRequest.State
    private typealias Event = RefundRequest.Event

    /// Where each event leads from each state; what is not here is refused.
    private static let table: [State: [Event: (State, [RefundRequest.Action])]] = [
        .asked: [.approved: (.approved, [.open]), .declined: (.declined, []), .withdrawn: (.withdrawn, [])],
        .approved: [.approved: (.approved, []), .refunded: (.refunded, []), .refused: (.failed, [])],
        .refunded: [.refunded: (.refunded, []), .reversed: (.reversed, [.reinstate])],
        .failed: [
            .approved: (.approved, [.open]), .declined: (.declined, []), .withdrawn: (.withdrawn, []),
            .refused: (.failed, []),
        ],
        .withdrawn: [.withdrawn: (.withdrawn, [])],
        .declined: [.declined: (.declined, [])],
        .reversed: [.reversed: (.reversed, [])],
    ]

    @Test("X7: Every event in every state leads where the table says, or is refused and changes nothing")
    func everyTransition() throws {
        for state in State.allCases {
            for event in Event.allCases {
                var request = RefundRequest(state: state)
                guard let (end, actions) = Self.table[state]?[event] else {
                    #expect(throws: RefundRequest.Refused(state: state, event: event)) { try request.handle(event) }
                    #expect(request.state == state)
                    continue
                }
                #expect(try request.handle(event) == actions, "\(state) \(event)")
                #expect(request.state == end, "\(state) \(event)")
            }
        }
    }

    @Test("X7: A refund that the processor refuses is decided again, and one that is reversed is given back once")
    func transcript() throws {
        var request = RefundRequest()
        var lines: [String] = []
        for event in [Event.approved, .refused, .approved, .refunded, .reversed, .reversed] {
            let actions = try request.handle(event)
            lines.append("\(event.rawValue) -> \(request.state.rawValue)\(actions.map { " [\($0)]" }.joined())")
        }
        #expect(
            lines == [
                "approved -> approved [open]", "refused -> failed", "approved -> approved [open]",
                "refunded -> refunded", "reversed -> reversed [reinstate]", "reversed -> reversed",
            ])
    }

    @Test("X7: The unused share of a period is cut to whole minor units, is all before it and nothing after it")
    func unused() {
        let (start, end) = (Instant(millisecondsSinceEpoch: 0), Instant(millisecondsSinceEpoch: 3000))
        func unused(_ now: Int64) -> Int64 {
            RefundPart.unused(
                of: Money(minorUnits: 100, currency: .usd), from: start, to: end,
                at: Instant(millisecondsSinceEpoch: now)
            ).minorUnits
        }
        #expect([-5, 0, 1000, 2000, 2999, 3000, 9000].map(unused) == [100, 100, 66, 33, 0, 0, 0])
        #expect(RefundPart.share(33_333, of: Money(minorUnits: 299, currency: .usd)).minorUnits == 99)
    }
}
