import Foundation
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreKit

/// `DeviceSession.catchUp()`, on which test sessions rely to know that everything is settled.
@Suite("Catching up with the store", .bounded)
struct CatchUpTests {
    @Test("When it returns the journal has every event, and whoever is attached was told")
    func events() async throws {
        try await overBothTransports { bench in
            try await bench.withSession { app in
                try await app.session.device.prepare()
                try await app.session.device.signIn(SessionStore.email, SessionStore.password)
                app.attach()
                try await app.session.catchUp()
                #expect(app.words == ["attached"])
                for _ in 1...3 { try await bench.store.sell() }
                try await app.session.catchUp()
                #expect(app.words.filter { $0 == "purchased credits5" }.count == 3)
            }
        }
    }

    /// A store that tells of one event at a time, but where somebody waits for news.
    private struct ShortPages: StoreConnection {
        let inner: any StoreConnection

        func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
            var answer = try await inner.send(request)
            guard request.path.hasPrefix("/events"),
                var page = try? JSONDecoder().decode(EventsAnswer.self, from: Data(answer.body)),
                page.events.count > 1, let end = EventCursor(text: page.cursor)
            else { return answer }
            page.events.removeSubrange(1...)
            page.cursor =
                EventCursor(epoch: end.epoch, customer: end.customer, number: page.events[0].number).text
            page.hasMore = true
            if let body = try? JSONEncoder().encode(page) { answer.body = Array(body) }
            return answer
        }
    }

    /// A store whose first page of everything is never the last, and where something happens before the next one.
    private struct TornReading: StoreConnection {
        let inner: any StoreConnection
        let between: @Sendable () async throws -> Void

        func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
            if request.path.hasPrefix("/transactions?after=") {
                do {
                    try await between()
                } catch {
                    throw ConnectionError(.refused(status: 400), code: "test", "\(error)")
                }
            }
            var answer = try await inner.send(request)
            guard request.path == "/transactions",
                var page = try? JSONDecoder().decode(TransactionsAnswer.self, from: Data(answer.body))
            else { return answer }
            page.hasMore = true
            if let body = try? JSONEncoder().encode(page) { answer.body = Array(body) }
            return answer
        }
    }

    @Test("What happens while everything is read is heard of afterwards")
    func tornReading() async throws {
        let bench = try await SessionBench(SessionStore())
        let other = try await SessionBench(bench.store)
        let jungle = try await other.withSession { buyer in
            buyer.attach()
            buyer.buy(SessionStore.jungle)
            try await buyer.until("purchased jungle")
            return try #require(try buyer.last(.purchased).bought?.id)
        }
        let connection = TornReading(inner: bench.connection) {
            _ = try await bench.store.control("POST", "/transactions/\(jungle)/refund", [:])
        }
        // Nobody watches the store here, because nobody is attached.
        try await bench.withSession(connection: connection) { app in
            try await app.signIn()
            try await app.session.catchUp()
            #expect(try app.session.journal.transaction(jungle)?.isRevoked == true)
        }
    }

    @Test("It reads on where a page does not tell of everything")
    func pages() async throws {
        let bench = try await SessionBench(SessionStore())
        // Nobody watches the store here, because nobody is attached.
        try await bench.withSession(connection: ShortPages(inner: bench.connection)) { app in
            try await app.signIn()
            try await app.session.catchUp()
            for _ in 1...3 { try await bench.store.sell() }
            try await app.session.catchUp()
            #expect(try app.session.journal.news(after: nil).waiting.count == 3)
        }
    }

    @Test("When it returns the store knows what was finished, and the receipt is there")
    func finishes() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            app.session.finish(try app.last(.purchased).key)
            try await app.session.catchUp()
            let left = try app.session.journal.finishes()
            #expect(left == [])
            let counts = try await bench.store.counts()
            #expect(counts == (1, 0))
            let receipt = try #require(app.session.receiptURL)
            #expect(FileManager.default.fileExists(atPath: receipt.path))
        }
    }

    @Test("After the store has begun another epoch it reads everything anew")
    func otherEpoch() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            try await app.session.catchUp()
            app.detach()
            try await bench.store.databases.sandbox.write { try StoreProperty.beginEpoch("second", in: $0) }
            try await app.session.catchUp()
            let cursor = try #require(try app.session.journal.value(.cursor))
            #expect(cursor.hasPrefix("second."))
            #expect(app.session.entries.map(\.state) == [.purchased])
        }
    }

    @Test("Where nobody is signed in it returns; where the store cannot be reached it says so")
    func edges() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            try await app.session.catchUp()
            #expect(app.session.entries == [])
            #expect(app.session.receipt.isThere)
        }
        let cut = CutConnection(bench.connection, at: 1, .before, length: .max / 2)
        try await bench.withSession(connection: cut) { app in
            let error = await #expect(throws: ConnectionError.self) { try await app.session.catchUp() }
            #expect(error?.code == "cut")
        }
    }
}
