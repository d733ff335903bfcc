import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What the processor knows charges and refunds by, over the lives of a database (R2.6).
@Suite(.bounded) struct ProcessorKeysTests {
    @Test(
        "What was under way when a backup was made is asked for under its old name, and what comes then has a new one",
        arguments: StoreEngine.allCases)
    func restored(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let paid = try await scene.buy(.sample(.consumable), on: device)
            await scene.processor.plan("capture", .lostAfter)
            await scene.processor.plan("refund", .lostAfter)
            let open = try await scene.buy(.sample(.consumable), on: device)
            let sold = try #require(paid.transaction)
            let refunded = try await scene.refund(sold, .full(.other))
            #expect(open.charge?.state == .capturing && refunded.state == .refunding)

            try await scene.store.database.write { try StoreProperty.beginEpoch("second-life", in: $0) }
            #expect(try await scene.look(after: open.id).state == .purchased)
            #expect(try await RefundDriver(scene.store).look(after: refunded.id)?.state == .refunded)
            let later = try await scene.buy(.sample(.consumable), on: device)

            let charges = [paid, open].map { ProcessorKeys("first").charge($0.id.sale.charge, attempt: 1, "capture") }
            let last = ProcessorKeys("second-l").charge(later.id.sale.charge, attempt: 1, "capture")
            let keys = await Set(scene.processor.movements.keys)
            #expect(keys == Set(charges + [last, ProcessorKeys("first").refund(refunded.id)]))
            #expect(await scene.processor.authorisations.count == 3)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A database that was begun anew gets no answer that was meant for the former one")
    func begunAnew() async throws {
        try await SaleScene.on(.memory) { former in
            let sold = try await former.buy(.sample(.consumable), on: former.device(former.customer()))
            try await StoreEngine.memory.withStore { databases in
                try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("anew", in: $0) }
                let scene = try SaleScene(
                    databases, database: nil, processor: former.processor, time: former.time)
                let again = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
                #expect(again.id == sold.id && again.state == .purchased)
                #expect(await scene.processor.movements.count == 2)
                // What the former one moved is in no book of this one.
                #expect(try await scene.check().problems.map(\.code) == [.processorUnknown])
            }
        }
    }
}
