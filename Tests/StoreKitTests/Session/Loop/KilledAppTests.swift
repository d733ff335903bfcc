import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// The app is killed at every step between adding a payment and finishing it. From that step on it writes nothing and sends
/// nothing: what the journal had at that moment is all that the next launch has.
@Suite("An app that is killed", .bounded)
struct KilledAppTests {
    /// Notes every request before and after it, too.
    private struct ObservedConnection: StoreConnection {
        let inner: any StoreConnection
        let note: @Sendable (String) -> Void

        func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
            guard request.wait == .zero else { return try await inner.send(request) }
            note("before \(request.method) \(request.path)")
            let answer = try await inner.send(request)
            note("after \(request.method) \(request.path)")
            return answer
        }
    }

    @Test("Charged at most once, delivered at least once, redelivered until finished, wherever it is killed")
    func killed() async throws {
        // How many steps there are is learnt from a run that nobody kills.
        let places = try await run(killedAt: .max).places
        #expect(places.count > 30)
        let step = RandomizedRun.isSoak ? 1 : 9
        var random = RandomizedRun.generator(named: "kills of an app")
        for number in stride(from: Int.random(in: 1...step, using: &random), through: places.count, by: step) {
            try await examine(number)
        }
    }

    /// Runs a purchase in which the process is as good as dead from a step on: it can neither write nor send any more.
    private func run(killedAt last: Int) async throws -> (places: [String], bench: SessionBench, delivered: Int) {
        let bench = try await SessionBench(SessionStore())
        let killer = Killer(last)
        let connection = KilledConnection(inner: bench.connection, killer: killer)
        var settings = bench.settings(connection: ObservedConnection(inner: connection) { killer.step($0) })
        settings.journalObserver = { statement in
            killer.step(statement)
            if killer.isDead { throw Dead() }
        }
        // Killed while the journal is made, there is no session.
        guard let session = try? DeviceSession(settings) else { return (killer.places, bench, 0) }
        let app = SessionClient(session)
        // The run ends with the purchase or with the process, whichever is first.
        session.attach(SessionSink { killer.note($0) })
        app.attach()
        app.buy(SessionStore.credits)
        try await killer.untilOver()
        if !killer.isDead {
            for entry in app.session.entries where !entry.isOpen { app.session.finish(entry.key) }
            while !killer.isDead, !(try app.session.journal.finishes()).isEmpty { await app.session.tellFinishes() }
        }
        await app.session.shutDown()
        let delivered = app.words.filter { $0 == "purchased credits5" }.count
        return (killer.places, bench, delivered)
    }

    private func examine(_ number: Int) async throws {
        let (places, bench, delivered) = try await run(killedAt: number)
        let place = "step \(number): \(places.last ?? "")"
        try await bench.withSession { app in
            app.attach()
            // A payment of the dead process is open in the journal before this one has taken it over.
            try await app.session.journal.until { journal in
                app.session.bringUpToDate()
                for entry in app.session.entries where !entry.isOpen { app.session.finish(entry.key) }
                try await app.untilFinishesAreTold()
                let unfinished = try await bench.store.counts().unfinished
                return try unfinished == 0 && !app.session.entries.contains(where: \.isOpen)
                    && !journal.payments().contains(where: \.isOpen)
            }
            for entry in app.session.entries { app.session.finish(entry.key) }
            let again = app.words.filter { $0 == "purchased credits5" }.count
            let counts = try await bench.store.counts()
            #expect(counts.unfinished == 0, "\(place)")
            #expect(bench.store.processor.charges.allSatisfy { $0 == 1 }, "\(place)")
            #expect(bench.store.processor.charges.count <= 1, "\(place)")
            // What was sold was told, before the end or after it.
            #expect(counts.sold == 0 || delivered + again >= 1, "\(place)")
        }
    }

    private struct Dead: Error {}

    /// Counts steps and says from which on the process is dead.
    private final class Killer: Sendable {
        private struct State: Sendable {
            var places: [String] = []
            var isDecided = false
        }

        private let last: Int
        private let state = Observed(State())

        init(_ last: Int) { self.last = last }

        func step(_ place: String) { state.update { $0.places.append(place) } }

        func note(_ news: SessionNews) {
            let words = SessionClient.words([news])
            guard words.contains("purchased credits5") || words.contains(where: { $0.hasPrefix("failed") }) else {
                return
            }
            state.update { $0.isDecided = true }
        }

        var places: [String] { state.value.places }
        var isDead: Bool { places.count >= last }

        /// Waits until the app was told what became of its payment, or is dead.
        func untilOver() async throws {
            try await state.wait { [last] in $0.isDecided || $0.places.count >= last }
        }
    }

    /// A network that a dead process cannot use.
    private struct KilledConnection: StoreConnection {
        let inner: any StoreConnection
        let killer: Killer

        func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
            if killer.isDead { throw .abandoned }
            let answer = try await inner.send(request)
            if killer.isDead { throw .abandoned }
            return answer
        }
    }
}
