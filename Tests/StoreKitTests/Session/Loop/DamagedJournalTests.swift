import Foundation
import StoreModel
import StoreSQLite
import Testing

@testable import StoreKit

@Suite("A journal that is damaged while the app runs", .timeLimit(.minutes(5)))
struct DamagedJournalTests {
    @Test("Nothing is charged again; what was not finished comes again, and so does what is bought afterwards")
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
        await app.until("purchased credits5")
        let journal = app.session.journal
        // The new one begins to count anew, far below this.
        for _ in 1...1000 { try journal.set(.confirmed, of: PurchaseKey(UUID())) }
        app.session.bringUpToDate()
        isDamaged.set(true)
        while journal.resetCount == 0 { try? journal.set([.timeOffset: "0"]) }
        app.buy(SessionStore.jungle)
        // Told or not, it is settled.
        while try !journal.payments().contains(where: { $0.state == .purchased }) { await Task.yield() }
        app.session.bringUpToDate()
        #expect(app.words.contains("purchased jungle"))
        await app.until("purchased credits5", times: 2)
        #expect(!app.words.contains { $0.hasPrefix("failed") })
        await app.session.shutDown()
        #expect(bench.store.processor.charges == [1, 1])
        #expect(bench.log.lines.count { $0.contains("damaged") } == 1)
    }
}
