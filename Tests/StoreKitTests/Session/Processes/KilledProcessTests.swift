import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// Processes of an app that are killed for good, `kill -9`, at every step between adding a payment and the store's word that it
/// has heard of the finish; and started again.
@Suite("A process that is killed", .serialized, .bounded)
struct KilledProcessTests {
    /// All steps in a soak, else some of them.
    private func steps(_ count: Int, _ name: String) -> [Int] {
        guard !RandomizedRun.isSoak else { return Array(1...count) }
        var random = RandomizedRun.generator(named: name)
        return Array(Array(1...count).shuffled(using: &random).prefix(5))
    }

    @Test("What was bought is charged once, delivered at least once and finished in the end")
    func buying() async throws {
        var count = 0
        try await BuyerScene.with { count = try await $0.run(buying: 1, until: 1).lines.count }
        #expect(count > 60)
        for step in steps(count, "kills of a buyer") {
            try await BuyerScene.with { scene in
                var runs = [try await scene.run(buying: 1, killedAt: step, until: 1)]
                if runs[0].wasKilled { runs.append(try await scene.run(buying: 0, until: 0)) }
                try await scene.judge(runs, place(step, runs[0]))
            }
        }
    }

    @Test("What was bought on no device is delivered, whenever the process is killed")
    func news() async throws {
        try await BuyerScene.with { scene in
            var runs = [try await scene.run(buying: 1, until: 1)]
            var others = 0
            /// Sells, and leaves the rest to the process.
            func buy() async throws {
                try await scene.store.sell()
                others += 1
            }
            try await buy()
            runs.append(try await scene.run(buying: 0, until: 0))
            let count = runs[1].lines.count
            #expect(count > 20)
            for step in steps(count, "kills of a listener") {
                try await buy()
                let run = try await scene.run(buying: 0, killedAt: step, until: 0)
                runs.append(run)
                if run.wasKilled { runs.append(try await scene.run(buying: 0, until: 0)) }
                try await scene.judge(runs, place(step, run), others: others)
            }
        }
    }

    @Test("Of three processes that buy at once, one is killed, and the others settle everything")
    func racing() async throws {
        var random = RandomizedRun.generator(named: "kills of a rival")
        for _ in 0..<(RandomizedRun.isSoak ? 40 : 2) {
            let step = Int.random(in: 5...260, using: &random)
            try await BuyerScene.with { scene in
                let killed = try scene.start(buying: 2, killedAt: step)
                let (one, other) = (try scene.start(buying: 2), try scene.start(buying: 2))
                async let first = scene.follow(killed, until: 4, rivals: [one, other])
                async let second = scene.follow(one, until: 4, rivals: [killed, other])
                let third = try await scene.follow(other, until: 4, rivals: [killed, one])
                var runs = [try await first, try await second, third]
                // They may have been told to end while one had still something to begin.
                if try await !scene.isSettled { runs.append(try await scene.run(buying: 0, until: 0)) }
                try await scene.judge(runs, place(step, runs[0]))
            }
        }
    }

    private func place(_ step: Int, _ run: BuyerRun) -> String {
        "step \(step): \(run.lines.last ?? ""), TILL_SEED=\(RandomizedRun.seed)"
    }
}
