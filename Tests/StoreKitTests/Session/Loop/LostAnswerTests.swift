import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What becomes of a single request whose answer is lost, or is a refusal, at other times than during a purchase.
@Suite("Answers that are lost or refused", .bounded)
struct LostAnswerTests {
    @Test("A restore whose answer is lost is asked for once; what it brought comes all the same, once")
    func restore() async throws {
        let bench = try await SessionBench(SessionStore())
        let count = Shared(0)
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            guard request.path == "/restorations" else { return try await store.send(request) }
            count.set(count.value + 1)
            _ = try await store.send(request)
            throw .lost
        }
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
            app.session.restore(applicationUsername: nil)
            try await app.until("restore failed: cut")
            try await app.until("restored jungle")
            try await app.session.catchUp()
            #expect(app.words.count { $0 == "restored jungle" } == 1)
        }
        #expect(count.value == 1)
    }

    @Test("A finish that the store refuses is told it again", arguments: [403, 429, 503])
    func finish(status: Int) async throws {
        let bench = try await SessionBench(SessionStore())
        let refusals = Shared(0)
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            guard request.path.hasSuffix("/finish"), refusals.value < 5 else { return try await store.send(request) }
            refusals.set(refusals.value + 1)
            return StoreAnswer(status: status, body: Array(#"{"error": {"code": "test", "message": "Not now."}}"#.utf8))
        }
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
        }
        #expect(refusals.value == 5)
        let counts = try await bench.store.counts()
        #expect(counts == (1, 0))
    }

    @Test("A person who signs out while the store cannot be reached is signed out once it can be")
    func signOut() async throws {
        let bench = try await SessionBench(SessionStore())
        let isCut = Shared(true)
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            if request.path == "/sign-out", isCut.value { throw .lost }
            return try await store.send(request)
        }
        try await bench.withSession(connection: connection) { app in
            try await app.signIn()
            bench.preferences.set(DevicePreferences(signOuts: 1))
            await #expect(throws: ConnectionError.self) { try await app.session.device.prepare() }
            isCut.set(false)
            try await app.session.device.prepare()
            let answer = try await app.session.device.device()
            #expect(!answer.isSignedIn)
        }
    }

    @Test("A person who has signed out is signed out, also where the device has to be registered anew before")
    func signOutBeforeRegistration() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            try await app.signIn()
            bench.preferences.set(DevicePreferences(isSimulator: true, signOuts: 1))
            try await app.session.device.prepare()
            let answer = try await app.session.device.device()
            #expect(!answer.isSignedIn)
        }
    }

    @Test("A yes that the store has heard counts at the next start, though purchases are not allowed any more")
    func yesBeforeRestriction() async throws {
        let bench = try await SessionBench(SessionStore())
        let hasActed = Gate()
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            let answer = try await store.send(request)
            guard request.path.hasSuffix("/confirmation") else { return answer }
            hasActed.open()
            // The app ends before it has the answer.
            await Gate().pass()
            throw .abandoned
        }
        // Nobody is attached, so that nothing but the answer tells of the purchase.
        try await bench.withSession(connection: connection) { app in
            app.buy(SessionStore.credits)
            await hasActed.pass()
        }
        bench.preferences.set(DevicePreferences(purchasesAllowed: false))
        try await bench.withSession { app in
            app.attach()
            try await app.until { told in
                SessionClient.words(told).contains { $0.hasPrefix("failed") || $0.hasPrefix("purchased") }
            }
            #expect(app.words.last == "purchased credits5")
        }
        #expect(bench.store.processor.charges == [1])
    }
}
