import StoreModel
import StoreService
import Testing

@testable import StoreKit

/// What the store tells of a transaction by one road comes later than what it tells by another.
@Suite("An answer that is overtaken")
struct OvertakenAnswerTests {
    /// Lets nobody read everything before the store has acted on a yes, and holds the answer to that back.
    private final class HoldingConnection: StoreConnection {
        private let inner: any StoreConnection
        private let hasActed = Gate()
        let mayAnswer = Gate()

        init(_ inner: any StoreConnection) {
            self.inner = inner
        }

        func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
            if request.path == "/transactions" { await hasActed.pass() }
            let answer = try await inner.send(request)
            if request.path.hasSuffix("/confirmation") {
                hasActed.open()
                await mayAnswer.pass()
            }
            return answer
        }
    }

    @Test("What was delivered and finished meanwhile is not told again")
    func finished() async throws {
        let bench = try await SessionBench(SessionStore())
        let connection = HoldingConnection(bench.connection)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.credits)
            await app.until("purchased credits5")
            let bought = try app.last(.purchased)
            #expect(bought.isOfPayment)
            app.session.finish(bought.key)
            try await app.untilFinishesAreTold()
            let journal = app.session.journal
            while try await heard(journal) < bench.store.eventCount() { await Task.yield() }
            let change = try journal.lastChange()
            connection.mayAnswer.open()
            // The answer is taken in with a change of its own.
            while try journal.lastChange() == change { await Task.yield() }
            app.session.bringUpToDate()
            #expect(app.words == ["attached", "purchasing credits5", "purchased credits5", "removed"])
            #expect(try journal.payments() == [])
            #expect(try journal.news(after: nil).waiting == [])
        }
    }

    /// Lets nobody say yes before everything was read, and holds the answer to that back.
    private final class StaleConnection: StoreConnection {
        private let inner: any StoreConnection
        private let wasRead = Gate()
        let mayAnswer = Gate()

        init(_ inner: any StoreConnection) {
            self.inner = inner
        }

        func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
            if request.path.hasSuffix("/confirmation") { await wasRead.pass() }
            let answer = try await inner.send(request)
            if request.path == "/transactions" {
                wasRead.open()
                await mayAnswer.pass()
            }
            return answer
        }
    }

    @Test("What was bought while everything was being read stays in the queue")
    func stale() async throws {
        let bench = try await SessionBench(SessionStore())
        let connection = StaleConnection(bench.connection)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.credits)
            await app.until("purchased credits5")
            connection.mayAnswer.open()
            let journal = app.session.journal
            while try await heard(journal) < bench.store.eventCount() { await Task.yield() }
            app.session.bringUpToDate()
            #expect(app.words == ["attached", "purchasing credits5", "purchased credits5"])
        }
    }

    private func heard(_ journal: Journal) throws -> Int64 {
        try journal.value(.cursor).flatMap { EventCursor(text: $0) }?.number ?? 0
    }
}
