import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Several receivers of one session, and none.
@Suite("The sinks of a session", .bounded)
struct SinkTests {
    @Test(
        "Each sink is told everything, a later one first what is unfinished; the store is watched until the last goes")
    func several() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            let second = SessionClient(app.session)
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            second.attach()
            #expect(second.words == ["attached", "purchased credits5"])
            app.buy(SessionStore.jungle)
            for client in [app, second] { try await client.until("purchased jungle") }
            app.detach()
            // What no device has bought comes by the events alone.
            try await bench.store.sell()
            try await second.until("purchased credits5", times: 2)
            #expect(
                app.words == [
                    "attached", "purchasing credits5", "purchased credits5", "purchasing jungle", "purchased jungle",
                ])
            #expect(app.session.isAttached)
            second.detach()
            #expect(!app.session.isAttached)
        }
    }

    @Test("News that comes while no sink is attached waits for the next one, and is told once")
    func waiting() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            let jungle = try #require(try app.last(.purchased).bought?.id)
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
            app.detach()
            app.forget()
            _ = try await bench.store.control("POST", "/transactions/\(jungle)/refund", [:])
            try await app.session.catchUp()
            app.attach()
            #expect(app.words == ["attached", "revoked jungle"])
            app.detach()
            app.attach()
            #expect(app.words == ["attached", "revoked jungle", "attached"])
        }
    }

    @Test("A reader of the journal that keeps its place misses no transaction and sees none twice")
    func reader() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            let journal = app.session.journal
            let start = try journal.lastChange()
            async let read = Self.read(3, of: journal, after: start)
            app.attach()
            for count in 1...3 {
                app.buy(SessionStore.credits)
                try await app.until("purchased credits5", times: count)
            }
            let ids = try await read
            #expect(ids == app.session.entries.compactMap(\.bought?.id))
        }
    }

    /// The ids of so many transactions, in the order in which the journal got them.
    private static func read(_ count: Int, of journal: Journal, after start: Int64) async throws -> [TransactionID] {
        var (ids, place): ([TransactionID], Int64) = ([], start)
        try await journal.until { journal in
            let news = try journal.news(after: place)
            place = news.change
            ids += news.changed.map(\.id)
            return ids.count >= count
        }
        return ids
    }

    @Test(
        "What a restore brings back bears its user name, whether the answer or the events bring it first",
        arguments: [
            true, false,
        ])
    func restoredName(eventsFirst: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        let (asked, mayAnswer) = (Gate(), Gate())
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            if request.path == "/restorations" { asked.open() }
            let answer = try await store.send(request)
            // The answer to the restore is held back, or the events that tell of it.
            let isHeld = eventsFirst ? request.path == "/restorations" : request.path.hasPrefix("/events")
            if isHeld, asked.wasOpened { await mayAnswer.pass() }
            return answer
        }
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.jungle, username: "ada")
            try await app.until("purchased jungle")
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
            app.session.restore(applicationUsername: "ada")
            try await app.until("restored jungle")
            #expect(try app.last(.restored).payment.username == "ada")
            if !eventsFirst { try await app.until("restore finished") }
            #expect(app.words.contains("restore finished") == !eventsFirst)
            mayAnswer.open()
            try await app.until("restore finished")
            try await app.session.catchUp()
            #expect(app.words.count { $0 == "restored jungle" } == 1)
        }
    }
}
