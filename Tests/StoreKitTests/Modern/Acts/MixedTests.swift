import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Both APIs in one app.
@Suite("X1: The original and the modern API in one app", .bounded)
struct MixedTests {
    @Test("What one API has asked for the other is not told of, lists, and finishes")
    func eachItsOwn() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { client in
            client.attach()
            let bought = try await bench.product(SessionStore.credits).purchase().bought()
            let entry = try #require(client.session.entries.first)
            #expect(entry.audience == .modern)
            #expect(entry.bought?.id.number == Int64(bought.id))
            // The queue has it; finishing there is finishing.
            client.session.finish(entry.key)
            #expect(await Transaction.unfinished.ids == [])

            client.forget()
            client.buy(SessionStore.jungle)
            try await client.until("purchased jungle")
            #expect(try client.last(.purchased).audience == .original)
            let unfinished = await Transaction.unfinished.ids
            #expect(unfinished.count == 1)
            for await result in Transaction.unfinished { await result.unsafePayloadValue.finish() }
            #expect(client.session.entries == [])
            #expect(client.words.last == "removed")
        }
        #expect(bench.store.processor.charges == [1, 1])
    }

    @Test("P9: Random purchases by both APIs are each told once, whoever asked")
    func interleaved() async throws {
        var random = RandomizedRun.generator(named: "both APIs")
        let bench = try await SessionBench(SessionStore())
        let plan = (0..<12).map { _ in Int.random(in: 0..<3, using: &random) }
        try await bench.withApp { client in
            try await client.signIn()
            client.attach()
            let ledger = Observed<[UInt64]>([])
            let listener = Task {
                for await result in Transaction.updates {
                    ledger.update { $0.append(result.unsafePayloadValue.id) }
                    await result.unsafePayloadValue.finish()
                }
            }
            let product = try await bench.product(SessionStore.credits)
            var returned: [UInt64] = []
            for act in plan {
                switch act {
                case 0: returned.append(try await product.purchase().bought().id)
                case 1: client.buy(SessionStore.credits)
                default: try await bench.store.sell()
                }
            }
            let (own, elsewhere) = (plan.count { $0 == 1 }, plan.count { $0 == 2 })
            try await ledger.wait { $0.count == elsewhere }
            try await client.until { told in
                Self.told(told, .original).count == own
            }
            let queued = Self.told(client.told, .original)
            let updated = ledger.value
            #expect(Set(returned + queued + updated).count == plan.count)
            #expect(returned.count + queued.count + updated.count == plan.count)
            listener.cancel()
        }
        #expect(bench.store.processor.charges.count == plan.count)
        #expect(bench.store.processor.charges.allSatisfy { $0 == 1 })
    }

    /// What the queue of the original API was told as bought and has asked for itself.
    private static func told(_ news: [SessionNews], _ audience: QueueEntry.Audience) -> [UInt64] {
        let entries = news.flatMap { news -> [QueueEntry] in
            if case .updated(let entries) = news { entries } else { [] }
        }
        let ids = entries.filter { $0.state == .purchased && $0.audience == audience }.compactMap {
            $0.bought?.id.number
        }
        return Set(ids).map { UInt64($0) }
    }

    @Test("A purchase of a process that was killed at any of its requests is charged at most once, and told by updates")
    func killed() async throws {
        // How many requests there are is learnt from a run that nobody cuts.
        let count = try await requests()
        #expect(count > 4)
        for number in 1...count {
            let bench = try await SessionBench(SessionStore())
            let cut = CutConnection(bench.connection, at: number, .after, length: .max)
            let returned = try await bench.withApp(connection: cut) { client -> UInt64? in
                let outcome = Observed<UInt64??>(nil)
                let call = Task {
                    let bought = try? await bench.product(SessionStore.credits).purchase().bought().id
                    outcome.update { $0 = .some(bought) }
                }
                // It ends with its purchase, or waits for a store that does not answer any more: then the process ends.
                try await outcome.wait { $0 != nil || cut.wasCut }
                await client.session.shutDown()
                await call.value
                return outcome.value ?? nil
            }
            try await bench.withApp { client in
                client.attach()
                var updates = Transaction.updates.makeAsyncIterator()
                try await client.session.journal.until { try !$0.payments().contains(where: \.isOpen) }
                try? await client.session.catchUp()
                let sold = try await bench.store.counts().sold
                #expect(sold <= 1, "request \(number)")
                if sold == 1 { #expect(await updates.next() != nil, "request \(number)") }
                if let returned { #expect(await Transaction.unfinished.ids == [returned]) }
            }
            #expect(bench.store.processor.charges.count <= 1, "request \(number)")
        }
    }

    private func requests() async throws -> Int {
        let bench = try await SessionBench(SessionStore())
        let whole = CutConnection(bench.connection, at: 0, .after)
        try await bench.withApp(connection: whole) { _ in
            _ = try await bench.product(SessionStore.credits).purchase().bought()
        }
        return whole.requests.count
    }
}
