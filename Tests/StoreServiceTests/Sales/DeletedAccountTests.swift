import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Accounts that are deleted while something of theirs is under way", .bounded)
struct DeletedAccountTests {
    private func delete(_ customer: CustomerID, _ scene: SaleScene) async throws {
        let now = scene.time.current
        try await scene.store.database.write { try Customers.delete(customer, at: now, in: $0) }
    }

    @Test("R2.6: What the bank lets through afterwards is let go of, not taken", arguments: StoreEngine.allCases)
    func action(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer(pays: "action")
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(customer))
            #expect(purchase.charge?.state == .action)
            try await delete(customer, scene)
            await scene.processor.act(try #require(purchase.authorisation))
            let ended = try await scene.look(after: purchase.id)
            #expect(ended.state == .failed)
            #expect(ended.failure == .accountGone)
            #expect(await scene.processor.held == 0)
            #expect(await scene.processor.movements.isEmpty)
            #expect(try await scene.count("SELECT count(*) FROM ledger_entry") == 0)
            let history = try await scene.history(purchase.id)
            #expect(history.suffix(2).map(\.event) == [.authorisedInVain, .voided])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("Nobody is signed in with an account that was deleted since it was read", arguments: StoreEngine.allCases)
    func signIn(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (id, device) = (try await scene.customer(), try await scene.device(nil))
            let customer = try await scene.store.database.read { try Customers.require(id, in: $0) }
            try await delete(id, scene)
            let error = await #expect(throws: ServiceError.self) {
                try await scene.store.database.write {
                    try Devices.signIn(customer, on: device, at: SceneTime.start, in: $0)
                }
            }
            #expect(error?.code == .customerUnknown)
            let scope = try await scene.store.database.read { try DeviceScope.of(device.device, in: $0) }
            #expect(scope?.customer == nil)
        }
    }

    @Test("A password that was replaced since it was compared signs nobody in", arguments: StoreEngine.allCases)
    func replacedPassword(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (id, device) = (try await scene.customer(), try await scene.device(nil))
            let customer = try await scene.store.database.read { try Customers.require(id, in: $0) }
            try await scene.store.database.write { try Customers.setPassword("new", of: id, in: $0) }
            let error = await #expect(throws: ServiceError.self) {
                try await scene.store.database.write {
                    try Devices.signIn(customer, provenBy: "old", on: device, at: SceneTime.start, in: $0)
                }
            }
            #expect(error?.code == .credentialsWrong)
            let scope = try await scene.store.database.write {
                try Devices.signIn(customer, provenBy: "new", on: device, at: SceneTime.start, in: $0)
            }
            #expect(scope.customer == id)
        }
    }
}
