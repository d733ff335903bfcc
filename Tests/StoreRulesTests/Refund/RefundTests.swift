import StoreRules
import Testing

@Suite struct RefundTests {
    @Test("A refund that the processor gave takes the transaction back, once")
    func refunded() {
        var refund = Refund()
        #expect(refund.handle(.refunded(reference: "r1")) == [.revoke])
        #expect(refund == Refund(state: .refunded, reference: "r1"))
        #expect(refund.handle(.refunded(reference: "r1")) == [])
    }

    @Test("A refund that the processor refused takes nothing back and says why")
    func refused() {
        var refund = Refund()
        #expect(refund.handle(.refused(code: "refund_failed")) == [])
        #expect(refund == Refund(state: .failed, failure: "refund_failed"))
    }

    @Test("What was said first counts", arguments: [Refund.Event.refunded(reference: "r2"), .refused(code: "no")])
    func firstCounts(_ second: Refund.Event) {
        for first in [Refund.Event.refunded(reference: "r1"), .refused(code: "refund_failed")] {
            var refund = Refund()
            _ = refund.handle(first)
            let settled = refund
            #expect(refund.handle(second) == [])
            #expect(refund == settled)
        }
    }

    @Test("Every state and event has its place", arguments: Refund.State.allCases)
    func everyPair(_ state: Refund.State) {
        for (event, next) in [
            (Refund.Event.refunded(reference: "r1"), Refund.State.refunded), (.refused(code: "no"), .failed),
        ] {
            var refund = Refund(state: state)
            let actions = refund.handle(event)
            #expect(refund.state == (state == .refunding ? next : state))
            #expect(actions.contains(.revoke) == (state == .refunding && next == .refunded))
        }
    }
}
