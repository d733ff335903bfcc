import StoreCatalogue
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Whether a notification arrived, in a sentence", .bounded) struct NotificationSummaryTests {
    @Test("X7: The sentence tells what came before the attempt that arrived, and whether that was on purpose")
    func answers() async throws {
        try await NotificationScene.on(.memory) { scene in
            try await scene.setAddress()
            let owner = scene.store.cause(.owner)
            var terms = FaultTerms()
            (terms.notifications, terms.status, terms.times) = (true, 503, 1)
            _ = try await FaultEditing(scene.store).add(terms, owner)
            let (struck, refused) = (try await scene.write(), try await scene.write())
            let sender = scene.sender { request in
                let count = scene.sent.value.count { $0.id == request.id }
                return request.id == refused && [1, 4].contains(count)
                    ? NotificationOutcome(.unsuccessfulResponseCode, status: 500, detail: "fault in the books")
                    : NotificationOutcome(.success, status: 200)
            }
            func answer(_ id: NotificationID) async throws -> String {
                NotificationSummary(try await scene.find(id)).answer
            }
            try await scene.running(sender) {
                try await scene.noted(2)
                let fault = try #require(try await scene.find(struck).attempts.first?.detail)
                #expect(fault.hasPrefix("fault 1: answers 503"))
                #expect(
                    try await answer(struck) == "No, and it is not tried again. It went wrong on purpose (\(fault)).")
                #expect(try await answer(refused) == "No, and it is not tried again. Your server answered 500.")
                for (count, id) in [(3, struck), (4, refused), (5, refused)] {
                    _ = try await NotificationLists(scene.store).resend(id, owner)
                    try await scene.noted(count)
                }
                #expect(
                    try await answer(struck) == "Yes, at attempt 2. Before that it went wrong on purpose (\(fault)).")
                // What arrived has arrived, whatever becomes of it when it is sent once more.
                let arrived = "Yes, at attempt 2. Before that your server answered 500."
                #expect(try await answer(refused) == arrived)
                _ = try await NotificationLists(scene.store).resend(refused, owner)
                try await scene.noted(6)
                #expect(
                    try await answer(refused) == "\(arrived) Sent once more, it failed. Your server answered 500.")
            }
        }
    }
}
