import StoreCatalogue
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("The names of people in what others wrote (X14)", .bounded) struct PersonalNameTests {
    @Test(
        "are taken out as words, in whatever case, and nothing else is",
        arguments: [
            ("I am Ada Byron.", "I am … …."), ("ada and ADA's", "… and …'s"), ("Adaptive, Canada", "Adaptive, Canada"),
            ("write to ada@example.com, Ada", "write to …, …"), ("Byron-Ada/byron", "…-…/…"), ("", ""), ("A", "A"),
        ])
    func words(_ text: String, _ expected: String) {
        #expect(PersonalNames("ada@example.com", "Ada", "Byron").removed(from: text) == expected)
    }

    @Test("are taken out of scripts that put no spaces between words, and an empty name takes nothing out")
    func others() {
        #expect(PersonalNames("", "花子", "田中").removed(from: "私は田中花子です") == "私は……です")
        #expect(PersonalNames("", "", "A").removed(from: "A text") == "A text")
        #expect(PersonalNames("", "Åsa", "Öz").removed(from: "ÅSA ÖZ, özer") == "… …, özer")
    }

    @Test("go from requests for refunds with the account", arguments: StoreEngine.allCases)
    func requests(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let bought = try await scene.buy(.sample(.consumable), on: scene.device(customer)).transaction
            let id = try await decisions.request(
                #require(bought), for: customer.description, because: .other, note: "Ada Byron was asleep", scene.cause
            ).request.id
            _ = try await decisions.decline(id, because: "Mrs. Byron agreed on the phone", scene.store.cause(.owner))
            try await Accounts(scene.store).delete(customer.description, scene.store.cause(.owner))
            let after = try await decisions.details(of: id)
            #expect(after.request.note == "… … was asleep")
            #expect(after.history.last?.detail == "Mrs. … agreed on the phone")
        }
    }
}
