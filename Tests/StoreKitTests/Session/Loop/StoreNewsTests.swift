import Foundation
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreKit

/// What happens at the store while nobody on the device asks for anything.
@Suite("News of the store", .bounded)
struct StoreNewsTests {
    /// Buys, finishes, and waits until the journal has a place in the events.
    private func buyAndFinish(_ product: String, _ app: SessionClient) async throws {
        app.attach()
        app.buy(product)
        try await app.untilDecided()
        app.session.finish(try app.last(.purchased).key)
        try await app.untilFinishesAreTold()
        try await app.session.journal.until { try $0.value(.cursor) != nil }
    }

    @Test("After a backup was restored, everything is read again, and nothing is told twice")
    func restoredBackup() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { try await buyAndFinish(SessionStore.jungle, $0) }
        try await bench.store.databases.sandbox.write { try StoreProperty.beginEpoch("second", in: $0) }
        try await bench.store.sell()
        let connection = CutConnection(bench.connection, at: 0, .before)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            try await app.until("purchased credits5")
            #expect(app.words == ["attached", "purchased credits5"])
            let cursor = try #require(try app.session.journal.value(.cursor))
            #expect(cursor.hasPrefix("second."))
        }
        #expect(connection.requests.contains("GET /transactions"))
    }

    @Test("What could not be believed is read again once the profile has other roots")
    func otherRoots() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { try await buyAndFinish(SessionStore.jungle, $0) }
        try await bench.store.sell()
        let foreign = ForeignSignatures(inner: bench.connection)
        try await bench.withSession(connection: foreign) { app in
            let before = try app.session.journal.value(.cursor)
            app.attach()
            try await app.session.journal.until { try $0.value(.cursor) != before }
            #expect(bench.log.lines.contains { $0.contains("cannot be believed") })
        }
        for isRenewed in [false, true] {
            try await bench.withSession { app in
                // A session under another profile has been here before this one.
                if isRenewed { try app.session.journal.believe("other roots") }
            }
            try await bench.withSession { app in
                try await app.session.catchUp()
                app.attach()
                #expect(app.words == (isRenewed ? ["attached", "purchased credits5"] : ["attached"]))
            }
        }
    }

    @Test("Where nobody is signed in the store is asked once, and with the sign-in its news come")
    func quietUntilSignIn() async throws {
        let bench = try await SessionBench(SessionStore())
        let line = LookedAtConnection(inner: bench.connection)
        try await bench.withSession(connection: line) { app in
            app.attach()
            try await line.looks.until("GET /device")
            try await app.signIn()
            try await bench.store.sell()
            try await app.until("purchased credits5")
            // Once more, if the sign-in came while the first answer was on its way.
            #expect((1...2).contains(line.looks.lines.count), "\(line.looks.lines)")
        }
    }

    @Test("Who is signed in by somebody else, for a purchase, hears of everything from then on")
    func signedInElsewhere() async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = ScriptedPrompt([])
        try await bench.withSession(prompt: prompt) { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await prompt.untilAsked(1)
            let code = try #require(prompt.questions.first?.purchase?.code)
            _ = try await bench.store.control(
                "POST", "/approvals", ["code": code, "customer": SessionStore.email, "isApproved": true])
            try await app.until("purchased jungle")
            try await bench.store.sell()
            try await app.until("purchased credits5")
        }
    }

    @Test("An interrupted purchase fails, and its transaction comes once it is settled")
    func interrupted() async throws {
        let bench = try await SessionBench(SessionStore())
        _ = try await bench.store.control("PATCH", "/customers/\(SessionStore.email)", ["interruptsPurchases": true])
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("failed credits5: interrupted")
            #expect(bench.store.processor.charges == [])
            app.session.finish(try app.last(.failed).key)
            let id = try await bench.store.store.database.read { transaction in
                try transaction.one("SELECT id FROM purchase") { try $0.value(0, as: PurchaseID.self) }
            }
            _ = try await bench.store.control("POST", "/purchases/\(id)/settlement")
            try await app.until("purchased credits5")
            #expect(
                app.words == [
                    "attached", "purchasing credits5", "failed credits5: interrupted", "removed", "purchased credits5",
                ])
        }
        #expect(bench.store.processor.charges == [1])
    }

    @Test("A refund and a revocation take away what was bought, finished or not", arguments: ["refund", "revocation"])
    func revoked(way: String) async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            try await buyAndFinish(SessionStore.jungle, app)
            let jungle = try #require(try app.last(.purchased).bought?.id)
            _ = try await bench.store.control("POST", "/transactions/\(jungle)/\(way)", [:])
            try await app.until("revoked jungle")
            #expect(try app.session.journal.transaction(jungle)?.isRevoked == true)
        }
        // Nothing of it comes again.
        try await bench.withSession { app in
            app.attach()
            #expect(app.words == ["attached"])
        }
    }

    @Test("Signing in to another storefront asks the app, and its no ends the payment", arguments: [true, false])
    func otherStorefront(goesOn: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.store.addCustomer("hana@example.com", storefront: "JPN")
        let prompt = ScriptedPrompt([.signIn(email: "hana@example.com", password: SessionStore.password), .yes])
        let told = Transcript()
        try await bench.withSession(prompt: prompt) { app in
            let sink = SessionSink { news in
                if case .shouldContinue(_, let storefront, let answer) = news {
                    told.write("asked \(storefront.countryCode.rawValue)")
                    answer(goesOn)
                } else {
                    for word in SessionClient.words([news]) { told.write(word) }
                }
            }
            app.session.attach(sink)
            app.buy(SessionStore.credits)
            try await told.until(goesOn ? "purchased credits5" : "failed credits5: storefront_changed")
        }
        let end = goesOn ? "purchased credits5" : "failed credits5: storefront_changed"
        #expect(told.lines == ["attached", "purchasing credits5", "storefront", "asked JPN", end])
        #expect(bench.store.processor.charges == (goesOn ? [1] : []))
        #expect(prompt.left == (goesOn ? 0 : 1))
        let page = try await bench.store.control("GET", "/purchases")
        let purchases = try #require(page["items"] as? [[String: Any]])
        #expect(purchases.map { $0["state"] as? String } == [goesOn ? "purchased" : "cancelled"])
    }
}

/// A store that notes who asks whether somebody is signed in.
private struct LookedAtConnection: StoreConnection {
    let inner: any StoreConnection
    let looks = Transcript()

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        let answer = try await inner.send(request)
        if request.path.hasPrefix("/device"), request.method == "GET" { looks.write("GET \(request.path)") }
        return answer
    }
}

/// A store whose events are signed under a root that the profile does not know.
private struct ForeignSignatures: StoreConnection {
    let inner: any StoreConnection

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        var answer = try await inner.send(request)
        guard request.path.hasPrefix("/events") else { return answer }
        let text = String(decoding: answer.body, as: UTF8.self)
        answer.body = Array(
            text.replacingOccurrences(of: #""signedTransaction":"ey"#, with: #""signedTransaction":"ez"#).utf8)
        return answer
    }
}
