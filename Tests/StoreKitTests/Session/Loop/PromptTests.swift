import Foundation
import StoreModel
import StoreService
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// What the person is asked, and what comes of the answers.
@Suite("Questions to the person", .bounded)
struct PromptTests {
    @Test("A no, a wrong password, a forgotten one and a sign-in that is cancelled end as they should")
    func answers() async throws {
        let wrong = PromptReply.signIn(email: SessionStore.email, password: "wrong password")
        let right = PromptReply.signIn(email: SessionStore.email, password: SessionStore.password)
        let cases: [([PromptReply], String)] = [
            ([.cancelled], "failed credits5: cancelled"),
            ([.passwordForgotten(email: SessionStore.email)], "failed credits5: password_forgotten"),
            ([wrong, .cancelled], "failed credits5: cancelled"), ([right, .cancelled], "failed credits5: cancelled"),
            ([wrong, right, .password("wrong password"), .yes], "purchased credits5"),
        ]
        for (replies, outcome) in cases {
            let bench = try await SessionBench(SessionStore())
            let prompt = ScriptedPrompt(replies)
            try await bench.withSession(prompt: prompt) { app in
                app.attach()
                app.buy(SessionStore.credits)
                try await app.until(outcome)
                #expect(app.words == ["attached", "purchasing credits5", outcome])
            }
            #expect(prompt.left == 0)
            #expect(bench.store.processor.charges.count == (outcome == "purchased credits5" ? 1 : 0))
        }
    }

