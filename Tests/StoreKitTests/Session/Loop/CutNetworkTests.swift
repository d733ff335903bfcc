import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// The network is cut at every request that a purchase consists of, before and after the store has acted: nobody is charged
/// twice, and nothing that was paid is lost.
@Suite("A network that is cut", .bounded)
struct CutNetworkTests {
    /// The requests of a purchase, from the first contact to the finish.
    private func requests() async throws -> [String] {
        let bench = try await SessionBench(SessionStore())
        let connection = CutConnection(bench.connection, at: 0, .before)
        try await run(bench, connection)
        return connection.requests
    }

    /// Buys, and finishes what was bought.
    @discardableResult
    private func run(_ bench: SessionBench, _ connection: CutConnection) async throws -> [String] {
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.untilDecided()
            for entry in app.session.entries where !entry.isOpen { app.session.finish(entry.key) }
            try await app.untilFinishesAreTold()
            return app.words
        }
    }

    @Test(
        "Charged at most once, delivered at least once, finished in the end", arguments: CutConnection.Moment.allCases,
        [1, 30])
    func cut(moment: CutConnection.Moment, length: Int) async throws {
        let count = try await requests().count
        #expect(count >= 8)
        // Every request in a soak, else some of them; a network that stays away is the same to most.
        let step = RandomizedRun.isSoak ? 1 : length == 1 ? 2 : 5
        var random = RandomizedRun.generator(named: "cuts \(moment) \(length)")
        for number in stride(from: Int.random(in: 1...step, using: &random), through: count + 1, by: step) {
            let bench = try await SessionBench(SessionStore())
            let connection = CutConnection(bench.connection, at: number, moment, length: length)
            let words = try await run(bench, connection)
            let charges = bench.store.processor.charges
            let place = "request \(number), \(moment), \(length): \(connection.requests)"
            #expect(charges.allSatisfy { $0 == 1 }, "\(place)")
            // Nobody is told of a failure who has been charged.
            #expect(charges.isEmpty || words.contains("purchased credits5"), "\(place)")
            #expect(charges.isEmpty || !words.contains { $0.hasPrefix("failed") }, "\(place)")
            // With the network mended, whatever was paid is told, unless it was told and finished before.
            try await bench.withSession { app in
                app.attach()
                try await app.finishEverything(of: bench.store)
            }
            let counts = try await bench.store.counts()
            #expect(counts.sold == charges.count, "\(place)")
            #expect(counts.unfinished == 0, "\(place)")
        }
    }

    @Test("A token that was lost with its answer is replaced, so that a yes needs no password")
    func lostToken() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.session.restore(applicationUsername: nil)
            try await app.until("restore finished")
        }
        let lost = Shared(0)
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            let answer = try await store.send(request)
            guard request.method == "POST", request.path == "/purchases", lost.value == 0 else { return answer }
            lost.set(1)
            throw .lost
        }
        // This prompt knows no password.
        try await bench.withSession(prompt: AutomaticPrompt(), connection: connection) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.untilDecided()
            #expect(app.words == ["attached", "purchasing credits5", "purchased credits5"])
        }
        #expect(lost.value == 1)
        #expect(bench.store.processor.charges == [1])
    }
}
