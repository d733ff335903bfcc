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
        // How many requests there are is learnt from a run that nobody ends.
        let count = try await run(killedAfter: .max).count
        #expect(count > 4)
        for number in 1...count {
            let (_, bench, returned) = try await run(killedAfter: number)
            try await bench.withApp { client in
                var updates = Transaction.updates.makeAsyncIterator()
                try await client.session.catchUp()
                try await client.session.journal.until { try !$0.payments().contains(where: \.isOpen) }
                let sold = try await bench.store.counts().sold
                #expect(sold <= 1, "request \(number)")
                if sold == 1 {
                    let told = try #require(await updates.next()).payloadValue.id
                    #expect(returned == nil || returned == told, "request \(number)")
                    #expect(await Transaction.unfinished.ids == [told], "request \(number)")
                }
            }
            #expect(bench.store.processor.charges.count <= 1, "request \(number)")
        }
    }

    private struct Progress: Sendable {
        var requests = 0
        var isOver = false
        var bought: UInt64?
    }

    /// Runs a purchase in a process that hears nothing any more after so many requests, and then ends.
    private func run(killedAfter last: Int) async throws -> (count: Int, bench: SessionBench, returned: UInt64?) {
        let bench = try await SessionBench(SessionStore())
        let progress = Observed(Progress())
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            if progress.value.requests >= last { throw .abandoned }
            let answer = try await store.send(request)
            if request.wait == .zero { progress.update { $0.requests += 1 } }
            if progress.value.requests >= last { throw .abandoned }
            return answer
        }
        let session = try DeviceSession(bench.settings(connection: connection))
        let call = CurrentSession.$own.withValue(SessionContext(session)) {
            Task {
                let bought = try? await bench.product(SessionStore.credits).purchase().bought().id
                progress.update { progress in
                    progress.bought = bought
                    progress.isOver = true
                }
            }
        }
        try await progress.wait { $0.isOver || $0.requests >= last }
        await session.shutDown()
        await call.value
        return (progress.value.requests, bench, progress.value.bought)
    }
}