    @Test("R8.3: The question says what is bought for how much, and what was wrong with the last answer")
    func question() async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = ScriptedPrompt([
            .signIn(email: SessionStore.email, password: SessionStore.password), .password("wrong password"), .yes,
        ])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.credits, quantity: 4)
            try await app.until("purchased credits5")
        }
        let questions = prompt.questions
        #expect(questions.map(\.needsSignIn) == [true, false, false])
        #expect(questions.map { $0.problem == nil } == [true, true, false])
        let purchase = try #require(questions.last?.purchase)
        #expect(purchase.title == "5 Credits")
        #expect(purchase.quantity == 4)
        #expect(purchase.total == "$3.96")
        #expect(purchase.acceptsYes)
        #expect(purchase.code?.count == 9)
    }

    @Test("A password that was wrong was no yes: the payment stands as before it")
    func wrongPassword() async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = ScriptedPrompt([
            .signIn(email: SessionStore.email, password: SessionStore.password), .password("wrong password"),
        ])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await prompt.untilAsked(3)
            let payments = try app.session.journal.payments()
            #expect(payments.map(\.state) == [.added])
        }
    }

    @Test("A yes from elsewhere takes the question back")
    func elsewhere() async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = ScriptedPrompt([.signIn(email: SessionStore.email, password: SessionStore.password)])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.credits)
            // The second question is not answered.
            try await prompt.untilAsked(2)
            let code = try #require(prompt.questions.last?.purchase?.code)
            try await bench.store.approve(code)
            try await app.until("purchased credits5")
        }
        #expect(prompt.takenBack == 1)
    }

    @Test("R8.4: A restriction of the device fails payments with a message, and lets products load")
    func restricted() async throws {
        let bench = try await SessionBench(SessionStore())
        bench.preferences.set(DevicePreferences(purchasesAllowed: false))
        let prompt = ScriptedPrompt([])
        try await bench.withSession(prompt: prompt) { app in
            #expect(!app.session.canMakePayments)
            let found = try await app.session.products(for: [SessionStore.credits])
            #expect(found.products.count == 1)
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("failed credits5: restricted")
            let failed = try app.last(.failed)
            #expect(failed.failure?.code == 4)
            try await prompt.untilTold()
        }
    }

    @Test("R2.7: A restriction that is lifted holds no longer, and that of the account reaches the device")
    func lifted() async throws {
        let bench = try await SessionBench(SessionStore())
        bench.preferences.set(DevicePreferences(purchasesAllowed: false))
        try await bench.withSession { app in
            try await app.signIn()
            #expect(!app.session.canMakePayments)
        }
        bench.preferences.set(DevicePreferences())
        try await bench.withSession { app in
            #expect(app.session.canMakePayments)
            for isAllowed in [false, true] {
                let change = ["purchasesAllowed": isAllowed]
                _ = try await bench.store.control("PATCH", "/customers/\(SessionStore.email)", change)
                try await app.session.catchUp()
                #expect(app.session.canMakePayments == isAllowed)
            }
        }
    }

    @Test("R8.5: In a simulator prices load, and purchases and restores fail with 5002")
    func simulator() async throws {
        let bench = try await SessionBench(SessionStore())
        bench.preferences.set(DevicePreferences(isSimulator: true))
        try await bench.withSession { app in
            let found = try await app.session.products(for: [SessionStore.credits])
            #expect(found.products.count == 1)
            app.attach()
            app.buy(SessionStore.credits)
            app.session.restore(applicationUsername: nil)
            try await app.until("failed credits5: simulator")
            try await app.until("restore failed: simulator")
            let failed = try app.last(.failed)
            #expect(failed.failure?.code == 5002)
        }
    }

    @Test("Quantities that nobody can buy, and unknown products, fail and do not trap", arguments: [0, -1, 11])
    func quantity(quantity: Int) async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits, quantity: quantity)
            try await app.until("failed credits5: quantity_out_of_range")
            app.buy("com.example.nothing")
            try await app.until("failed nothing: product_unknown")
        }
    }

    @Test("R8.4: After signing out the next purchase asks again, and what the customer had is gone from the queue")
    func signOut() async throws {
        let bench = try await SessionBench(SessionStore())
        let signIn = PromptReply.signIn(email: SessionStore.email, password: SessionStore.password)
        let prompt = ScriptedPrompt([signIn, .yes, signIn, .yes])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            bench.preferences.set(DevicePreferences(signOuts: 1))
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            #expect(prompt.questions.map(\.needsSignIn) == [true, false, true, false])
            // It comes again, because it was never finished.
            try await app.until("purchased credits5", times: 2)
        }
    }

    @Test(
        "Where a prompt that asks nobody has no answer, the error and the log say why",
        arguments: [
            ("wrong password", "STOREKIT_PROMPT=automatic had its answer for ada@example.com refused: "),
            (nil, "STOREKIT_PROMPT=automatic needs STOREKIT_ACCOUNT and STOREKIT_PASSWORD"),
        ])
    func impossible(password: String?, why: String) async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = AutomaticPrompt(account: password.map { (SessionStore.email, $0) })
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.credits)
            app.session.restore(applicationUsername: nil)
            try await app.until("failed credits5: prompt_automatic")
            try await app.until("restore failed: prompt_automatic")
            let failure = try #require(try app.last(.failed).failure)
            #expect(failure.code == 2 && failure.text.hasPrefix(why))
            #expect(bench.log.lines.contains { $0.hasPrefix("a payment failed: \(why)") })
            #expect(bench.log.lines.contains { $0.hasPrefix("the restore failed: \(why)") })
        }
        #expect(bench.store.processor.charges.isEmpty)
    }

    @Test("An automatic prompt asks nobody in production, and a silent one cannot sign in")
    func production() async throws {
        var question = PromptQuestion(
            purchase: .init(title: "x", quantity: 1, unitPrice: "1", total: "1", code: "A", acceptsYes: true),
            needsSignIn: false, environment: .production, store: try StoreAddress(parsing: "https://example.com"))
        guard case .impossible(let failure) = await AutomaticPrompt().ask(question) else {
            return #expect(Bool(false), "it has an answer")
        }
        #expect(failure.text.hasSuffix("elsewhere: till approve A --environment production"))
        question.purchase = nil
        guard case .impossible(let failure) = await SilentPrompt(report: { _ in }).ask(question) else {
            return #expect(Bool(false), "it has an answer")
        }
        #expect(failure.text.hasPrefix("Nobody can be asked to sign in, because there is no terminal."))
    }

    @Test("R2.8: What the customer owns is asked for as free, and nothing is charged for it")
    func owned() async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = ScriptedPrompt([
            .signIn(email: SessionStore.email, password: SessionStore.password), .yes, .yes,
        ])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle", times: 2)
        }
        #expect(prompt.questions.map { $0.purchase?.isOwned } == [false, false, true])
        #expect(bench.store.processor.charges.count == 1)
    }
}

/// A person who says what a test wants, and then nothing.
final class ScriptedPrompt: PurchasePrompt {
    private struct State {
        var replies: [PromptReply]
        var questions: [PromptQuestion] = []
        var takenBack = 0
    }

    private let state: Mutex<State>
    private let events = Transcript()
    let asksPerson = true

    init(_ replies: [PromptReply]) {
        state = Mutex(State(replies: replies))
    }

    var questions: [PromptQuestion] { state.withLock { $0.questions } }
    var left: Int { state.withLock { $0.replies.count } }
    /// How many questions were taken back.
    var takenBack: Int { state.withLock { $0.takenBack } }

    func ask(_ question: PromptQuestion) async -> PromptReply {
        let (reply, count) = state.withLock { state -> (PromptReply?, Int) in
            state.questions.append(question)
            return (state.replies.isEmpty ? nil : state.replies.removeFirst(), state.questions.count)
        }
        events.write("asked \(count)")
        if let reply { return reply }
        let gate = Gate()
        await gate.pass()
        state.withLock { $0.takenBack += gate.cancellations }
        return .cancelled
    }

    func tell(_ notice: PromptNotice) async { events.write("told") }

    func untilAsked(_ count: Int) async throws { try await events.until("asked \(count)") }
    func untilTold() async throws { try await events.until("told") }
}
