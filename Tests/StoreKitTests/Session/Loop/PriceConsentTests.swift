import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// Higher prices that a customer has to agree to, from the store to the person and back.
@Suite("Consent to higher prices", .bounded)
struct PriceConsentTests {
    /// Subscribes to the club; gives the number of the subscription.
    private func subscribe(_ bench: SessionBench) async throws -> TransactionID {
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.club)
            try await app.until("purchased club")
            try await app.finishEverything(of: bench.store)
            return try #require(try app.last(.purchased).bought?.id)
        }
    }

    @discardableResult
    private func raise(_ bench: SessionBench, to amount: String = "1.99") async throws -> Int? {
        let product = "/apps/com.example.monkeycredits/products/\(SessionStore.club)"
        _ = try await bench.store.control(
            "PUT", product + "/prices/USA", ["amount": amount])
        let raised = try await bench.store.control(
            "POST", product + "/price-increase", ["storefront": "USA", "consent": true])
        return raised["count"] as? Int
    }

    /// Whether the higher price was agreed to, and whether the subscription renews.
    private func state(_ bench: SessionBench, _ id: TransactionID) async throws -> (isAgreed: Bool?, renews: Bool?) {
        let found = try await bench.store.control("GET", "/subscriptions/\(id)")["subscription"] as? [String: Any]
        let increase = found?["priceIncrease"] as? [String: Any]
        return (increase?["isAgreed"] as? Bool, found?["autoRenews"] as? Bool)
    }

    private func untilStoreKnows(_ app: SessionClient, shown: Int = 1) async throws {
        try await app.session.journal.until { journal in
            let known = try journal.priceConsents()
            return known.answers.isEmpty && !known.isDue && known.shown.count == shown
        }
    }

    @Test(
        "X4: A person is asked once, with both prices and the day, and the store has the answer",
        arguments: [true, false])
    func asked(_ agrees: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        let id = try await subscribe(bench)
        let prompt = PricePrompt([agrees ? .agreed : .refused])
        try await bench.withSession(prompt: prompt) { app in
            _ = try await app.session.products(for: [SessionStore.club])
            app.attach()
            try await raise(bench)
            try await app.decide(showsPrice: true)
            try await untilStoreKnows(app)
        }
        let question = try #require(prompt.questions.first)
        #expect(question.text.hasPrefix("The price rises from $1.49 to $1.99 on "), "\(question.text)")
        #expect(question.title != SessionStore.club)
        let state = try await state(bench, id)
        #expect(state == (agrees, agrees))
        // Neither the next launch nor another device asks again.
        for device in [bench, try await SessionBench(bench.store)] {
            try await device.withSession(prompt: prompt) { app in
                try await app.signIn()
                app.attach()
                try await app.session.catchUp()
                app.session.showPriceConsentIfNeeded()
                try await untilStoreKnows(app, shown: 0)
                #expect(!app.words.contains("price"))
            }
        }
        #expect(prompt.questions.count == 1)
    }

    @Test("X4: What the delegate postpones waits for showPriceConsentIfNeeded, beyond the end of the app")
    func postponed() async throws {
        let bench = try await SessionBench(SessionStore())
        let id = try await subscribe(bench)
        let prompt = PricePrompt([.agreed])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            try await raise(bench)
            try await app.decide(showsPrice: false)
            try await untilStoreKnows(app, shown: 0)
        }
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            try await app.session.catchUp()
            #expect(app.words == ["attached"])
            #expect(prompt.questions.isEmpty)
            app.session.showPriceConsentIfNeeded()
            try await untilStoreKnows(app)
        }
        let state = try await state(bench, id)
        #expect(state == (true, true))
        #expect(prompt.questions.count == 1)
    }

    @Test("X4: A question that the end of the app takes away comes again; an answer that was given does not")
    func killed() async throws {
        let bench = try await SessionBench(SessionStore())
        let id = try await subscribe(bench)
        let prompt = PricePrompt([])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            try await raise(bench)
            try await app.decide(showsPrice: true)
            try await prompt.untilAsked()
        }
        let isCut = Shared(true)
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            if request.method == "POST", request.path.hasPrefix("/price-consents"), isCut.value { throw .lost }
            return try await store.send(request)
        }
        let answering = PricePrompt([.refused])
        try await bench.withSession(prompt: answering, connection: connection) { app in
            app.attach()
            try await app.decide(showsPrice: true)
            try await app.session.journal.until { try $0.priceConsents().answers.count == 1 }
        }
        #expect(try await state(bench, id).renews == true)
        isCut.set(false)
        try await bench.withSession(prompt: answering, connection: connection) { app in
            app.attach()
            try await untilStoreKnows(app, shown: 1)
        }
        #expect(try await state(bench, id).renews == false)
        #expect(answering.questions.count == 1)
    }

    @Test(
        "X4, R5.6: Who has seen a price without an answer is asked again when the app wants it, by the store once a period"
    )
    func unanswered() async throws {
        let bench = try await SessionBench(SessionStore())
        let id = try await subscribe(bench)
        let prompt = PricePrompt([.unanswered, .unanswered, .agreed])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            try await raise(bench)
            try await app.decide(showsPrice: true)
            try await untilStoreKnows(app)
            app.session.showPriceConsentIfNeeded()
            try await prompt.untilAsked(2)
        }
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            try await app.session.catchUp()
            #expect(app.words == ["attached"])
            #expect(try await raise(bench, to: "2.49") == 0)
            try await app.session.catchUp()
            #expect(app.words == ["attached"] && prompt.questions.count == 2)
            app.session.showPriceConsentIfNeeded()
            try await prompt.untilAsked(3)
            try await untilStoreKnows(app)
        }
        #expect(try await state(bench, id).isAgreed == true)
        #expect(prompt.questions.last?.text.contains("$1.99") == true)
    }
}

extension SessionClient {
    /// Answers as the delegate whether a price may be shown, once that is asked.
    fileprivate func decide(showsPrice: Bool) async throws {
        try await until("price")
        for case .shouldShowPriceConsent(let answer) in told { answer(showsPrice) }
    }
}

/// A person who signs in where that is wanted, and says of higher prices what a test wants, and then nothing.
private final class PricePrompt: PurchasePrompt {
    private let replies: Mutex<[PriceReply]>
    private let asked = Mutex<[PriceQuestion]>([])
    private let events = Transcript()

    init(_ replies: [PriceReply]) { self.replies = Mutex(replies) }

    var questions: [PriceQuestion] { asked.withLock { $0 } }
    let asksPerson = true

    func ask(_ question: PromptQuestion) async -> PromptReply { await SessionBench.account.ask(question) }
    func tell(_ notice: PromptNotice) async {}

    func askPrice(_ question: PriceQuestion) async -> PriceReply {
        let count = asked.withLock { asked in
            asked.append(question)
            return asked.count
        }
        events.write("asked \(count)")
        if let reply = replies.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return reply }
        await Gate().pass()
        return .unanswered
    }

    func untilAsked(_ count: Int = 1) async throws { try await events.until("asked \(count)") }
}
