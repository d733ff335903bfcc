import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite(.bounded) struct CustomerEventTests {
    @Test(
        "Events are numbered from one without gaps for each customer and app, whoever buys at once",
        arguments: StoreEngine.allCases)
    func noGaps(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let devices = [try await scene.device(scene.customer()), try await scene.device(scene.customer())]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await scene.buy(.sample(.consumable), on: devices[number % 2])
                    }
                }
                try await group.waitForAll()
            }
            for device in devices {
                let events = try await scene.events(device)
                #expect(events.map(\.number) == Array(1...10))
                #expect(Set(events.map(\.transaction)).count == 10)
            }
        }
    }

    @Test(
        "A cursor goes on behind what was read, counts its app alone, and fits its account and life only",
        arguments: StoreEngine.allCases)
    func cursor(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let (device, elsewhere) = (try await scene.device(customer), try await scene.device(customer, app: 43))
            for _ in 0..<3 { _ = try await scene.buy(.sample(.consumable), on: device) }
            _ = try await scene.buy(.sample(.consumable), on: elsewhere)
            func page(_ cursor: EventCursor, _ limit: Int, _ scope: DeviceScope) async throws -> ([Int64], EventCursor)
            {
                try await scene.store.database.read { transaction in
                    let page = try CustomerEvents.page(
                        after: cursor, of: scope.requireCustomerScope(), on: scope.device, limit: limit, in: transaction
                    )
                    return (page.events.map(\.number), page.cursor)
                }
            }
            let end = try await scene.store.database.read {
                try CustomerEvents.end(of: device.requireCustomerScope(), in: $0)
            }
            #expect(end.number == 3)
            let start = EventCursor(epoch: end.epoch, customer: customer, number: 0)
            let (first, middle) = try await page(start, 2, device)
            #expect(first == [1, 2])
            let (second, last) = try await page(#require(EventCursor(text: middle.text)), 2, device)
            #expect(second == [3])
            #expect(last == end)
            #expect(try await page(start, 10, elsewhere).0 == [1])
            let stranger = try await scene.device(scene.customer())
            for void in [
                EventCursor(epoch: "another", customer: customer, number: 0),
                EventCursor(epoch: end.epoch, customer: customer, number: 4),
                EventCursor(epoch: end.epoch, customer: try stranger.requireCustomer(), number: 0),
            ] {
                let error = await #expect(throws: ServiceError.self) { try await page(void, 2, device) }
                #expect(error?.code == .cursorVoid)
            }
        }
    }

    @Test(
        "Finishing is the customer's own, is done once, and takes a transaction off the list",
        arguments: StoreEngine.allCases)
    func finish(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.consumable), on: device)
            func unfinished() async throws -> [TransactionID?] {
                try await scene.store.database.read { transaction in
                    try Transactions.list(
                        .unfinished, of: device.requireCustomerScope(), on: device.device, silentSince: SceneTime.start,
                        after: nil, limit: 10,
                        in: transaction
                    ).map(
                        \.transaction.id)
                }
            }
            #expect(try await unfinished() == [bought.transaction])
            for stranger in [try await scene.device(scene.customer()), try await scene.device(customer, app: 43)] {
                let error = await #expect(throws: ServiceError.self) {
                    try await scene.finish(bought.transaction, on: stranger)
                }
                #expect(error?.code == .transactionUnknown)
            }
            #expect(try await unfinished() == [bought.transaction])
            for _ in 0..<3 { try await scene.finish(bought.transaction, on: device) }
            #expect(try await unfinished().isEmpty)
            // P10: the operator delivers it once more.
            let id = try #require(bought.transaction)
            _ = try await OperatorTransactions(scene.store).redeliver(id, scene.store.cause(.owner))
            #expect(try await unfinished() == [bought.transaction])
            #expect(try await scene.events(device).map(\.transaction) == [id, id])
        }
    }
}
