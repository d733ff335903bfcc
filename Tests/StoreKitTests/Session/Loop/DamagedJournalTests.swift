import Foundation
import StoreModel
import StoreSQLite
import TestSupport
import Testing

@testable import StoreKit

@Suite("A journal that fails while the app runs", .bounded)
struct DamagedJournalTests {
    @Test("Nothing is charged again; what was not finished waits on, and so does what is bought afterwards")
    func damaged() async throws {
        let bench = try await SessionBench(SessionStore())
        let isDamaged = Shared(false)
        var settings = bench.settings()
        settings.journalObserver = { _ in
            guard isDamaged.value else { return }
            isDamaged.set(false)
            throw SQLiteError(code: 11, message: "damaged by the test")
        }
        let app = SessionClient(try DeviceSession(settings))
        app.attach()
        app.buy(SessionStore.credits)
        try await app.until("purchased credits5")
        let journal = app.session.journal
        // The new one begins to count anew, far below this.
        for _ in 1...1000 { try journal.set(.confirmed, of: PurchaseKey(UUID())) }
        app.session.bringUpToDate()
        isDamaged.set(true)
        while journal.resetCount == 0 { try? journal.set([.storeClock: "0 0 0"]) }
        app.buy(SessionStore.jungle)
        // Told or not, it is settled.
        try await journal.until { try $0.payments().contains { $0.state == .purchased } }
        app.session.bringUpToDate()
        #expect(app.words.contains("purchased jungle"))
        // What the store has is read anew. Whether it was told again or not, it waits to be finished.
        try await journal.until { try $0.news(after: nil).waiting.count >= 2 }
        app.session.bringUpToDate()
        #expect(Set(app.session.entries.map(\.payment.product)) == [SessionStore.credits, SessionStore.jungle])
        #expect(app.session.entries.allSatisfy { $0.state == .purchased })
        #expect(!app.words.contains { $0.hasPrefix("failed") })
        await app.session.shutDown()
        #expect(bench.store.processor.charges == [1, 1])
        #expect(bench.log.lines.count { $0.contains("damaged") } == 1)
    }

    @Test("A finish that cannot be written down is none: nobody is told that it is, and it comes again")
    func finish() async throws {
        let bench = try await SessionBench(SessionStore())
        let isFull = Shared(true)
        var settings = bench.settings()
        settings.journalObserver = { statement in
            guard isFull.value, statement.contains("INTO finishing") else { return }
            throw SQLiteError(code: 13, message: "the disk of the test is full")
        }
        let app = SessionClient(try DeviceSession(settings))
        app.attach()
        app.buy(SessionStore.credits)
        try await app.until("purchased credits5")
        app.session.finish(try app.last(.purchased).key)
        app.session.bringUpToDate()
        #expect(app.words == ["attached", "purchasing credits5", "purchased credits5"])
        #expect(app.session.entries.map(\.state) == [.purchased])
        #expect(bench.log.lines.contains { $0.contains("could not be finished") })
        isFull.set(false)
        app.session.finish(try app.last(.purchased).key)
        try await app.untilFinishesAreTold()
        #expect(app.words.last == "removed")
        await app.session.shutDown()
        let counts = try await bench.store.counts()
        #expect(counts == (1, 0))
    }

    @Test("What is paid and cannot be kept has not failed: it waits, is charged once, and comes when there is room")
    func paid() async throws {
        let bench = try await SessionBench(SessionStore())
        var settings = bench.settings()
        settings.journalObserver = { statement in
            guard statement.contains("INTO bought") else { return }
            throw SQLiteError(code: 13, message: "the disk of the test is full")
        }
        let app = SessionClient(try DeviceSession(settings))
        app.attach()
        app.buy(SessionStore.credits)
        try await app.until("deferred credits5")
        #expect(!app.words.contains { $0.hasPrefix("failed") })
        await app.session.shutDown()
        let next = SessionClient(try DeviceSession(bench.settings()))
        next.attach()
        try await next.until("purchased credits5")
        #expect(!next.words.contains { $0.hasPrefix("failed") })
        await next.session.shutDown()
        #expect(bench.store.processor.charges == [1])
    }
}
