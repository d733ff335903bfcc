import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreKit

/// The answer to a request and the events tell of one transaction, in any order.
@Suite("An answer that is overtaken", .bounded)
struct OvertakenAnswerTests {
    /// Holds the reading of everything back until the store has acted on a yes, and the answer to that until the test says so.
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
            try await app.until("purchased credits5")
            let bought = try app.last(.purchased)
            #expect(bought.isOfPayment)
            app.session.finish(bought.key)
            try await app.untilFinishesAreTold()
            let journal = app.session.journal
            try await journal.until { try await heard($0) >= bench.store.eventCount() }
            let change = try journal.lastChange()
            connection.mayAnswer.open()
            // The answer is taken in with a change of its own.
            try await journal.until { try $0.lastChange() != change }
            app.session.bringUpToDate()
            #expect(app.words == ["attached", "purchasing credits5", "purchased credits5", "removed"])
            #expect(try journal.payments() == [])
            #expect(try journal.news(after: nil).waiting == [])
        }
    }

    /// Holds a yes back until everything was read, and the answer to that until the test says so.
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
            try await app.until("purchased credits5")
            connection.mayAnswer.open()
            let journal = app.session.journal
            try await journal.until { try await heard($0) >= bench.store.eventCount() }
            app.session.bringUpToDate()
            #expect(app.words == ["attached", "purchasing credits5", "purchased credits5"])
        }
    }

    private func heard(_ journal: Journal) throws -> Int64 {
        try journal.value(.cursor).flatMap { EventCursor(text: $0) }?.number ?? 0
    }
}
