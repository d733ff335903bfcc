import Foundation
import StoreHTTPListener
import TestSupport
import Testing

@testable import StoreKit

/// What a session asks the store for, and how often.
@Suite("What a session asks for", .bounded)
struct QuietLineTests {
    private func buyAndFinish(_ app: SessionClient) async throws {
        app.buy(SessionStore.credits)
        try await app.until("purchased credits5")
        app.session.finish(try app.last(.purchased).key)
        try await app.untilFinishesAreTold()
        // The round that told of it has also got the receipt without it.
        await app.session.tellFinishes()
        app.forget()
    }

    @Test("While an app buys and finishes, no request is given up, and receipts are got once for each change")
    func buying() async throws {
        let bench = try await SessionBench(SessionStore())
        let connection = RequestCounter(bench.connection)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            // Somebody signs in for the first one, and only then there is something to wait for.
            try await buyAndFinish(app)
            try await connection.until { $0.begun["/events"] != nil }
            let before = connection.counts
            let count = 5
            for _ in 1...count { try await buyAndFinish(app) }
            let counts = connection.counts
            #expect(counts.abandoned == before.abandoned)
            // Bought, and finished.
            #expect(counts.begun["/receipt", default: 0] - before.begun["/receipt", default: 0] <= 2 * count)
            let receipts = "/receipts"
            #expect(counts.begun[receipts, default: 0] - before.begun[receipts, default: 0] == count)
        }
    }

    @Test("Once its lines are open, a session opens hardly any more for what it buys and finishes")
    func lines() async throws {
        try await overSocket { bench, listener in
            try await bench.withSession { app in
                app.attach()
                for _ in 1...2 { try await buyAndFinish(app) }
                let before = listener.statistics.connectionsAccepted
                for _ in 1...5 { try await buyAndFinish(app) }
                #expect(listener.statistics.connectionsAccepted <= before + 2)
            }
        }
    }

    @Test("While another process of the app buys, the one that watches the store gives up no request")
    func otherProcess() async throws {
        let bench = try await SessionBench(SessionStore())
        let connection = RequestCounter(bench.connection)
        try await bench.withSession(connection: connection) { watcher in
            watcher.attach()
            watcher.session.restore(applicationUsername: nil)
            try await watcher.until("restore finished")
            try await connection.until { $0.begun["/events"] != nil }
            try await bench.withSession { buyer in
                buyer.attach()
                for count in 1...5 {
                    buyer.buy(SessionStore.credits)
                    try await buyer.until("purchased credits5", times: count)
                }
            }
            // The end of a process is heard of too, and what it leaves behind is told by the one that is left.
            try await watcher.until("purchased credits5", times: 5)
            #expect(connection.counts.abandoned["/events"] == nil)
        }
    }

    @Test(
        "A receipt that is not whole, as a power failure may leave it, is got anew at the next start",
        arguments: [0, 40])
    func damaged(length: Int) async throws {
        let bench = try await SessionBench(SessionStore())
        var path = ""
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            path = app.session.receipt.url.path
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.prefix(length).write(to: URL(fileURLWithPath: path))
        let connection = RequestCounter(bench.connection)
        try await bench.withSession(connection: connection) { app in
            #expect(!app.session.receipt.isThere)
            app.attach()
            try await connection.until { $0.begun["/events"] != nil }
            #expect(app.session.receipt.isThere)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > length)
    }
}

/// Counts the requests of each kind that are begun, and those that are given up before the session ends.
private final class RequestCounter: StoreConnection {
    struct Counts: Sendable {
        var begun: [String: Int] = [:]
        var abandoned: [String: Int] = [:]
    }

    private let inner: any StoreConnection
    private let state = Observed(Counts())

    init(_ inner: any StoreConnection) {
        self.inner = inner
    }

    var counts: Counts { state.value }

    func until(_ condition: @escaping @Sendable (Counts) -> Bool) async throws {
        try await state.wait(until: condition)
    }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        let path = String(request.path.prefix { $0 != "?" }).replacing(/[0-9]{5,}/, with: "N")
        state.update { $0.begun[path, default: 0] += 1 }
        do throws(ConnectionError) {
            return try await inner.send(request)
        } catch {
            if error.kind == .cancelled { state.update { $0.abandoned[path, default: 0] += 1 } }
            throw error
        }
    }
}
