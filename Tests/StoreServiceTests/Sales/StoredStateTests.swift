import StoreDatabase
import StoreRules
import Testing

@testable import StoreService

@Suite("States in statements")
struct StoredStateTests {
    @Test("The literal of a state is the word that is stored")
    func literals() {
        func check<State: StoredState>(_ type: State.Type) {
            for state in State.allCases {
                #expect(state.literal.text(for: .sqlite) == "'\(state.rawValue)'", "\(type)")
            }
        }
        check(Purchase.State.self)
        check(Charge.State.self)
        check(Refund.State.self)
        check(RefundRequest.State.self)
        check(Subscription.State.self)
        check(NotificationState.self)
    }
}
