import StoreCatalogue
import StoreModel
import StoreRules
import StoreService
import Testing

@Suite("Sales in words")
struct SaleSummaryTests {
    @Test("Whoever did something is told as people read it, and the store itself is not told")
    func actors() {
        let words = [
            "owner": " by the owner", "operator/ci": " by operator ci", "customer/1104": " by the customer",
            "member/anna@example.com (laptop)": " by anna@example.com (laptop)",
            "approver/1103": " by customer 1103, who approves", "approver": " by a parent", "store": "", "": "",
            "auditor/x": " by auditor/x",
        ]
        for (text, phrase) in words { #expect(Actor.phrase(of: text) == phrase, "\(text)") }
    }

    @Test("A decision has a name behind it, and what comes of itself has none")
    func decisions() {
        func told(_ event: SaleEvent, _ actor: String) -> String {
            SaleSummary.sentence(
                SaleHistoryEntry(
                    number: 1, at: Instant(millisecondsSinceEpoch: 0), event: event, state: .purchased, detail: nil,
                    actor: actor, request: nil))
        }
        #expect(told(.cancelled, "operator/ci") == "Cancelled by operator ci")
        #expect(told(.captured, "operator/ci") == "The money was taken")
        #expect(told(.expired, "store") == "Nobody confirmed it in time")
    }

    @Test("A charge that ended is told as the sale that it was for")
    func charges() {
        #expect(SaleState(.captured, failure: nil) == .purchased)
        #expect(SaleState(.released, failure: .expired) == .failed)
        #expect(SaleState(.released, failure: nil) == .cancelled)
        #expect(SaleState(.released, failure: .declined("lost_card")) == .declined)
    }

    @Test("A word that only a newer store knows is kept, and is none of those that are known")
    func strangers() {
        let word = WireWord<SaleState>(rawValue: "escrow")
        #expect(word.value == nil && !word.isKnown && word.description == "escrow")
        #expect(WireWord(SaleState.signIn).rawValue == "sign-in" && WireWord(SaleState.signIn).value == .signIn)
    }
}
