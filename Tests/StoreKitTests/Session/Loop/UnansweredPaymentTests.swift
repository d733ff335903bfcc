import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// The app ends while the person is being asked. At the next start nobody has done anything yet, so nobody is asked anything.
@Suite("A payment whose question nobody answered", .bounded)
struct UnansweredPaymentTests {
    private static let signIn = PromptReply.signIn(email: SessionStore.email, password: SessionStore.password)

    /// Buys, and lets the app end at the question that follows these replies. Gives the code of that question.
    private func endAtQuestion(_ bench: SessionBench, after replies: [PromptReply]) async throws -> String? {
        let prompt = ScriptedPrompt(replies)
        return try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await prompt.untilAsked(replies.count + 1)
            return prompt.questions.last?.purchase?.code
        }
    }

    /// How the purchases stand that the store knows of.
    private func states(_ bench: SessionBench) async throws -> [String?] {
        let page = try await bench.store.control("GET", "/purchases")
        let purchases = try #require(page["items"] as? [[String: Any]])
        return purchases.map { $0["state"] as? String }
    }

    @Test(
        "P29: at the next start nobody is asked; the store and the app learn that nothing comes of it",
        arguments: [0, 1])
    func givenUp(repliesBefore count: Int) async throws {
        try await overBothTransports { bench in
            _ = try await endAtQuestion(bench, after: Array([Self.signIn].prefix(count)))
            let prompt = ScriptedPrompt(count == 0 ? [Self.signIn, .yes] : [.yes])
            try await bench.withSession(prompt: prompt) { app in
                app.attach()
                try await app.until { told in
                    SessionClient.words(told).contains { $0.hasPrefix("failed") || $0.hasPrefix("purchased") }
                }
                #expect(app.words.last == "failed credits5: unanswered")
                let failed = try app.last(.failed)
                #expect(failed.failure?.code == SKError.Code.paymentCancelled.rawValue)
                #expect(prompt.questions == [])
                let states = try await states(bench)
                #expect(states == ["cancelled"])
                #expect(bench.store.processor.charges == [])
                app.session.finish(failed.key)

                app.buy(SessionStore.credits)
                try await app.until("purchased credits5")
                #expect(prompt.left == 0)
            }
            #expect(bench.store.processor.charges == [1])
            try await bench.withSession { app in
                app.attach()
                try await app.until("purchased credits5")
                #expect(app.words == ["attached", "purchased credits5"])
            }
        }
    }

    @Test("A yes that was given elsewhere before the next start counts, and comes with the payment that it was for")
    func approvedBefore() async throws {
        let bench = try await SessionBench(SessionStore())
        let code = try await endAtQuestion(bench, after: [Self.signIn])
        try await bench.store.approve(try #require(code))
        let prompt = ScriptedPrompt([])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            try await app.until("purchased credits5")
            #expect(!app.words.contains { $0.hasPrefix("failed") })
            #expect(app.words.filter { $0 == "purchased credits5" }.count == 1)
        }
        #expect(prompt.questions == [])
        #expect(bench.store.processor.charges == [1])
    }

    @Test("A yes from elsewhere that is faster than the taking back counts")
    func approvedMeanwhile() async throws {
        let bench = try await SessionBench(SessionStore())
        let code = try #require(try await endAtQuestion(bench, after: [Self.signIn]))
        let store = bench.store
        let rival = SteeredConnection.before(bench.connection) { request in
            if request.path.hasSuffix("/cancellation") { try await store.approve(code) }
        }
        let prompt = ScriptedPrompt([])
        try await bench.withSession(prompt: prompt, connection: rival) { app in
            app.attach()
            try await app.until("purchased credits5")
            #expect(!app.words.contains { $0.hasPrefix("failed") })
        }
        #expect(prompt.questions == [])
        #expect(bench.store.processor.charges == [1])
    }

    @Test("A yes that the store never heard is not repeated by itself, and nothing is charged")
    func yesNeverSent() async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = ScriptedPrompt([Self.signIn, .yes])
        let (reached, gate) = (Gate(), Gate())
        let stuck = SteeredConnection.before(bench.connection) { request in
            guard request.path.hasSuffix("/confirmation") else { return }
            reached.open()
            await gate.pass()
            throw CancellationError()
        }
        try await bench.withSession(prompt: prompt, connection: stuck) { app in
            app.attach()
            app.buy(SessionStore.credits)
            await reached.pass()
            let payments = try app.session.journal.payments()
            #expect(payments.map(\.state) == [.confirmed])
        }
        let next = ScriptedPrompt([])
        try await bench.withSession(prompt: next) { app in
            app.attach()
            try await app.until("failed credits5: unanswered")
        }
        #expect(next.questions == [])
        #expect(bench.store.processor.charges == [])
    }

    @Test("P29: what takes long after a yes is told as deferred, once, and as purchased when the store has answered")
    func takesLong() async throws {
        let bench = try await SessionBench(SessionStore())
        let (reached, gate) = (Gate(), Gate())
        let slow = SteeredConnection.before(bench.connection) { request in
            guard request.path.hasSuffix("/confirmation") else { return }
            reached.open()
            await gate.pass()
        }
        try await bench.withSession(connection: slow) { app in
            app.attach()
            app.buy(SessionStore.credits)
            await reached.pass()
            #expect(app.words == ["attached", "purchasing credits5"])
            bench.patience.open()
            try await app.until("deferred credits5")
            gate.open()
            try await app.until("purchased credits5")
            #expect(app.words == ["attached", "purchasing credits5", "deferred credits5", "purchased credits5"])
        }
        #expect(bench.store.processor.charges == [1])
    }

    @Test("A payment that was never sent has come to nothing")
    func neverSent() async throws {
        let bench = try await SessionBench(SessionStore())
        let (reached, gate) = (Gate(), Gate())
        let stuck = SteeredConnection.before(bench.connection) { request in
            guard request.path == "/purchases" else { return }
            reached.open()
            await gate.pass()
            throw CancellationError()
        }
        try await bench.withSession(connection: stuck) { app in
            app.attach()
            app.buy(SessionStore.credits)
            await reached.pass()
        }
        let prompt = ScriptedPrompt([])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            try await app.until("failed credits5: unanswered")
            #expect(app.words == ["attached", "purchasing credits5", "failed credits5: unanswered"])
        }
        #expect(prompt.questions == [])
    }

    @Test("Without a network it fails, nobody is asked, and a yes from elsewhere comes later as a transaction")
    func unreachable() async throws {
        let bench = try await SessionBench(SessionStore())
        let code = try await endAtQuestion(bench, after: [Self.signIn])
        let isCut = Shared(true)
        let cut = SteeredConnection.before(bench.connection) { _ in
            if isCut.value { throw CancellationError() }
        }
        let prompt = ScriptedPrompt([])
        try await bench.withSession(prompt: prompt, connection: cut) { app in
            app.attach()
            try await app.until("failed credits5: cut")
            isCut.set(false)
            app.session.finish(try app.last(.failed).key)
            try await bench.store.approve(try #require(code))
            try await app.until("purchased credits5")
        }
        #expect(prompt.questions == [])
        #expect(bench.store.processor.charges == [1])
    }

    @Test("A process that takes a payment over from another one asks nobody either")
    func otherProcess() async throws {
        let bench = try await SessionBench(SessionStore())
        let (first, second) = (ScriptedPrompt([Self.signIn]), ScriptedPrompt([]))
        let one = SessionClient(try DeviceSession(bench.settings(prompt: first)))
        one.attach()
        one.buy(SessionStore.credits)
        try await first.untilAsked(2)
        try await bench.withSession(prompt: second) { other in
            other.attach()
            await one.session.shutDown()
            try await other.until("failed credits5: unanswered")
        }
        #expect(second.questions == [])
    }

    @Test("Where nobody is asked, as in a service, the payment goes on waiting for the yes from elsewhere")
    func silent() async throws {
        let bench = try await SessionBench(SessionStore())
        let code = try await endAtQuestion(bench, after: [Self.signIn])
        let log = bench.log
        let isSaid = "5 Credits, $0.99, waits for a yes: till approve \(try #require(code))"
        try await bench.withSession(prompt: SilentPrompt { log.write($0) }) { app in
            _ = try await app.session.products(for: [SessionStore.credits])
            app.attach()
            try await log.until(isSaid)
            try await bench.store.approve(try #require(code))
            try await app.until("purchased credits5")
            #expect(!app.words.contains { $0.hasPrefix("failed") })
        }
    }
}
